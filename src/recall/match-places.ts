/**
 * Where a text holds what was asked (spec R8): the whole phrase; else words of the question within 200 characters of each
 * other, as many different ones as ever stand together; else single words. Places count in UTF-16 units of the text as
 * it is written. Every word and character is folded alone, so that folding moves no place.
 */
import { analyseText } from '../store/search-index/analyse.ts'
import type { IndexQuery, IndexTerm } from '../store/search-index/search-index.ts'

/** Words that stand this near to each other speak of one thing. */
const NEAR = 200
/** A longer question is no phrase that somebody said before; UTF-16 units. */
const MAX_PHRASE_LENGTH = 400

/** How a text answers, best first. `none`: it holds nothing of the question. */
export const matchKinds = ['phrase', 'near', 'word', 'none'] as const
export type MatchKind = (typeof matchKinds)[number]

export interface Place {
  readonly start: number
  readonly end: number
  /** What of the question stands here; words that mean the same have one. */
  readonly term: string
}

export interface Matches {
  readonly kind: MatchKind
  /** In order, those of this kind only. */
  readonly places: readonly Place[]
}

/** What is looked for; made once for a question. */
export interface Sought {
  /** By the text of a word; `^` begins a prefix. */
  readonly termOf: (word: string) => string | undefined
  readonly grams: ReadonlyMap<string, string>
  /** Folded units in a row: the whole question first, then what it has in quotes. */
  readonly phrases: readonly (readonly string[])[]
}

/** `asked`: the question as it was put, for its phrase; without it only quoted phrases are known. */
export function soughtIn(query: IndexQuery, asked = ''): Sought {
  const words = new Map(query.words.map((term) => [term.text, nameOf(term)]))
  const grams = new Map(query.grams.filter(({ emphasis }) => emphasis !== 0).map((term) => [term.text, nameOf(term)]))
  const whole = asked.length > MAX_PHRASE_LENGTH ? [] : unitsOf(asked).map(({ key }) => key)
  const quoted = query.phrases.map((each) => [...each.words, ...charactersOf(each.grams)])
  return {
    termOf(word) {
      const prefix = words.has(word) ? undefined : query.prefixes.find((each) => word.startsWith(each))
      return prefix === undefined ? words.get(word) : `${prefix}*`
    },
    grams,
    phrases: [whole, ...quoted].filter((phrase) => phrase.length > 1),
  }
}

export function findMatches(text: string, sought: Sought): Matches {
  const units = unitsOf(text)
  for (const phrase of sought.phrases) {
    const places = phrasePlaces(units, phrase)
    if (places.length > 0) return { kind: 'phrase', places }
  }
  const places = termPlaces(units, sought)
  const near = nearPlaces(places)
  if (near.length > 0) return { kind: 'near', places: near }
  return { kind: places.length > 0 ? 'word' : 'none', places }
}

function nameOf({ group, text }: IndexTerm): string {
  return group === undefined ? text : `#${group}`
}

/** A run in quotes is known by its bigrams: the first of each, and the second of the last. */
function charactersOf(grams: readonly string[]): string[] {
  return grams.flatMap((gram, at) => (at === grams.length - 1 ? [...gram] : [...gram].slice(0, 1)))
}

/** A word, or one character of a script without spaces. */
interface Unit {
  readonly start: number
  readonly end: number
  /** Folded: the stems of a word, the character itself. */
  readonly key: string
  /** All forms by which a word is found; empty for a character. */
  readonly forms: readonly string[]
}

type Folded = Pick<Unit, 'key' | 'forms'> & { readonly isRun: boolean }

function unitsOf(text: string): Unit[] {
  // A long text repeats its words, and analysing one is what costs.
  const known = new Map<string, Folded>()
  const fold = (written: string): Folded => {
    const found = known.get(written) ?? foldUnit(written)
    known.set(written, found)
    return found
  }
  return [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].flatMap(({ 0: written, index }) => {
    const { isRun, ...whole } = fold(written)
    return isRun ? runUnits(written, index, fold) : [{ start: index, end: index + written.length, ...whole }]
  })
}

function foldUnit(written: string): Folded {
  const { words, extras, grams } = analyseText(written)
  const [first] = grams
  return { key: first ?? words.join(' '), forms: [...words, ...extras], isRun: first !== undefined }
}

/** 用vitest写: a character, a word, a character. */
function runUnits(run: string, offset: number, fold: (written: string) => Folded): Unit[] {
  const units: Unit[] = []
  let word = ''
  let at = offset
  const endWord = () => {
    const { key, forms } = fold(word)
    if (word !== '') units.push({ start: at - word.length, end: at, key, forms })
    word = ''
  }
  for (const character of run) {
    const { isRun, key } = fold(character)
    if (isRun) {
      endWord()
      units.push({ start: at, end: at + character.length, key, forms: [] })
    } else word += character
    at += character.length
  }
  endWord()
  return units
}

function phrasePlaces(units: readonly Unit[], phrase: readonly string[]): Place[] {
  const places: Place[] = []
  for (let at = 0; at + phrase.length <= units.length; at++) {
    if (units[at]?.key !== phrase[0] || !phrase.every((key, ahead) => units[at + ahead]?.key === key)) continue
    const last = at + phrase.length - 1
    places.push({ start: units[at]?.start ?? 0, end: units[last]?.end ?? 0, term: 'phrase' })
    at = last
  }
  return places
}

function termPlaces(units: readonly Unit[], sought: Sought): Place[] {
  const places: Place[] = []
  for (const [at, unit] of units.entries()) {
    const place = unit.forms.length > 0 ? wordPlace(unit, sought) : gramPlace(unit, units[at + 1], sought)
    if (place) places.push(place)
  }
  return places
}

function wordPlace({ start, end, forms }: Unit, { termOf }: Sought): Place | null {
  for (const form of forms) {
    const term = termOf(form)
    if (term !== undefined) return { start, end, term }
  }
  return null
}

/** With the character after it, when that belongs to the same run; else alone. */
function gramPlace({ start, end, key }: Unit, next: Unit | undefined, { grams }: Sought): Place | null {
  if (grams.size === 0) return null
  const pair = next?.start === end && next.forms.length === 0 ? grams.get(key + next.key) : undefined
  if (next && pair !== undefined) return { start, end: next.end, term: pair }
  const single = grams.get(key)
  return single === undefined ? null : { start, end, term: single }
}

/** The places within reach of each other that hold most different terms together, two at least. */
function nearPlaces(places: readonly Place[]): Place[] {
  let most = 2
  let kept = new Set<Place>()
  slide(places, NEAR, (inside, terms) => {
    if (terms < most) return
    if (terms > most) kept = new Set()
    most = terms
    for (const place of inside()) kept.add(place)
  })
  return places.filter((place) => kept.has(place))
}

/** Each widest group of places within `size`, with how many different terms it holds. */
export function slide(
  places: readonly Place[],
  size: number,
  look: (inside: () => readonly Place[], terms: number, count: number) => void,
): void {
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
    const from = first
    look(() => places.slice(from, last + 1), counts.size, last + 1 - from)
  }
}
