/** Where the atoms of a query stand in a row whose terms are at hand: the memory driver, and notes changed on disk. */
import type { Atom } from './atoms.ts'
import type { RowTerms } from './row-terms.ts'
import {
  type Found,
  IN_BODY,
  IN_HEAD,
  isFound,
  judge,
  judgeTerms,
  NOWHERE,
  type ScopeStatistics,
  type WeighedAtom,
} from './scoring.ts'
import type { RowJudgement } from './search-index.ts'

/** A row with its terms as sets, for many queries. */
export interface SearchableRow extends RowTerms {
  readonly sets: readonly ReadonlySet<string>[]
}

export function searchable(terms: RowTerms): SearchableRow {
  return { ...terms, sets: terms.columns.map((column) => new Set(column)) }
}

/** One entry for each atom, in their order. */
export function findAtoms(atoms: readonly Atom[], row: SearchableRow): Found[] {
  return atoms.map((atom) => {
    const at = row.columns.findIndex((_, column) => columnHolds(atom, row, column))
    if (at < 0) return NOWHERE
    return at < row.headColumns ? IN_HEAD : IN_BODY
  })
}

function columnHolds({ kind, terms }: Atom, row: SearchableRow, at: number): boolean {
  const [first = ''] = terms
  const set = row.sets[at]
  const column = row.columns[at]
  if (!set || !column || set.size === 0) return false
  if (kind === 'prefix') {
    for (const term of set) if (term.startsWith(first)) return true
    return false
  }
  if (kind !== 'phrase') return set.has(first)
  return terms.every((term) => set.has(term)) && holdsRun(column, terms)
}

function holdsRun(column: readonly string[], terms: readonly string[]): boolean {
  const [first = ''] = terms
  for (let at = column.indexOf(first); at >= 0; at = column.indexOf(first, at + 1)) {
    if (terms.every((term, step) => column[at + step] === term)) return true
  }
  return false
}

/** Null when the row holds nothing of the query. */
export function judgeRow(
  atoms: readonly WeighedAtom[],
  row: SearchableRow,
  statistics: ScopeStatistics,
): RowJudgement | null {
  const found = findAtoms(atoms, row)
  if (!isFound(atoms, found)) return null
  return {
    ...judge(atoms, found, row.length, statistics),
    terms: judgeTerms(atoms, found, row.length, statistics),
  }
}
