/**
 * Finds and ranks rows of one FTS5 table. FTS5 only answers which rows of the scopes hold an atom; rows that hold the
 * same atoms form a group, within which the shorter row scores higher, so groups are taken best first and only as many
 * rows are read as can still come among the first. The result is exact, not a sample.
 */
import type { SqliteDatabase } from '../sqlite/sqlite-port.ts'
import { type Atom, atomsOf } from './atoms.ts'
import {
  type Found,
  IN_BODY,
  IN_HEAD,
  isFound,
  type Judgement,
  judge,
  judgeTerms,
  NOWHERE,
  type ScopeStatistics,
  scoreOf,
  type WeighedAtom,
  weighAtoms,
} from './scoring.ts'
import type { IndexQuery, RowJudgement } from './search-index.ts'
import { countAllRows, type Scope, type ScopeKind, statisticsOf } from './sqlite-scopes.ts'

/** From this share of all rows on, scopes are asked for once and not for every atom; not at all when they are all rows. */
const BROAD_SHARE = 0.2
/** Groups are read together until there are this many rows in a batch. */
const BATCH_ROWS = 64

export interface SearchedTable {
  readonly name: 'notes_fts' | 'messages_fts'
  readonly kind: ScopeKind
  readonly columns: readonly string[]
  readonly headColumns: readonly string[]
}

/** The atoms of a query, weighed among the rows of these scopes, with the rows that hold each. */
export interface Postings {
  readonly atoms: readonly WeighedAtom[]
  readonly statistics: ScopeStatistics
  /** For each atom the ids of rows that hold it. */
  readonly ids: readonly (readonly number[])[]
  /** For an atom the ids of rows that hold it in these columns. */
  readonly lookUp: LookUp
}

type LookUp = (atom: Atom, columns: readonly string[]) => readonly number[]

export function findPostings(
  database: SqliteDatabase,
  table: SearchedTable,
  query: IndexQuery,
  scopes: readonly Scope[],
): Postings {
  const statistics = statisticsOf(scopes)
  const all = scopes.length === 0 ? [] : atomsOf(query)
  const lookUp = createLookUp(database, table, scopes, all)
  const lists = all.map((atom) => lookUp(atom, table.columns))
  const frequencies = lists.map((list) => list.length)
  const atoms = weighAtoms(all, frequencies, statistics.rows)
  return { atoms, statistics, ids: atoms.map((atom) => lists[atom.place] ?? []), lookUp }
}

/**
 * Two ways to the same rows. Where the scopes are a small part of the table, each lookup asks for them. Where they are
 * most of it, walking them again for every atom is what costs, so they are asked for once, with all atoms, and the
 * lists of single atoms are narrowed to that answer.
 */
function createLookUp(
  database: SqliteDatabase,
  table: SearchedTable,
  scopes: readonly Scope[],
  atoms: readonly Atom[],
): LookUp {
  const select = `SELECT json_group_array(rowid) AS ids FROM ${table.name} WHERE ${table.name} MATCH ?`
  const match = (expression: string): number[] =>
    JSON.parse(String(database.prepare(select).get(expression)?.ids ?? '[]'))
  const inScopes = `scope : (${scopes.map(({ id }) => `s${id}`).join(' OR ')})`
  // Both sides stand in parentheses: `scope:s1 AND a OR b` would answer with other scopes.
  const inColumns = (columns: readonly string[], expression: string) => `{${columns.join(' ')}} : (${expression})`
  const rows = scopes.reduce((sum, scope) => sum + scope.rows, 0)
  const allRows = countAllRows(database, table.kind)
  if (rows === allRows) return (atom, columns) => match(inColumns(columns, expressionOf(atom)))
  if (atoms.length === 0 || rows < allRows * BROAD_SHARE)
    return (atom, columns) => match(`${inScopes} AND ${inColumns(columns, expressionOf(atom))}`)
  const any = atoms
    .filter((atom) => atom.emphasis > 0)
    .map(expressionOf)
    .join(' OR ')
  const allowed = new Set(match(`${inScopes} AND ${inColumns(table.columns, any)}`))
  return (atom, columns) => match(inColumns(columns, expressionOf(atom))).filter((id) => allowed.has(id))
}

/** Terms are letters, digits and marks, so quoting is a second lock, not the first. */
function expressionOf({ kind, terms }: Atom): string {
  const quoted = `"${terms.join(' ').replaceAll('"', '""')}"`
  return kind === 'prefix' ? `${quoted} *` : quoted
}

export interface RankedRow<Row> {
  readonly row: Row
  readonly judgement: RowJudgement
}

interface Group {
  readonly found: readonly Found[]
  readonly ids: number[]
  /** No row of the group can score more. */
  readonly bound: number
}

export interface RankOptions<Row> {
  readonly table: SearchedTable
  readonly postings: Postings
  readonly limit: number
  /** Rows of these ids that may be returned, shortest first, then by the total order of hits; at most `limit`. */
  readonly fetch: (ids: readonly number[], limit: number) => readonly Row[]
  readonly order: (left: Row, right: Row) => number
  /** Ids among which the `limit` shortest rows of a group are, found without reading each of a large one. */
  readonly shortest?: (group: ReadonlySet<number>, limit: number) => readonly number[]
}

/** The first `limit` rows in the total order of hits. */
export function rankRows<Row extends { readonly id: number; readonly length: number }>(
  options: RankOptions<Row>,
): RankedRow<Row>[] {
  const { postings, limit, fetch, order } = options
  const { atoms, statistics } = postings
  const groups = groupRows(options)
  let best: (Omit<RankedRow<Row>, 'judgement'> & { judgement: Judgement; found: readonly Found[] })[] = []
  for (const batch of batchesOf(groups)) {
    const last = best.length >= limit ? best[limit - 1] : undefined
    if (last && last.judgement.score > (batch[0]?.bound ?? 0)) break
    const foundOf = new Map(batch.flatMap(({ ids, found }) => ids.map((id) => [id, found] as const)))
    // Only a batch of one group is ordered by length alone, so only there may the rest be left unread.
    const rows =
      batch.length === 1 ? fetch(shortestOf(foundOf, options), limit) : fetch([...foundOf.keys()], foundOf.size)
    const ranked = rows.map((row) => {
      const found = foundOf.get(row.id) ?? []
      return { row, found, judgement: judge(atoms, found, row.length, statistics) }
    })
    best = [...best, ...ranked]
      .sort((left, right) => right.judgement.score - left.judgement.score || order(left.row, right.row))
      .slice(0, limit)
  }
  return best.map(({ row, found, judgement }) => ({
    row,
    judgement: { ...judgement, terms: judgeTerms(atoms, found, row.length, statistics) },
  }))
}

/**
 * The ids of one group that can be among its `limit` shortest. Walking all rows of the scopes by length meets one of the
 * group every rows / size steps, which is less than reading the group where it is large.
 */
function shortestOf<Row>(group: ReadonlyMap<number, unknown>, options: RankOptions<Row>): readonly number[] {
  const { postings, limit, shortest } = options
  const isLarge = group.size ** 2 > limit * postings.statistics.rows
  return shortest && isLarge ? shortest(new Set(group.keys()), limit) : [...group.keys()]
}

/** Rows by what they hold, best bound first. */
function groupRows<Row>({ table, postings }: RankOptions<Row>): Group[] {
  const { atoms, statistics, ids, lookUp } = postings
  const codes = new Map<number, number>()
  const add = (list: readonly number[], step: number) => {
    for (const id of list) codes.set(id, (codes.get(id) ?? 0) + step)
  }
  // One digit of base 3 for each known atom; weighAtoms keeps so few that the code stays an exact number.
  let step = 1
  const known = atoms.flatMap((atom, at) => (atom.frequency > 0 ? [{ atom, at }] : []))
  for (const { atom, at } of known) {
    add(ids[at] ?? [], step * IN_BODY)
    if (table.headColumns.length > 0) add(lookUp(atom, table.headColumns), step * (IN_HEAD - IN_BODY))
    step *= 3
  }
  const groups = new Map<number, Group>()
  for (const [id, code] of codes) {
    const group = groups.get(code)
    if (group) group.ids.push(id)
    else {
      const found = decode(code, known, atoms.length)
      groups.set(code, { found, ids: [id], bound: scoreOf(atoms, found, 0, statistics) })
    }
  }
  return [...groups.values()]
    .filter(({ found }) => isFound(atoms, found))
    .sort((left, right) => right.bound - left.bound)
}

function decode(code: number, known: readonly { readonly at: number }[], size: number): Found[] {
  const found = new Array<Found>(size).fill(NOWHERE)
  let rest = code
  for (const { at } of known) {
    const digit = rest % 3
    found[at] = digit === IN_HEAD ? IN_HEAD : digit === IN_BODY ? IN_BODY : NOWHERE
    rest = Math.floor(rest / 3)
  }
  return found
}

/** Small groups together, in order of their bounds; a large one alone. */
function* batchesOf(groups: readonly Group[]): Generator<Group[]> {
  let batch: Group[] = []
  let size = 0
  for (const group of groups) {
    if (batch.length > 0 && size + group.ids.length > BATCH_ROWS) {
      yield batch
      batch = []
      size = 0
    }
    batch.push(group)
    size += group.ids.length
  }
  if (batch.length > 0) yield batch
}
