/**
 * From what a person or agent asks to what the index is asked. No operators: every sign but quotes and a trailing `*`
 * is only a separator, so no text can make a search fail. Bounded whatever comes in.
 */

import { shippedAliases } from '../store/search-index/alias-pairs.ts'
import { foldText, type Piece, piecesOf } from '../store/search-index/analyse.ts'
import type { IndexQuery, IndexTerm } from '../store/search-index/search-index.ts'
import {
  type AliasLookup,
  type AliasTable,
  createAliasLookup,
  expandMeanings,
  matchRun,
  matchStems,
} from './aliases.ts'
import { runGrams } from './run-terms.ts'
import { englishStopWords } from './stop-words.ts'

/** UTF-16 units of a question that are read. */
export const MAX_QUERY_LENGTH = 8_000
/** Distinct words, and grams, of a long question: the longest words are kept, because they are the rarest. */
const MAX_WORDS = 24
const MAX_GRAMS = 64
const MAX_PHRASES = 4
const MAX_PREFIXES = 4
/** A shorter beginning would match half of everything. */
const MIN_PREFIX_LENGTH = 2
/** A name in the middle of a sentence that is missing from a row speaks against the row. */
const NAME_EMPHASIS = 1.5

export interface ParseQueryOptions {
  /** Made once by `createQueryParser`; default: the shipped pairs. */
  readonly aliases?: AliasLookup
}

export type QueryParser = (text: string) => IndexQuery

/** A parser with the shipped aliases and the user's own. */
export function createQueryParser(own: AliasTable = []): QueryParser {
  const aliases = createAliasLookup([...shippedAliases, ...own])
  return (text) => parseQuery(text, { aliases })
}

/** Never throws. A question of stop words or signs alone gives a query without terms, which finds nothing. */
export function parseQuery(text: string, options: ParseQueryOptions = {}): IndexQuery {
  const folded = foldText(text.slice(0, MAX_QUERY_LENGTH))
  const draft = readPieces(folded)
  const aliases = options.aliases ?? createAliasLookup(shippedAliases)
  const present = new Set([...draft.words.keys(), ...draft.grams.keys()])
  const expansions = expandMeanings(meaningsOf(draft, aliases), aliases, present)
  const added = (kind: 'word' | 'gram') =>
    expansions.filter((term) => term.kind === kind).map(({ kind: _, ...term }) => term)
  return {
    words: [...longest([...draft.words.values()]), ...added('word')],
    grams: [...mostAsking([...draft.grams.values()]), ...added('gram')],
    phrases: phrasesOf(folded),
    prefixes: [...draft.prefixes].slice(0, MAX_PREFIXES),
  }
}

export function isEmptyQuery({ words, grams, phrases, prefixes }: IndexQuery): boolean {
  return words.length + grams.length + phrases.length + prefixes.length === 0
}

interface Draft {
  readonly words: Map<string, IndexTerm & { group: number }>
  readonly grams: Map<string, IndexTerm & { group: number }>
  readonly prefixes: Set<string>
  /** Stems in order, stop words included, for aliases of several words. */
  readonly stems: string[]
  readonly runs: (readonly string[])[]
}

type WordPiece = Extract<Piece, { kind: 'word' }>

function readPieces(folded: string): Draft {
  const draft: Draft = { words: new Map(), grams: new Map(), prefixes: new Set(), stems: [], runs: [] }
  let group = 0
  for (const piece of piecesOf(folded)) {
    group++
    if (piece.kind === 'run') {
      draft.runs.push(piece.characters)
      for (const { text, weight, emphasis } of runGrams(piece.characters)) {
        const known = draft.grams.get(text)
        if (!known || known.weight < weight)
          draft.grams.set(text, { text, weight, emphasis, group: known?.group ?? group++ })
      }
      continue
    }
    if (folded[piece.end] === '*' && addPrefix(piece, draft)) continue
    addWord(piece, group, isInsideSentence(folded, piece.start), draft)
  }
  return draft
}

function addPrefix({ parts }: WordPiece, { prefixes }: Draft): boolean {
  const prefix = parts.at(-1) ?? ''
  if (prefix.length < MIN_PREFIX_LENGTH) return false
  prefixes.add(prefix)
  return true
}

function addWord(piece: WordPiece, group: number, insideSentence: boolean, { words, stems }: Draft): void {
  const put = (term: IndexTerm & { group: number }) => {
    if (!words.has(term.text)) words.set(term.text, term)
  }
  const emphasis = piece.capital && insideSentence ? NAME_EMPHASIS : 1
  piece.stems.forEach((stem, at) => {
    stems.push(stem)
    const part = piece.parts[at] ?? stem
    if (!englishStopWords.has(part) && !/^[a-z]$/.test(part)) put({ text: stem, weight: 1, group, emphasis })
  })
  if (piece.joined !== null && !englishStopWords.has(piece.joined))
    put({ text: piece.joined, weight: 1, group, standsFor: 1 })
}

/** False at the beginning of the text and after a full stop, question mark or line end. */
function isInsideSentence(folded: string, start: number): boolean {
  return /[^\s.!?。！？:"“(*-]\s*$/u.test(folded.slice(Math.max(0, start - 12), start))
}

/** Aliases found in the words and runs; the terms that each stands for become one group. */
function meaningsOf({ words, grams, stems, runs }: Draft, lookup: AliasLookup): { entry: number; group: number }[] {
  const meanings: { entry: number; group: number }[] = []
  const join = (terms: readonly string[], map: Map<string, IndexTerm & { group: number }>, entry: number) => {
    const group = terms.map((text) => map.get(text)?.group).find((each) => each !== undefined)
    if (group === undefined) return
    for (const text of terms) {
      const term = map.get(text)
      if (term) map.set(text, { ...term, group })
    }
    meanings.push({ entry, group })
  }
  for (const { entry, from, to } of matchStems(stems, lookup)) join(stems.slice(from, to), words, entry)
  for (const characters of runs) {
    for (const { entry, from, to } of matchRun(characters, lookup)) {
      const inside = to - from === 1 ? [characters[from] ?? ''] : bigrams(characters.slice(from, to))
      join(inside, grams, entry)
    }
  }
  return meanings
}

function bigrams(characters: readonly string[]): string[] {
  return characters.slice(0, -1).map((character, at) => character + (characters[at + 1] ?? ''))
}

/** The longest words, in the order of the question. */
function longest<Term extends IndexTerm>(terms: readonly Term[]): Term[] {
  if (terms.length <= MAX_WORDS) return [...terms]
  const kept = new Set([...terms].sort((left, right) => right.text.length - left.text.length).slice(0, MAX_WORDS))
  return terms.filter((term) => kept.has(term))
}

/**
 * Of a long question those that find rows before those that only order them, and its two ends before its middle: what
 * is asked stands before or behind what is told. In the order of the question.
 */
function mostAsking<Term extends IndexTerm>(grams: readonly Term[]): Term[] {
  if (grams.length <= MAX_GRAMS) return [...grams]
  const asking = grams.filter((term) => term.emphasis !== 0)
  const ends = [...asking.slice(0, MAX_GRAMS / 2), ...asking.slice(MAX_GRAMS / 2).slice(-MAX_GRAMS / 2)]
  const kept = new Set([...ends, ...grams.filter((term) => term.emphasis === 0)].slice(0, MAX_GRAMS))
  return grams.filter((term) => kept.has(term))
}

const quoted = /"([^"]{1,400})"|“([^“”]{1,400})”|「([^「」]{1,400})」|『([^『』]{1,400})』/gu

function phrasesOf(folded: string): { words: string[]; grams: string[] }[] {
  return [...folded.matchAll(quoted)].slice(0, MAX_PHRASES).flatMap((match) => {
    const pieces = [...piecesOf(match.slice(1).find((each) => each !== undefined) ?? '')]
    const words = pieces.flatMap((piece) => (piece.kind === 'word' ? piece.stems : []))
    const runs = pieces.flatMap((piece) => (piece.kind === 'run' ? [bigrams(piece.characters)] : []))
    const ofWords = words.length > 1 ? [{ words: words.slice(0, 16), grams: [] }] : []
    const ofRuns = runs.filter((grams) => grams.length > 1).map((grams) => ({ words: [], grams: grams.slice(0, 16) }))
    return [...ofWords, ...ofRuns]
  })
}
