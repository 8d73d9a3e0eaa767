/**
 * Statements about the health or the money of a person (spec W6, `sensitive: refuse|mask|allow`), English and
 * Chinese. Diagnoses, treatment, medicine, pregnancy, allergies; pay, savings, debts. Not here: what a person needs
 * from the work because of the body ("red-green blind, so no red", "seasick, so no ferries") and work about health or
 * money (a salary field, a diabetes app). It looks at shapes, not at meaning, and misses what it has no words for.
 */
import { cutBytes, cutGraphemes, oneLine } from '../util/index.ts'
import { chineseSensitive } from './sensitive/chinese.ts'
import { englishSensitive } from './sensitive/english.ts'
import type { SensitiveKind, SensitivePattern } from './sensitive/rule.ts'
import { foldSimplified } from './threats/views.ts'

export interface Sensitive {
  readonly kind: SensitiveKind
  /** The clause that says it, at most 120 graphemes. */
  readonly excerpt: string
}

const MAX_EXCERPT_GRAPHEMES = 120
const patterns: readonly SensitivePattern[] = [...englishSensitive, ...chineseSensitive]

interface Clause {
  readonly start: number
  readonly end: number
  readonly kind: SensitiveKind
}

/** The first sensitive statement of the text, or null. */
export function findSensitive(text: string): Sensitive | null {
  const first = clausesOf(text)[0]
  if (!first) return null
  return {
    kind: first.kind,
    excerpt: cutGraphemes(oneLine(text.slice(first.start, first.end)), MAX_EXCERPT_GRAPHEMES),
  }
}

/** The text with each sensitive clause as `[masked: health]` or `[masked: money]`; what stands beside it is kept. */
export function maskSensitive(text: string): { text: string; kinds: SensitiveKind[] } {
  const pieces: string[] = []
  const kinds = new Set<SensitiveKind>()
  let position = 0
  for (const clause of clausesOf(text)) {
    if (clause.start < position) continue
    pieces.push(text.slice(position, clause.start), `[masked: ${clause.kind}]`)
    kinds.add(clause.kind)
    position = clause.end
  }
  return { text: pieces.join('') + text.slice(position), kinds: [...kinds] }
}

function clausesOf(text: string): Clause[] {
  // Folding to simplified changes no length, so offsets are those of the text itself.
  const folded = foldSimplified(text)
  const found = patterns.flatMap(({ kind, topic, pattern, accept }) => {
    if (!topic.test(folded)) return []
    return [...folded.matchAll(pattern)]
      .filter((match) => !accept || accept(match))
      .map((match) => ({ ...clauseAround(text, match.index, match.index + match[0].length), kind }))
  })
  return found.sort((a, b) => a.start - b.start || b.end - a.end)
}

/** A clause longer than this is cut there, on a grapheme, in UTF-8 bytes. */
const MAX_TAIL_BYTES = 300

/** From the match to the end of its clause, so that no figure or name of it is left over. */
function clauseAround(text: string, start: number, end: number): { start: number; end: number } {
  // A comma or point between digits belongs to a number: 85,500.
  const tail = /(?:[^,，.。!！?？;；\n]|(?<=\d)[,.](?=\d)){0,600}/y
  tail.lastIndex = end
  const rest = tail.exec(text)?.[0].trimEnd() ?? ''
  return { start, end: end + cutBytes(rest, MAX_TAIL_BYTES).length }
}
