/**
 * The passage of a text that answers best (spec R8): the window around the best kind of match that covers most, cut on
 * graphemes and near words, on one line. The text given is masked already.
 */
import { oneLine, wellFormed } from '../util/index.ts'
import { findMatches, type MatchKind, type Place, type Sought, slide } from './match-places.ts'

/** UTF-16 units of a text that are looked at for the best window. */
const MAX_LOOKED_AT = 100_000
const MORE = '…'

export interface Passage {
  readonly text: string
  readonly kind: MatchKind
}

/** At most about `size` UTF-16 units; the beginning of the text when nothing matches. */
export function cutPassage(text: string, sought: Sought, size: number): Passage {
  const whole = wellFormed(text.slice(0, MAX_LOOKED_AT))
  const { kind, places } = findMatches(whole, sought)
  if (whole.length <= size)
    return { text: withMarks(whole, { start: 0, end: whole.length, isWhole: whole.length === text.length }), kind }
  const window = bestWindow(places, size)
  const spare = Math.max(0, size - (window.end - window.start))
  const start = edge(whole, Math.max(0, Math.min(window.start - Math.floor(spare / 3), whole.length - size)))
  const end = edge(whole, Math.min(whole.length, start + size))
  return { text: withMarks(whole, { start, end, isWhole: end === text.length }), kind }
}

function withMarks(text: string, cut: { start: number; end: number; isWhole: boolean }): string {
  const { start, end, isWhole } = cut
  const passage = oneLine(text.slice(start, end))
  return `${start > 0 ? MORE : ''}${passage}${end < text.length || !isWhole ? MORE : ''}`
}

/** The span of places within `size` that holds most different terms, then most places; the first of equals. */
function bestWindow(places: readonly Place[], size: number): { start: number; end: number } {
  let best = { start: 0, end: 0, terms: 0, count: 0 }
  slide(places, size, (inside, terms, count) => {
    if (terms < best.terms || (terms === best.terms && count <= best.count)) return
    const group = inside()
    best = { start: group[0]?.start ?? 0, end: group.at(-1)?.end ?? 0, terms, count }
  })
  return best
}

/** The nearest place not after `at` where a text may be cut: the start of a word when one is near, else a grapheme. */
function edge(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return at
  const near = text.slice(Math.max(0, at - 16), at)
  const space = near.search(/\s\S*$/u)
  if (space >= 0) return at - near.length + space + 1
  const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)
  return segments.containing(at)?.index ?? at
}
