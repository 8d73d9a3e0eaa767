/**
 * The passage of a text that answers best (spec R8): the window that holds most different terms of the question, cut
 * on graphemes and near words, on one line. The text given is masked already.
 */
import { analyseText, isSingle } from '../store/search-index/analyse.ts'
import type { IndexQuery } from '../store/search-index/search-index.ts'
import { oneLine, wellFormed } from '../util/index.ts'

/** UTF-16 units of a text that are looked at for the best window. */
const MAX_LOOKED_AT = 100_000
const MORE = '…'

interface Place {
  readonly start: number
  readonly end: number
  readonly term: string
}

/** At most about `size` UTF-16 units; the beginning of the text when nothing matches. */
export function cutSnippet(text: string, query: IndexQuery, size: number): string {
  const whole = wellFormed(text.slice(0, MAX_LOOKED_AT))
  if (whole.length <= size)
    return withMarks(whole, { start: 0, end: whole.length, isWhole: whole.length === text.length })
  const window = bestWindow(placesOf(whole, query), size)
  const spare = Math.max(0, size - (window.end - window.start))
  const start = edge(whole, Math.max(0, Math.min(window.start - Math.floor(spare / 3), whole.length - size)))
  const end = edge(whole, Math.min(whole.length, start + size))
  return withMarks(whole, { start, end, isWhole: end === text.length })
}

function withMarks(text: string, cut: { start: number; end: number; isWhole: boolean }): string {
  const { start, end, isWhole } = cut
  const passage = oneLine(text.slice(start, end))
  return `${start > 0 ? MORE : ''}${passage}${end < text.length || !isWhole ? MORE : ''}`
}

/** Where terms of the question stand, in order. Each word and character is folded alone, so places are those of `text`. */
function placesOf(text: string, query: IndexQuery): Place[] {
  const words = new Set(query.words.map((term) => term.text))
  const asking = query.grams.filter((term) => term.emphasis !== 0).map((term) => term.text)
  const grams = new Set(asking.filter((text) => !isSingle(text)))
  const singles = new Set(asking.filter(isSingle))
  const places: Place[] = []
  // A long text repeats its words, and analysing one is what costs.
  const known = new Map<string, { term: string | undefined; holdsGrams: boolean }>()
  const look = (written: string) => {
    const terms = analyseText(written)
    const term = [...terms.words, ...terms.extras].find(
      (each) => words.has(each) || query.prefixes.some((prefix) => each.startsWith(prefix)),
    )
    return { term, holdsGrams: terms.grams.some((gram) => grams.has(gram) || singles.has([...gram][0] ?? '')) }
  }
  for (const { 0: written, index: start } of text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    const { term, holdsGrams } = known.get(written) ?? look(written)
    known.set(written, { term, holdsGrams })
    if (term !== undefined) places.push({ start, end: start + written.length, term })
    if (holdsGrams) places.push(...gramPlaces(written, start, { grams, singles }))
  }
  return places
}

function gramPlaces(
  run: string,
  offset: number,
  { grams, singles }: { grams: ReadonlySet<string>; singles: ReadonlySet<string> },
): Place[] {
  const characters = [...run].map((character) => ({ character, folded: analyseText(character).grams[0] ?? '' }))
  let start = offset
  return characters.flatMap(({ character, folded }, at) => {
    const here = start
    start += character.length
    const next = characters[at + 1]
    const gram = folded + (next?.folded ?? '')
    if (grams.has(gram))
      return [{ start: here, end: here + character.length + (next?.character.length ?? 0), term: gram }]
    return singles.has(folded) ? [{ start: here, end: here + character.length, term: folded }] : []
  })
}

/** The span of places within `size` that holds most different terms; the first of equals. */
function bestWindow(places: readonly Place[], size: number): { start: number; end: number } {
  let best = { start: 0, end: 0, terms: 0 }
  const counts = new Map<string, number>()
  let first = 0
  for (const [last, place] of places.entries()) {
    counts.set(place.term, (counts.get(place.term) ?? 0) + 1)
    while (first < last && place.end - (places[first]?.start ?? 0) > size) {
      const dropped = places[first]?.term ?? ''
      const left = (counts.get(dropped) ?? 1) - 1
      if (left === 0) counts.delete(dropped)
      else counts.set(dropped, left)
      first++
    }
    if (counts.size > best.terms) best = { start: places[first]?.start ?? 0, end: place.end, terms: counts.size }
  }
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
