/** Search by meaning in index.db: which rows lack a vector, and which lie nearest. Every hit's scope is compared again. */
import type { SqliteDatabase } from '../sqlite/sqlite-port.ts'
import { type NearRows, spreadOf, unitFor } from './nearest.ts'
import { compareMessages, compareNotes } from './row-order.ts'
import type { IndexedNoteRow, NoteFilter } from './search-index.ts'
import { fetchMessages, findSessionId, rowId } from './sqlite-messages.ts'
import { fetchNotes, rowsById } from './sqlite-notes.ts'
import { MESSAGES_PER_SESSION } from './sqlite-schema.ts'
import { findScopeId, findScopes, type Scope, type ScopeKind } from './sqlite-scopes.ts'
import { beginModel, dropModel, findModel, type HeldVectors, holdVectors, putVector } from './sqlite-vectors.ts'
import { fromStored } from './stored-text.ts'
import type {
  MessagePlace,
  Nearest,
  NotePlace,
  VectorCount,
  VectorIndex,
  VectorQuery,
  WithVector,
} from './vector-index.ts'

/** Rows that are looked at first; a narrow filter may want more. */
const FIRST_LOOK = 200

export function createSqliteVectorIndex(database: SqliteDatabase): VectorIndex {
  const held = holdVectors(database)
  return {
    model(name) {
      const found = findModel(database, name)
      return found && { name, dimensions: found.dimensions, spaced: found.spaced, unspaced: found.unspaced }
    },
    beginModel: (model) => database.transaction(() => beginModel(database, model)),
    dropModel: (name) => database.transaction(() => dropModel(database, name)),
    putNotes: (model, vectors) => database.transaction(() => putNoteVectors(database, model, vectors)),
    putMessages: (model, vectors) => database.transaction(() => putMessageVectors(database, model, vectors)),
    missingNotes: (model, layers, limit) => missingNotes(database, model, layers, limit),
    missingMessages: (model, scopes, limit) => missingMessages(database, model, scopes, limit),
    countNotes: (model, layers) => countRows(database, 'notes', model, findScopes(database, 'notes', layers)),
    countMessages: (model, scopes) => countRows(database, 'messages', model, findScopes(database, 'messages', scopes)),
    searchNotes: (query, scopes, limit, filter = {}) => searchNotes(database, held, { query, scopes, limit, filter }),
    searchMessages: (query, scopes, limit) => searchMessages(database, held, { query, scopes, limit }),
  }
}

function putNoteVectors(database: SqliteDatabase, name: string, vectors: readonly WithVector<NotePlace>[]): void {
  const model = findModel(database, name)
  const select = database.prepare('SELECT id, data FROM notes WHERE scope = ? AND file = ? AND searchable = 1')
  for (const { layer, file, hash, vector } of vectors) {
    const stamped = unitFor(model, vector)
    const scope = findScopeId(database, 'notes', layer)
    const row = scope === null ? undefined : select.get(scope, file)
    if (scope === null || !row || hashOf(row.data) !== hash) continue
    putVector(database, 'notes', { id: Number(row.id), scope }, stamped)
  }
}

function hashOf(data: unknown): string {
  // Evidence: written by putRow of this version, from an IndexedNoteRow.
  return (JSON.parse(String(data)) as IndexedNoteRow).hash
}

function putMessageVectors(database: SqliteDatabase, name: string, vectors: readonly WithVector<MessagePlace>[]): void {
  const model = findModel(database, name)
  const select = database.prepare('SELECT scope FROM messages WHERE id = ?')
  for (const { session, ordinal, vector } of vectors) {
    const stamped = unitFor(model, vector)
    const number = findSessionId(database, session)
    const id = number === null ? null : rowId(number, ordinal)
    const row = id === null ? undefined : select.get(id)
    if (id === null || !row) continue
    putVector(database, 'messages', { id, scope: Number(row.scope) }, stamped)
  }
}

/** A row of this model's vectors; the rest is missing. */
const UNMADE = (kind: ScopeKind) =>
  `NOT EXISTS (SELECT 1 FROM ${kind}_vectors AS v WHERE v.id = row.id AND v.model = ?)`
const WANTED = { notes: "row.searchable = 1 AND row.status = 'active'", messages: '1' } as const

function missingNotes(database: SqliteDatabase, name: string, layers: readonly string[], limit: number): NotePlace[] {
  const model = findModel(database, name)?.id ?? 0
  const places: NotePlace[] = []
  for (const { id, key } of findScopes(database, 'notes', layers)) {
    const rows = database
      .prepare(
        `SELECT row.data FROM notes AS row WHERE row.scope = ? AND ${WANTED.notes} AND ${UNMADE('notes')}
         ORDER BY row.id DESC LIMIT ?`,
      )
      .all(id, model, limit - places.length)
    for (const { data } of rows) {
      // Evidence: as above.
      const { layer, file, hash } = JSON.parse(String(data)) as IndexedNoteRow
      if (layer === key) places.push({ layer, file, hash })
    }
  }
  return places
}

function missingMessages(
  database: SqliteDatabase,
  name: string,
  scopes: readonly string[],
  limit: number,
): MessagePlace[] {
  const model = findModel(database, name)?.id ?? 0
  const wanted = JSON.stringify(findScopes(database, 'messages', scopes).map(({ id }) => id))
  return database
    .prepare(
      `SELECT row.id, s.key AS session FROM messages AS row JOIN sessions AS s ON s.id = row.id / ${MESSAGES_PER_SESSION}
       WHERE row.scope IN (SELECT value FROM json_each(?)) AND ${UNMADE('messages')}
       ORDER BY row.id LIMIT ?`,
    )
    .all(wanted, model, limit)
    .map(({ id, session }) => ({
      session: fromStored(String(session)),
      ordinal: Number(id) % MESSAGES_PER_SESSION,
    }))
}

function countRows(database: SqliteDatabase, kind: ScopeKind, name: string, scopes: readonly Scope[]): VectorCount {
  const model = findModel(database, name)?.id ?? 0
  const wanted = JSON.stringify(scopes.map(({ id }) => id))
  const counted = database
    .prepare(
      `SELECT count(*) AS rows, coalesce(sum(${UNMADE(kind)}), 0) AS missing FROM ${kind} AS row
       WHERE row.scope IN (SELECT value FROM json_each(?)) AND ${WANTED[kind]}`,
    )
    .get(model, wanted)
  const of = Number(counted?.rows ?? 0)
  return { done: of - Number(counted?.missing ?? 0), of }
}

function searchNotes(
  database: SqliteDatabase,
  held: HeldVectors,
  {
    query,
    scopes: keys,
    limit,
    filter,
  }: { query: VectorQuery; scopes: readonly string[]; limit: number; filter: NoteFilter },
): Nearest<IndexedNoteRow> {
  const scopes = findScopes(database, 'notes', keys)
  const keyOf = new Map(scopes.map((scope) => [scope.id, scope.key]))
  const { found, ...compared } = nearestAllowed(
    (count) => held.nearest('notes', query, [...keyOf.keys()], count),
    (ids) => fetchNotes(database, { ids, most: ids.length, filter, keyOf }),
    limit,
  )
  const wanted = found
    .sort((left, right) => right.similarity - left.similarity || compareNotes(left.row, right.row))
    .slice(0, limit)
  const rows = rowsById(
    database,
    wanted.map(({ row }) => row.id),
  )
  const hits = wanted.flatMap(({ row: { id, layer }, similarity }) => {
    const reference = rows.get(id)
    return reference?.layer === layer ? [{ reference, similarity }] : []
  })
  return { hits, ...compared }
}

function searchMessages(
  database: SqliteDatabase,
  held: HeldVectors,
  { query, scopes: keys, limit }: { query: VectorQuery; scopes: readonly string[]; limit: number },
): Nearest<MessagePlace> {
  const wanted = new Set(findScopes(database, 'messages', keys).map(({ id }) => id))
  const { found, ...compared } = nearestAllowed(
    (count) => held.nearest('messages', query, [...wanted], count),
    (ids) => fetchMessages(database, { ids, most: ids.length, wanted }),
    limit,
  )
  const hits = found
    .sort((left, right) => right.similarity - left.similarity || compareMessages(left.row, right.row))
    .slice(0, limit)
    .map(({ row: { session, ordinal }, similarity }) => ({ reference: { session, ordinal }, similarity }))
  return { hits, ...compared }
}

/** Looks further out until enough rows may be returned, or there are no more. */
function nearestAllowed<Row extends { readonly id: number }>(
  nearest: (count: number) => NearRows | null,
  fetch: (ids: readonly number[]) => readonly Row[],
  limit: number,
) {
  for (let count = Math.max(FIRST_LOOK, limit); ; count *= 8) {
    const { near, rows: compared, spread } = nearest(count) ?? NOTHING
    const similarityOf = new Map(near.map(({ id, similarity }) => [id, similarity]))
    const rows = fetch([...similarityOf.keys()])
    if (rows.length < limit && near.length >= count) continue
    const found = rows.map((row) => ({ row, similarity: similarityOf.get(row.id) ?? 0 }))
    return { found, rows: compared, spread }
  }
}

const NOTHING: NearRows = { near: [], rows: 0, spread: spreadOf([]) }
