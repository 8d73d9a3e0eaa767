/**
 * Words that mean the same, found in a question and expanded. The longest match wins: 单元测试 is not also 测试. An
 * expansion weighs half; in coverage it stands for the words that it means, so 容器 is answered by `docker` alone.
 */
import { analyseText, foldText, isSingle, piecesOf } from '../store/search-index/analyse.ts'
import { foldHanVariants } from '../store/search-index/han-variants.ts'
import { porterStem } from '../store/search-index/porter-stem.ts'

/** Each entry: words that mean the same, in any language. */
export type AliasTable = readonly (readonly string[])[]

const ALIAS_WEIGHT = 0.5
/** Terms added to one question. */
const MAX_EXPANSIONS = 16

interface Meaning {
  /** Place of the entry in the table. */
  readonly entry: number
  readonly stems: readonly string[]
}

export interface AliasLookup {
  readonly table: AliasTable
  /** Meanings whose first stem is this one. */
  meaningsOf(stem: string): readonly Meaning[]
  /** Entries of which these characters without spaces are a word. */
  entriesOf(run: string): readonly number[]
  /** Characters of the longest such word. */
  longestRun(): number
}

/** Cheap on purpose, since a hook pays for it: words are stemmed or folded when a question could mean one of them. */
export function createAliasLookup(table: AliasTable): AliasLookup {
  const stems = createStemLookup(table)
  let runs: RunLookup | null = null
  const made = () => {
    runs ??= createRunLookup(table)
    return runs
  }
  return {
    table,
    meaningsOf: stems,
    entriesOf: (run) => made().entries.get(run) ?? [],
    longestRun: () => made().longest,
  }
}

type Word = readonly [entry: number, word: string]

/** Stemming changes how a word ends, so the words that may begin with a stem are those of its first letter. */
function createStemLookup(table: AliasTable): AliasLookup['meaningsOf'] {
  const plain = new Map<string, Word[]>()
  const odd: Word[] = []
  for (const [entry, words] of table.entries())
    for (const word of words) {
      if (PLAIN_WORDS.test(word)) put(plain, word.charAt(0), [entry, word])
      else if (runOf(word) === null) odd.push([entry, word])
    }
  const known = new Map<string, readonly Meaning[]>()
  return (stem) => {
    const found = known.get(stem) ?? meaningsWith(stem, [...(plain.get(stem.charAt(0)) ?? []), ...odd])
    known.set(stem, found)
    return found
  }
}

/** In the order of the table. */
function meaningsWith(stem: string, words: readonly Word[]): readonly Meaning[] {
  return words
    .map(([entry, word]) => ({ entry, stems: stemsOf(word) }))
    .filter(({ stems }) => stems[0] === stem)
    .sort((one, other) => one.entry - other.entry)
}

interface RunLookup {
  readonly entries: ReadonlyMap<string, readonly number[]>
  readonly longest: number
}

function createRunLookup(table: AliasTable): RunLookup {
  const entries = new Map<string, number[]>()
  let longest = 1
  for (const [entry, words] of table.entries())
    for (const word of words) {
      const run = runOf(word)
      if (run === null) continue
      put(entries, run, entry)
      longest = Math.max(longest, [...run].length)
    }
  return { entries, longest }
}

function put<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const known = map.get(key)
  if (known) known.push(value)
  else map.set(key, [value])
}

/** The characters of a word that is one run without spaces, else null. */
function runOf(word: string): string | null {
  if (/^[\x20-\x7e]*$/.test(word)) return null
  if (/^[\u4e00-\u9fff]+$/.test(word)) return foldHanVariants(word)
  const folded = foldText(word).trim()
  const [piece, ...others] = piecesOf(folded)
  if (piece?.kind !== 'run' || others.length > 0) return null
  return piece.characters.join('')
}

const PLAIN_WORDS = /^[a-z0-9]+(?:[ -][a-z0-9]+)*$/

function stemsOf(word: string): readonly string[] {
  return PLAIN_WORDS.test(word) ? word.split(/[ -]/).map(porterStem) : analyseText(word).words
}

/** A match in the question: terms `from` to `to` (not included) mean this entry. */
export interface AliasMatch {
  readonly entry: number
  readonly from: number
  readonly to: number
}

/** Longest matches, left to right, in consecutive stems. */
export function matchStems(stems: readonly string[], lookup: AliasLookup): AliasMatch[] {
  const found: AliasMatch[] = []
  for (let from = 0; from < stems.length; from++) {
    const here = lookup
      .meaningsOf(stems[from] ?? '')
      .filter((meaning) => meaning.stems.every((stem, step) => stems[from + step] === stem))
    const longest = Math.max(0, ...here.map((meaning) => meaning.stems.length))
    for (const { entry, stems: words } of here)
      if (words.length === longest) found.push({ entry, from, to: from + longest })
    if (longest > 1) from += longest - 1
  }
  return found
}

/** Longest matches, left to right, in the characters of a run. */
export function matchRun(characters: readonly string[], lookup: AliasLookup): AliasMatch[] {
  const found: AliasMatch[] = []
  const longest = lookup.longestRun()
  for (let from = 0; from < characters.length; from++) {
    for (let size = Math.min(longest, characters.length - from); size > 0; size--) {
      // One character of a longer run is seldom the word that it is alone: 类 in 人类.
      if (size === 1 && characters.length > 1) break
      const entries = lookup.entriesOf(characters.slice(from, from + size).join(''))
      if (entries.length === 0) continue
      for (const entry of entries) found.push({ entry, from, to: from + size })
      from += size - 1
      break
    }
  }
  return found
}

export interface ExpandedTerm {
  readonly kind: 'word' | 'gram'
  readonly text: string
  readonly weight: number
  readonly group: number
  readonly standsFor: number
}

/** The terms to add for these meanings; `present` terms of the question itself are left out. */
export function expandMeanings(
  meanings: readonly { readonly entry: number; readonly group: number }[],
  lookup: AliasLookup,
  present: ReadonlySet<string>,
): ExpandedTerm[] {
  const added = new Map<string, ExpandedTerm>()
  for (const { entry, group } of meanings) {
    for (const alias of lookup.table[entry] ?? []) {
      const { words, grams } = termsOf(alias)
      const share = 1 / (words.length + grams.length)
      for (const [kind, terms] of [
        ['word', words],
        ['gram', grams],
      ] as const)
        for (const text of terms) {
          if (present.has(text) || added.has(text) || added.size >= MAX_EXPANSIONS) continue
          added.set(text, { kind, text, weight: ALIAS_WEIGHT, group, standsFor: share })
        }
    }
  }
  return [...added.values()]
}

function termsOf(alias: string): { words: readonly string[]; grams: readonly string[] } {
  const { words, grams } = analyseText(alias)
  return { words, grams: grams.length === 1 ? grams : grams.filter((gram) => !isSingle(gram)) }
}
