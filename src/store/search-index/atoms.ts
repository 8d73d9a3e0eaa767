/**
 * A query as a bounded list of atoms: the smallest things that are looked up, each with its own document frequency.
 * The order of atoms is fixed by the query, so that sums of scores are the same floating-point numbers in each driver.
 */
import { isSingle } from './analyse.ts'
import type { IndexQuery } from './search-index.ts'

/** FTS5's cost grows with the commonest words, so only the rarest of a long query are scored. */
export const MAX_WORD_ATOMS = 8
/** Kept of all kinds: a row's finds are one base-3 number (`sqlite-search.ts`), exact up to 33 digits. */
export const MAX_KEPT_ATOMS = 32
/** Atoms that are looked up at all: the index is asked for the frequency of each. */
export const MAX_ATOMS = 96
/** A phrase counts as much as this many words of its rarity. */
const PHRASE_WEIGHT = 1.5

export interface Atom {
  readonly kind: 'word' | 'gram' | 'prefix' | 'phrase'
  /** The terms that must stand together; one for all kinds but `phrase`. For `prefix` the beginning of a term. */
  readonly terms: readonly string[]
  readonly weight: number
  /** Atoms of one group say the same thing; coverage counts it once. Null: not part of coverage. */
  readonly group: number | null
  readonly standsFor: number | null
  readonly emphasis: number
}

export function atomsOf(query: IndexQuery): Atom[] {
  const atoms: Atom[] = []
  const ungrouped = 1_000_000
  const add = (atom: Omit<Atom, 'emphasis'> & { emphasis?: number }) => {
    if (atom.terms.length > 0 && atoms.length < MAX_ATOMS) atoms.push({ ...atom, emphasis: atom.emphasis ?? 1 })
  }
  for (const { words, grams } of query.phrases) {
    for (const terms of [words, grams])
      if (terms.length > 1) add({ kind: 'phrase', terms, weight: PHRASE_WEIGHT, group: null, standsFor: null })
  }
  const place = () => ungrouped + atoms.length
  for (const text of query.prefixes) add({ kind: 'prefix', terms: [text], weight: 1, group: place(), standsFor: null })
  for (const [kind, terms] of [
    ['word', query.words],
    ['gram', query.grams],
  ] as const) {
    for (const { text, weight, group, standsFor, emphasis } of terms) {
      const single = kind === 'gram' && isSingle(text)
      add({
        kind: single ? 'prefix' : kind,
        terms: [text],
        weight,
        group: group ?? place(),
        standsFor: standsFor ?? null,
        emphasis,
      })
    }
  }
  return atoms
}
