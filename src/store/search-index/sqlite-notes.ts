/** Rows of notes in index.db: what lists need as JSON, what searching filters as columns, words in `notes_fts`. */
import { comparableName } from '../../util/index.ts'
import type { SqliteDatabase, SqliteRow } from '../sqlite/sqlite-port.ts'
import { judgeRow, searchable } from './match-row.ts'
import { compareNotes, compareText } from './row-order.ts'
import { hasSameWords, noteColumns, noteTerms } from './row-terms.ts'
import type {
  IndexedNote,
  IndexedNoteRow,
  IndexHit,
  IndexQuery,
  NoteFilter,
  NoteText,
  RowJudgement,
} from './search-index.ts'
import { countRows, findScopeId, findScopes, type Scope, scopeId } from './sqlite-scopes.ts'
import { findPostings, rankRows, type SearchedTable } from './sqlite-search.ts'
import { keptVector, removeVector } from './sqlite-vectors.ts'

const table: SearchedTable = {
  name: 'notes_fts',
  kind: 'notes',
  columns: noteColumns,
  headColumns: noteColumns.slice(0, 2),
}

/** Inside a transaction. Words are written again only when the text of a note changed. */
export function putNoteRows(
  database: SqliteDatabase,
  layer: string,
  notes: readonly IndexedNote[],
  removedFiles: readonly string[],
): void {
  const scope = scopeId(database, 'notes', layer)
  for (const file of removedFiles) removeRow(database, scope, file)
  for (const note of notes) putRow(database, scope, { ...note, layer })
}

interface StoredNote {
  readonly id: number
  readonly searchable: number
  readonly length: number
  readonly row: IndexedNoteRow
}

function storedNote(database: SqliteDatabase, scope: number, file: string): StoredNote | null {
  const found = database
    .prepare('SELECT id, searchable, length, data FROM notes WHERE scope = ? AND file = ?')
    .get(scope, file)
  return found
    ? { id: Number(found.id), searchable: Number(found.searchable), length: Number(found.length), row: rowFrom(found) }
    : null
}

function removeRow(database: SqliteDatabase, scope: number, file: string): void {
  const stored = storedNote(database, scope, file)
  if (!stored) return
  database.prepare('DELETE FROM notes WHERE id = ?').run(stored.id)
  removeVector(database, 'notes', stored.id)
  if (stored.searchable === 0) return
  database.prepare('DELETE FROM notes_fts WHERE rowid = ?').run(stored.id)
  countRows(database, scope, { rows: -1, length: -stored.length })
}

function putRow(database: SqliteDatabase, scope: number, note: IndexedNote): void {
  const { body: _, ...row } = note
  const stored = storedNote(database, scope, note.file)
  if (stored && hasSameText(stored.row, row)) {
    database
      .prepare('UPDATE notes SET status = ?, type = ?, updated = ?, mutes = ?, data = ? WHERE id = ?')
      .run(note.status, note.type, note.updated ?? '', flag(note.mutes), JSON.stringify(row), stored.id)
    return
  }
  const kept = stored && hasSameWords(stored.row, row) ? keptVector(database, 'notes', stored.id) : null
  removeRow(database, scope, note.file)
  const terms = noteTerms(note)
  const isSearchable = note.withheld === null
  const { lastInsertRowid: id } = database
    .prepare(
      `INSERT INTO notes (scope, file, status, type, updated, searchable, length, name, mutes, aliases, data)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      scope,
      note.file,
      note.status,
      note.type,
      note.updated ?? '',
      isSearchable ? 1 : 0,
      terms.length,
      comparableName(note.name),
      flag(note.mutes),
      flag(note.aliases),
      JSON.stringify(row),
    )
  if (!isSearchable) return
  database
    .prepare('INSERT INTO notes_fts (rowid, scope, name, description, body, grams) VALUES (?, ?, ?, ?, ?, ?)')
    .run(id, `s${scope}`, ...terms.columns.map((column) => column.join(' ')))
  countRows(database, scope, { rows: 1, length: terms.length })
  kept?.giveTo(id)
}

/** The hash is that of the file; what is masked or withheld may change with our rules, so those are compared too. */
function hasSameText(stored: IndexedNoteRow, row: IndexedNoteRow): boolean {
  return stored.hash === row.hash && hasSameWords(stored, row)
}

function flag(list: readonly string[]): 0 | 1 {
  return list.length > 0 ? 1 : 0
}

export function noteRowsOf(database: SqliteDatabase, layer: string): IndexedNoteRow[] {
  const scope = findScopeId(database, 'notes', layer)
  if (scope === null) return []
  const stored = database.prepare('SELECT data FROM notes WHERE scope = ? ORDER BY file').all(scope)
  return stored.map(rowFrom).filter((row) => row.layer === layer)
}

function rowFrom(stored: SqliteRow): IndexedNoteRow {
  // Evidence: written by putRow of this version, from an IndexedNoteRow; another version is emptied when opened.
  return JSON.parse(String(stored.data)) as IndexedNoteRow
}

/** Through the two small indexes: a layer of thousands is not read. */
export function silencerRows(
  database: SqliteDatabase,
  keys: readonly string[],
  names: readonly string[],
): IndexedNoteRow[] {
  const scopes = findScopes(database, 'notes', keys)
  const wanted = JSON.stringify([...new Set(names.map(comparableName))])
  // One SELECT for each index: a UNION of both would be sorted by file, through the index that holds the whole layer.
  const active = "searchable = 1 AND status = 'active'"
  const named = `SELECT data FROM notes WHERE scope = ? AND name IN (SELECT value FROM json_each(?)) AND ${active}`
  const muting = `SELECT data FROM notes WHERE scope = ? AND mutes = 1 AND ${active}`
  const rows = scopes.flatMap(({ id, key }) => {
    const found = [...database.prepare(named).all(id, wanted), ...database.prepare(muting).all(id)].map(rowFrom)
    const byFile = new Map(found.map((row) => [row.file, row]))
    return [...byFile.values()].filter((row) => row.layer === key)
  })
  return rows.sort((one, other) => compareText(one.layer, other.layer) || compareText(one.file, other.file))
}

/** Through a small index of their own: most notes have no aliases. */
export function aliasedRows(database: SqliteDatabase, keys: readonly string[], limit: number): IndexedNoteRow[] {
  const rows = findScopes(database, 'notes', keys).flatMap(({ id, key }) =>
    database
      .prepare(
        `SELECT data FROM notes WHERE scope = ? AND aliases = 1 AND searchable = 1 AND status = 'active'
         ORDER BY updated DESC, file LIMIT ?`,
      )
      .all(id, limit)
      .map(rowFrom)
      .filter((row) => row.layer === key),
  )
  return rows.sort(compareNotes).slice(0, limit)
}

export function searchNoteRows(
  database: SqliteDatabase,
  {
    query,
    scopes: keys,
    limit,
    filter,
  }: { query: IndexQuery; scopes: readonly string[]; limit: number; filter: NoteFilter },
): IndexHit<IndexedNoteRow>[] {
  const scopes = findScopes(database, 'notes', keys)
  const keyOf = new Map(scopes.map((scope) => [scope.id, scope.key]))
  const ranked = rankRows<FoundNote>({
    table,
    postings: findPostings(database, table, query, scopes),
    limit,
    fetch: (ids, most) => fetchNotes(database, { ids, most, filter, keyOf }),
    order: compareNotes,
  })
  const rows = rowsById(
    database,
    ranked.map(({ row }) => row.id),
  )
  return ranked.flatMap(({ row: { id, layer }, judgement }) => {
    const reference = rows.get(id)
    return reference?.layer === layer ? [{ reference, ...judgement }] : []
  })
}

export function rowsById(database: SqliteDatabase, ids: readonly number[]): Map<number, IndexedNoteRow> {
  const stored = database
    .prepare('SELECT n.id, n.data FROM json_each(?) AS wanted JOIN notes AS n ON n.id = wanted.value')
    .all(JSON.stringify(ids))
  return new Map(stored.map((row) => [Number(row.id), rowFrom(row)]))
}

interface FoundNote {
  readonly id: number
  readonly length: number
  readonly layer: string
  readonly file: string
  readonly updated: string
}

interface NoteFetch {
  readonly ids: readonly number[]
  readonly most: number
  readonly filter: NoteFilter
  /** The scopes that were asked for: a row of any other one is dropped. */
  readonly keyOf: ReadonlyMap<number, string>
}

export function fetchNotes(database: SqliteDatabase, { ids, most, filter, keyOf }: NoteFetch): FoundNote[] {
  const { status = null, type = null, tag = null, changedFrom = null, changedBefore = null } = filter
  const found = database
    .prepare(
      `SELECT n.id, n.scope, n.file, n.updated, n.length
       FROM json_each(?) AS wanted
       JOIN notes AS n ON n.id = wanted.value
       JOIN scopes AS s ON s.id = n.scope
       WHERE n.searchable = 1
         AND (? IS NULL OR n.status = ?)
         AND (? IS NULL OR n.type = ?)
         AND (? IS NULL OR n.updated >= ?)
         AND (? IS NULL OR (n.updated <> '' AND n.updated < ?))
         AND (? IS NULL OR EXISTS (SELECT 1 FROM json_each(n.data, '$.tags') AS t WHERE t.value = ?))
       ORDER BY n.length, n.updated DESC, s.key, n.file
       LIMIT ?`,
    )
    .all(
      ...[JSON.stringify(ids), status, status, type, type],
      ...[changedFrom, changedFrom, changedBefore, changedBefore, tag, tag, most],
    )
  return found.flatMap(({ id, scope, length, file, updated }) => {
    const layer = keyOf.get(Number(scope))
    if (layer === undefined) return []
    return [{ id: Number(id), length: Number(length), layer, file: String(file), updated: String(updated) }]
  })
}

/** Judges a note that is not, or not so, in the index. */
export function judgeNoteText(
  database: SqliteDatabase,
  query: IndexQuery,
  keys: readonly string[],
  note: NoteText,
): RowJudgement | null {
  const scopes: Scope[] = findScopes(database, 'notes', keys)
  const { atoms, statistics } = findPostings(database, table, query, scopes)
  return judgeRow(atoms, searchable(noteTerms(note)), statistics)
}
