/**
 * Notes for one message, chosen by a model from the manifest (spec R1, R2): the heads of the newest notes, no bodies, one
 * light call, at most five, and none is the usual answer.
 */
import { fence, safeText } from '../guard/index.ts'
import { linesWithin, type ModelJobs } from '../models/index.ts'
import type { IndexedNoteRow } from '../store/search-index/search-index.ts'
import { cutGraphemes, oneLine } from '../util/index.ts'
import { readIds } from './answer-ids.ts'
import system from './prompts/select.md'

const MAX_SELECTED = 5
const LINE_GRAPHEMES = 240
const MESSAGE_GRAPHEMES = 2_000
const MAX_TOOLS = 30

export interface Selection {
  /** Best first. */
  readonly rows: readonly IndexedNoteRow[]
  /** Why nothing could be chosen; null when the model answered. */
  readonly reason: string | null
}

export interface SelectInput {
  readonly prompt: string
  /** Tools that just worked. */
  readonly worked: readonly string[]
  /** Newest first. */
  readonly manifest: readonly IndexedNoteRow[]
  readonly signal?: AbortSignal
}

export type Select = (input: SelectInput) => Promise<Selection>

export function createSelect(models: ModelJobs): Select {
  return async ({ prompt, worked, manifest, signal }) => {
    if (manifest.length === 0) return { rows: [], reason: null }
    const begun = models.begin('selection', { signal })
    if (!begun.ok) return { rows: [], reason: begun.message }
    const { job } = begun
    // The two ends of a long message: what is asked stands there.
    const message = fence('quoted', safeText(endsOf(prompt), 'message').text)
    const tools = worked.slice(0, MAX_TOOLS).map((name) => oneLine(safeText(name, 'tool').text))
    const head = [
      `Message:\n${message}`,
      ...(tools.length > 0 ? [`Tools used just now:\n${fence('quoted', tools.join(', '))}`] : []),
    ]
    const promptOf = (lines: readonly string[]) =>
      [...head, `Notes:\n${fence('quoted', lines.join('\n'))}`].join('\n\n')
    const all = manifest.map((row, at) => `n${at + 1} | ${lineOf(row)}`)
    const lines = linesWithin(all, `${system}\n${promptOf([])}`, job.budget.inputTokens)
    if (lines.length === 0) return { rows: [], reason: 'no note fits into the question' }
    const answer = await job.ask({ system, prompt: promptOf(lines) })
    if (!answer.ok) return { rows: [], reason: answer.message }
    const ids = readIds(answer.text, new Set(lines.map((_, at) => `n${at + 1}`)))
    if (ids === null) return { rows: [], reason: 'the answer of the model holds no list of ids' }
    return { rows: ids.slice(0, MAX_SELECTED).flatMap((id) => manifest[Number(id.slice(1)) - 1] ?? []), reason: null }
  }
}

function endsOf(prompt: string): string {
  if (cutGraphemes(prompt, MESSAGE_GRAPHEMES) === prompt) return prompt
  return `${cutGraphemes(prompt, MESSAGE_GRAPHEMES / 2)}\n${prompt.slice(-MESSAGE_GRAPHEMES / 2)}`
}

function lineOf({ type, updated, name, description, tags }: IndexedNoteRow): string {
  const words = tags.length > 0 ? `${name}: ${description} [${tags.join(', ')}]` : `${name}: ${description}`
  const line = [type, updated?.slice(0, 10) ?? 'undated', words].join(' | ')
  return cutGraphemes(oneLine(safeText(line, 'note').text), LINE_GRAPHEMES)
}
