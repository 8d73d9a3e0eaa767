/**
 * Whether a text names something, by any of its names (spec R10). Whole words only: Ana is not in "banana", 小王 not in
 * 小王子 (a word of its own), and not in a longer name that belongs to somebody else (Ana Lima when Ana Souza is meant).
 * Case, accents and width do not matter, unless the name is an everyday word too: then its capital does.
 */
import { foldText, piecesOf } from '../store/search-index/analyse.ts'
import { englishStopWords } from './stop-words.ts'

/** Names that are everyday words: written small they are that word. */
const EVERYDAY = new Set(
  `will may mark bill rose grace hope art faith joy dawn june april august frank grant chase chance drew rich
   pat sue guy go swift rust bun next node react express spring`.split(/\s+/),
)

interface Token {
  readonly text: string
  readonly start: number
  readonly end: number
  /** A character of a script without spaces. */
  readonly single: boolean
}

interface Name {
  readonly tokens: readonly string[]
  readonly isEveryday: boolean
}

export interface NamedPlace {
  readonly start: number
  readonly end: number
}

/** Offsets count in `foldText(text)`. */
export type NameFinder = (text: string) => NamedPlace[]

/** `others`: names of other things; where one of them is longer, the shorter one inside it is not meant. */
export function createNameFinder(names: readonly string[], others: readonly string[] = []): NameFinder {
  const wanted = names.flatMap(toName)
  const known = new Set(wanted.map(({ tokens }) => tokens.join('\n')))
  const longer = others.flatMap(toName).filter(({ tokens }) => !known.has(tokens.join('\n')))
  return (text) => {
    const folded = foldText(text)
    const tokens = tokensOf(folded)
    const found = wanted.flatMap((name) => placesOf(name, tokens, folded))
    if (found.length === 0) return []
    const theirs = longer.flatMap((name) => placesOf(name, tokens, folded))
    return found
      .filter((place) => !theirs.some((other) => isInside(place, other)))
      .sort((one, other) => one.start - other.start || other.end - one.end)
  }
}

/** Whether it can be looked for at all: it holds a letter or digit, and is more than one character. */
export function isUsableName(name: string): boolean {
  return toName(name).length > 0
}

function toName(text: string): Name[] {
  const folded = foldText(text.trim())
  const tokens = tokensOf(folded)
  const letters = tokens.map(({ text: part }) => part).join('')
  if ([...letters].length < 2) return []
  const [only, ...more] = tokens
  const word = only && more.length === 0 && !only.single ? only.text : ''
  return [
    { tokens: tokens.map(({ text: part }) => part), isEveryday: EVERYDAY.has(word) || englishStopWords.has(word) },
  ]
}

function tokensOf(folded: string): Token[] {
  return [...piecesOf(folded)].flatMap((piece) => (piece.kind === 'run' ? runTokens(piece) : wordTokens(piece, folded)))
}

function runTokens({ characters, start }: { readonly characters: readonly string[]; readonly start: number }): Token[] {
  let at = start
  return characters.map((text) => {
    const token = { text, start: at, end: at + text.length, single: true }
    at = token.end
    return token
  })
}

/** Parts of one word stand beside each other; where each begins matters to nobody. */
function wordTokens(
  { parts, start, end }: { readonly parts: readonly string[]; readonly start: number; readonly end: number },
  folded: string,
): Token[] {
  const lower = folded.slice(start, end).toLowerCase()
  let from = 0
  return parts.map((text) => {
    const found = lower.indexOf(text, from)
    const at = found < 0 ? from : found
    from = Math.min(at + text.length, end - start)
    return { text, start: start + at, end: start + from, single: false }
  })
}

/** What may stand between the parts of one name: "Ana Souza", "ana_souza", 玛丽·居里. */
const WITHIN_NAME = /^(?:[ \t\u00a0]{1,2}|[._'·・-]?)$/

function placesOf({ tokens: wanted, isEveryday }: Name, tokens: readonly Token[], folded: string): NamedPlace[] {
  const [first = ''] = wanted
  const places: NamedPlace[] = []
  for (const [at, token] of tokens.entries()) {
    if (token.text !== first) continue
    const run = tokens.slice(at, at + wanted.length)
    const last = run.at(-1)
    if (!last || run.length < wanted.length || !run.every(({ text }, step) => text === wanted[step])) continue
    if (!run.every((each, step) => step === 0 || WITHIN_NAME.test(folded.slice(run[step - 1]?.end, each.start))))
      continue
    if (isEveryday && !/^\p{Lu}/u.test(folded.slice(token.start))) continue
    const place = { start: token.start, end: last.end }
    if ((token.single || last.single) && isPartOfWord(folded, place)) continue
    places.push(place)
  }
  return places
}

/** Characters on each side that a word of a script without spaces is looked for in. */
const AROUND = 6

/** True when a word of the dictionary holds the name and more, or begins in it and goes on: 小王 in 小王子. */
function isPartOfWord(folded: string, { start, end }: NamedPlace): boolean {
  const from = Math.max(0, start - AROUND)
  const around = folded.slice(from, end + AROUND)
  const last = new Intl.Segmenter('zh', { granularity: 'word' }).segment(around).containing(end - 1 - from)
  if (!last) return false
  const [wordStart, wordEnd] = [from + last.index, from + last.index + last.segment.length]
  return wordEnd > end || (wordStart < start && wordEnd === end)
}

function isInside(place: NamedPlace, other: NamedPlace): boolean {
  return place.start >= other.start && place.end <= other.end && place.end - place.start < other.end - other.start
}
