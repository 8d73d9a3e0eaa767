/**
 * The facts view (spec I8): one line per note with its category and confidence, corrections first with a budget of their
 * own, the rest by confidence, or by nearness to a question and confidence. The three voices keep their places: rules stand
 * outside any fence, facts and quoted words inside theirs. Nothing in it depends on the clock. Headings stand over something.
 */
import { estimateTokenCount } from 'tokenx'
import {
  type BlockEntry,
  EMPTY_BLOCK,
  type Language,
  layerNameOf,
  type StartBlock,
  type Voice,
} from '../../domain/index.ts'
import { fence } from '../../guard/index.ts'
import { ANYWHERE, type Here, standingsOf } from '../../store/notes/precedence.ts'
import { mostValuableFirst } from '../../store/notes/value-order.ts'
import { counted, utf8Bytes } from '../../util/index.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { dialectOf } from '../dialects/registry.ts'
import { toPiece } from '../start-block.ts'
import { explainBlock } from '../start-explain.ts'
import { sumOf } from '../start-lines.ts'

import { NO_JUDGED_REST, NO_REST_TAKEN } from '../start-rest.ts'
import { CLOSING, OPENING } from '../start-sections.ts'
import { createFactLines, type FactLine } from './fact-lines.ts'
import { categoryOf, confidenceOf, type FactNote } from './fact-note.ts'

/** Its name among the dialects. */
export const FACTS_VIEW = 'facts'
/** The whole block; of it corrections have the second number before anything else is looked at. */
const MAX_FACTS_TOKENS = 2_000
const CORRECTION_TOKENS = 500
/** What is near a question counts more than what is sure. */
const SIMILARITY_WEIGHT = 0.6
const CONFIDENCE_WEIGHT = 0.4
/** The other rules have this part of what corrections leave, then facts; what one leaves goes on. */
const RULES_PART = 0.5

export interface FactsViewInput {
  /** Active notes, of any layer. */
  readonly notes: readonly FactNote[]
  /** How many active notes the layers hold in all, read or not. */
  readonly total: number
  /** Default: nothing is narrowed out. */
  readonly here?: Here
  /** By note id, 0..1: how near each is to a question; one that is missing is not near. Null: there is no question. */
  readonly similarity: ReadonlyMap<string, number> | null
  readonly maxBytes: number
  readonly maxTokens: number
  readonly problems: readonly string[]
  readonly explain?: boolean
  /** In which the words around the notes stand. Default English. */
  readonly language?: Language
}

/** Empty text only when `notes` is empty and something could not be read. */
export function createFactsView(input: FactsViewInput): StartBlock {
  const { notes, problems, similarity } = input
  if (notes.length === 0 && problems.length > 0) return { ...EMPTY_BLOCK, problems, pieces: [] }
  const standings = standingsOf(notes, input.here ?? ANYWHERE)
  const byRank = rankBy(similarity)
  const stands = (note: FactNote) => standings.get(note)?.state === 'stands'
  const counting = notes.filter(stands).sort(byRank)
  const others = notes.filter((note) => !stands(note)).sort(byRank)
  const total = Math.max(counting.length, input.total - others.length)
  const maxTokens = Math.min(MAX_FACTS_TOKENS, input.maxTokens)
  const dialect = dialectOf(FACTS_VIEW, input.language)
  const renderLines = (some: readonly FactLine[]) => render(some, dialect, { counting, total })
  const room = maxTokens - estimateTokenCount(renderLines(framing(counting)))
  const fitted = shrink(takeLines(counting, room), renderLines, { ...input, maxTokens })
  const { lines, text } = fitted
  const tokens = estimateTokenCount(text)
  const guidanceBytes = utf8Bytes(dialect.guidance) + 1
  const labels = { project: null, usage: [] }
  const judged = { standings, counting, others, total, ...labels, rest: NO_JUDGED_REST }
  const shares = {
    guidance: guidanceBytes,
    profile: 0,
    rest: 0,
    index: input.maxBytes - utf8Bytes(text) + sumOf(lines),
    frame: utf8Bytes(text) - sumOf(lines) - guidanceBytes,
  }
  const counts = { shown: lines.length, total, cutPins: 0 }
  const composed = { taken: lines, rest: NO_REST_TAKEN, labels, counts, shares }
  return {
    text,
    bytes: utf8Bytes(text),
    tokens,
    entries: lines.map((line) => toEntry(line, similarity)),
    omitted: total - lines.length,
    problems,
    pieces: lines.map(toPiece),
    ...(input.explain
      ? { explanation: explainBlock(judged, composed, { dialect, text, tokens, total: input.total }) }
      : {}),
  }
}

const VOICES: readonly Voice[] = ['rule', 'fact', 'quoted']

/** Rules before facts before quotes; the user's pins, then by score; what is left equal as in every other list. */
function rankBy(similarity: FactsViewInput['similarity']): (one: FactNote, other: FactNote) => number {
  const scoreOf = (note: FactNote) =>
    similarity === null
      ? confidenceOf(note)
      : SIMILARITY_WEIGHT * (similarity.get(note.id) ?? 0) + CONFIDENCE_WEIGHT * confidenceOf(note)
  const isOwnPin = ({ pinned, voice }: FactNote) => pinned && voice === 'rule'
  return (one, other) =>
    VOICES.indexOf(one.voice) - VOICES.indexOf(other.voice) ||
    Number(isOwnPin(other)) - Number(isOwnPin(one)) ||
    scoreOf(other) - scoreOf(one) ||
    mostValuableFirst(one, other)
}

/** In the order in which they would be given up last. Each pass stops at the first line that does not fit. */
function takeLines(counting: readonly FactNote[], room: number): FactLine[] {
  const lineOf = createFactLines(counting)
  const taken = new Map<FactNote, FactLine>()
  let left = room
  const take = (notes: readonly FactNote[], tokens: number) => {
    let share = Math.min(tokens, left)
    for (const note of notes) {
      if (taken.has(note)) continue
      const line = lineOf(note)
      if (line.tokens > share) break
      share -= line.tokens
      left -= line.tokens
      taken.set(note, line)
    }
  }
  const isCorrection = (note: FactNote) => note.voice !== 'quoted' && categoryOf(note) === 'correction'
  const rest = counting.filter((note) => !isCorrection(note))
  take(counting.filter(isCorrection), CORRECTION_TOKENS)
  take(
    rest.filter(({ voice }) => voice === 'rule'),
    Math.floor(left * RULES_PART),
  )
  take(
    rest.filter(({ voice }) => voice !== 'rule'),
    left,
  )
  take(counting, left)
  return [...taken.values()]
}

/** Tokens of lines do not add up to the letter, and bytes are another cap: the last ones go until both hold. */
function shrink(
  taken: readonly FactLine[],
  renderLines: (lines: readonly FactLine[]) => string,
  { maxBytes, maxTokens }: { readonly maxBytes: number; readonly maxTokens: number },
): { readonly lines: readonly FactLine[]; readonly text: string } {
  let lines = taken
  let text = renderLines(lines)
  while (lines.length > 0 && (utf8Bytes(text) > maxBytes || estimateTokenCount(text) > maxTokens)) {
    lines = lines.slice(0, -1)
    text = renderLines(lines)
  }
  return { lines, text }
}

/** A line of nothing for each voice that may stand in the block: its heading and fence are paid for first. */
function framing(counting: readonly FactNote[]): FactLine[] {
  return VOICES.flatMap((voice) => {
    const note = counting.find((each) => each.voice === voice)
    return note ? [{ note, text: '', bytes: 0, tokens: 0, form: 'line' as const, isCut: false }] : []
  })
}

interface Counting {
  /** Notes that count here, best first. */
  readonly counting: readonly FactNote[]
  readonly total: number
}

function render(lines: readonly FactLine[], dialect: Dialect, { counting, total }: Counting): string {
  const shown = new Set(lines.map(({ note }) => note))
  const of = (voice: Voice) => {
    const own = lines.filter(({ note }) => note.voice === voice)
    const rank = new Map(counting.map((note, place) => [note, place]))
    const isLater = ({ note }: FactLine) => Number(categoryOf(note) !== 'correction')
    return [...own]
      .sort((one, other) => isLater(one) - isLater(other) || (rank.get(one.note) ?? 0) - (rank.get(other.note) ?? 0))
      .map(({ text }) => text)
  }
  const [rules, facts, quoted] = [of('rule'), of('fact'), of('quoted')]
  const { guidance, words, language } = dialect
  return [
    OPENING,
    guidance,
    ...(rules.length > 0 ? [words.rules, words.authority, ...rules] : []),
    ...(facts.length > 0 ? [words.facts, fence('facts', facts.join('\n'), {}, language)] : []),
    ...(quoted.length > 0 ? [words.quoted, fence('quoted', quoted.join('\n'), {}, language)] : []),
    shown.size >= total
      ? words.count({ shown: shown.size, total, cutPins: 0 })
      : leftLine(
          counting.filter((note) => !shown.has(note)),
          { shown: shown.size, total, language },
        ),
    CLOSING,
  ].join('\n')
}

/** How many are listed, and what the others are. */
function leftLine(
  left: readonly FactNote[],
  { shown, total, language }: { readonly shown: number; readonly total: number; readonly language: Language },
): string {
  const corrections = left.filter((note) => categoryOf(note) === 'correction').length
  const rules = left.filter((note) => note.voice === 'rule' && categoryOf(note) !== 'correction').length
  const named = [
    [corrections, 'correction', '更正'],
    [rules, 'rule', '规则'],
    [total - shown - corrections - rules, 'fact', '事实'],
  ] as const
  const some = named.filter(([count]) => count > 0)
  if (language === 'zh') {
    const parts = some.map(([count, , what]) => `${count} 条${what}`)
    return `共 ${total} 条笔记，列出 ${shown} 条；未列出：${parts.join('、')}。用 memory_search 查找。`
  }
  const parts = some.map(([count, what]) => counted(count, what))
  return `${shown} of ${total} notes are listed; left out: ${parts.join(', ')}. Find them with memory_search.`
}

function toEntry({ note, bytes, isCut }: FactLine, similarity: FactsViewInput['similarity']): BlockEntry {
  const near = similarity === null ? [] : [`similarity ${(similarity.get(note.id) ?? 0).toFixed(2)}`]
  const why = [categoryOf(note), `confidence ${confidenceOf(note).toFixed(2)}`, ...near, ...(isCut ? ['cut'] : [])]
  return {
    id: note.id,
    name: note.name,
    layer: layerNameOf(note.layer),
    section: note.voice === 'rule' ? 'rules' : note.voice === 'fact' ? 'facts' : 'quoted',
    bytes,
    why: why.join(', '),
  }
}
