/**
 * The best results in the order of a model (spec R6), one light call. Only order changes: what is found, and what is
 * weak, is decided before. When the model cannot be asked, or says nothing that can be used, the order stays.
 */
import type { RecallHit, RerankReport, ScoreStep } from '../domain/index.ts'
import { fence, safeText } from '../guard/index.ts'
import { linesWithin, type ModelJobs } from '../models/index.ts'
import { cutGraphemes, oneLine } from '../util/index.ts'
import { readIds } from './answer-ids.ts'
import { RERANK_CANDIDATES } from './candidates.ts'
import system from './prompts/rerank.md'

/** How many it may name. */
const MAX_NAMED = 10
const LINE_GRAPHEMES = 400
const QUESTION_GRAPHEMES = 2_000

export interface Reranked {
  readonly hits: readonly RecallHit[]
  readonly report: RerankReport
}

/** `hits`: best first, all of which count here. */
export type Rerank = (question: string, hits: readonly RecallHit[], signal?: AbortSignal) => Promise<Reranked>

export function createRerank(models: ModelJobs): Rerank {
  return async (question, hits, signal) => {
    const begun = models.begin('rerank', { signal })
    if (!begun.ok) return { hits, report: { model: null, candidates: 0, leftOut: 0, named: 0, reason: begun.message } }
    const { job } = begun
    const said = fence('quoted', safeText(cutGraphemes(question, QUESTION_GRAPHEMES), 'question').text)
    const window = hits.slice(0, RERANK_CANDIDATES)
    const all = window.map((hit, at) => `c${at + 1} | ${lineOf(hit)}`)
    const lines = linesWithin(all, `${system}\n${promptOf(said, [])}`, job.budget.inputTokens)
    const offered = window.slice(0, lines.length)
    const report = { model: job.model, candidates: offered.length, leftOut: window.length - offered.length }
    const unchanged = (reason: string): Reranked => ({ hits, report: { ...report, named: 0, reason } })
    if (offered.length < 2) return unchanged('there is nothing to order')
    const answer = await job.ask({ system, prompt: promptOf(said, lines) })
    if (!answer.ok) return unchanged(answer.message)
    const ids = readIds(answer.text, new Set(offered.map((_, at) => `c${at + 1}`)))
    if (ids === null) return unchanged('the answer of the model holds no list of ids')
    if (ids.length === 0) return unchanged('the model named none of the results')
    const places = ids.slice(0, MAX_NAMED).map((id) => Number(id.slice(1)) - 1)
    return { hits: inOrder(hits, places), report: { ...report, named: places.length, reason: null } }
  }
}

function promptOf(question: string, lines: readonly string[]): string {
  return `Question:\n${question}\n\nCandidates:\n${fence('quoted', lines.join('\n'))}`
}

function lineOf(hit: RecallHit): string {
  const text = hit.kind === 'note' ? `${hit.name}: ${hit.description} … ${hit.snippet}` : `${hit.role}: ${hit.snippet}`
  const line = [hit.type ?? hit.kind, hit.date?.slice(0, 10) ?? 'undated', text].join(' | ')
  return cutGraphemes(oneLine(safeText(line, hit.kind).text), LINE_GRAPHEMES)
}

/** Those named first, the others as they stood. Each has the score of its new place, so results stand by their scores. */
function inOrder(hits: readonly RecallHit[], named: readonly number[]): RecallHit[] {
  const taken = new Set(named)
  const order = [...named, ...hits.keys()].filter((at, place) => place < named.length || !taken.has(at))
  return order.flatMap((from, place) => {
    const hit = hits[from]
    const score = hits[place]?.score
    if (!hit || score === undefined) return []
    return [from === place ? hit : moved(hit, { score, from, place })]
  })
}

function moved(
  hit: RecallHit,
  to: { readonly score: number; readonly from: number; readonly place: number },
): RecallHit {
  const { score, explain } = { score: to.score, explain: hit.explain }
  const because = `the model moved it from place ${to.from + 1} to ${to.place + 1}, whose score it has`
  const steps: ScoreStep[] = [
    { part: 'model', by: 'times', value: 0, because },
    { part: 'model', by: 'plus', value: score, because },
  ]
  return { ...hit, score, ...(explain ? { explain: { ...explain, steps: [...explain.steps, ...steps] } } : {}) }
}
