/** Rows of messages in index.db: scope and length by row id, words in `messages_fts`. The text stays in sessions.db. */
import { MemoryError } from '../../errors.ts'
import type { SqliteDatabase } from '../sqlite/sqlite-port.ts'
import { compareMessages } from './row-order.ts'
import { messageColumns, messageTerms } from './row-terms.ts'
import type { IndexedMessage, IndexHit, IndexQuery } from './search-index.ts'
import { MESSAGES_PER_SESSION } from './sqlite-schema.ts'
import { countRows, findScopes, scopeId } from './sqlite-scopes.ts'
import { findPostings, rankRows, type SearchedTable } from './sqlite-search.ts'
import { removeVector } from './sqlite-vectors.ts'
import { fromStored, toStored } from './stored-text.ts'

const table: SearchedTable = { name: 'messages_fts', kind: 'messages', columns: messageColumns, headColumns: [] }

/** Inside a transaction. */
export function putMessageRows(database: SqliteDatabase, messages: readonly IndexedMessage[]): void {
  const changes = new Map<string, { rows: number; length: number }>()
  const added = new Map<string, number>()
  const sessions = new Map<string, number>()
  const scopes = new Map<string, number>()
  for (const message of messages) {
    const session = once(sessions, message.session, (key) => sessionId(database, key))
    const scope = once(scopes, message.scope, (key) => scopeId(database, 'messages', key))
    const id = rowId(session, message.ordinal)
    if (!removeRow(database, id)) added.set(message.session, (added.get(message.session) ?? 0) + 1)
    const length = insertRow(database, id, scope, message)
    const { rows, length: total } = changes.get(message.scope) ?? { rows: 0, length: 0 }
    changes.set(message.scope, { rows: rows + 1, length: total + length })
  }
  for (const [key, change] of changes) countRows(database, scopes.get(key) ?? 0, change)
  for (const [key, count] of added)
    database.prepare('UPDATE sessions SET messages = messages + ? WHERE key = ?').run(count, toStored(key))
}

function once(known: Map<string, number>, key: string, make: (key: string) => number): number {
  const id = known.get(key) ?? make(key)
  known.set(key, id)
  return id
}

export function rowId(session: number, ordinal: number): number {
  if (ordinal >= 0 && ordinal < MESSAGES_PER_SESSION) return session * MESSAGES_PER_SESSION + ordinal
  throw new MemoryError('INPUT_INVALID', 'A session is too long for the search index', { data: { field: 'ordinal' } })
}

/** Returns the length of the row. */
function insertRow(database: SqliteDatabase, id: number, scope: number, message: IndexedMessage): number {
  const terms = messageTerms(message)
  database.prepare('INSERT INTO messages (id, scope, length) VALUES (?, ?, ?)').run(id, scope, terms.length)
  database
    .prepare('INSERT INTO messages_fts (rowid, scope, speaker, body, grams) VALUES (?, ?, ?, ?, ?)')
    .run(id, `s${scope}`, ...terms.columns.map((column) => column.join(' ')))
  return terms.length
}

function removeRow(database: SqliteDatabase, id: number): boolean {
  const stored = database.prepare('SELECT scope, length FROM messages WHERE id = ?').get(id)
  if (!stored) return false
  database.prepare('DELETE FROM messages WHERE id = ?').run(id)
  database.prepare('DELETE FROM messages_fts WHERE rowid = ?').run(id)
  removeVector(database, 'messages', id)
  countRows(database, Number(stored.scope), { rows: -1, length: -Number(stored.length) })
  return true
}

export function findSessionId(database: SqliteDatabase, key: string): number | null {
  const found = database.prepare('SELECT id FROM sessions WHERE key = ?').get(toStored(key))
  return found ? Number(found.id) : null
}

function sessionId(database: SqliteDatabase, key: string): number {
  const found = findSessionId(database, key)
  return found ?? database.prepare('INSERT INTO sessions (key) VALUES (?)').run(toStored(key)).lastInsertRowid
}

/** Inside a transaction. */
export function removeSessionRows(database: SqliteDatabase, key: string): void {
  const session = findSessionId(database, key)
  if (session === null) return
  const first = session * MESSAGES_PER_SESSION
  const rows = database
    .prepare('SELECT id FROM messages WHERE id BETWEEN ? AND ?')
    .all(first, first + MESSAGES_PER_SESSION - 1)
  for (const { id } of rows) removeRow(database, Number(id))
  database.prepare('DELETE FROM sessions WHERE id = ?').run(session)
}

export function countMessages(database: SqliteDatabase, key: string): number {
  return Number(database.prepare('SELECT messages FROM sessions WHERE key = ?').get(toStored(key))?.messages ?? 0)
}

interface FoundMessage {
  readonly id: number
  readonly length: number
  readonly session: string
  readonly ordinal: number
}

export function searchMessageRows(
  database: SqliteDatabase,
  { query, scopes: keys, limit }: { query: IndexQuery; scopes: readonly string[]; limit: number },
): IndexHit<{ session: string; ordinal: number }>[] {
  const scopes = findScopes(database, 'messages', keys)
  const wanted = new Set(scopes.map((scope) => scope.id))
  const ranked = rankRows<FoundMessage>({
    table,
    postings: findPostings(database, table, query, scopes),
    limit,
    fetch: (ids, most) => fetchMessages(database, { ids, most, wanted }),
    order: compareMessages,
    shortest: (group, most) => scopes.flatMap(({ id }) => shortestMessages(database, id, { group, most })),
  })
  return ranked.map(({ row: { session, ordinal }, judgement }) => ({ reference: { session, ordinal }, ...judgement }))
}

const WALK_ROWS = 1_000

/** The shortest of a group in one scope, with all that are as long as the last of them. */
function shortestMessages(
  database: SqliteDatabase,
  scope: number,
  { group, most }: { group: ReadonlySet<number>; most: number },
): number[] {
  const next = database.prepare(
    `SELECT id, length FROM messages WHERE scope = ? AND (length, id) > (?, ?) ORDER BY length, id LIMIT ${WALK_ROWS}`,
  )
  const found: number[] = []
  let [length, id] = [-1, -1]
  for (;;) {
    const rows = next.all(scope, length, id)
    for (const row of rows) {
      // Only rows of one length more may still be wanted: the order among equals is not that of ids.
      if (found.length >= most && Number(row.length) > length) return found
      ;[length, id] = [Number(row.length), Number(row.id)]
      if (group.has(id)) found.push(id)
    }
    if (rows.length < WALK_ROWS) return found
  }
}

interface MessageFetch {
  readonly ids: readonly number[]
  readonly most: number
  /** The scopes that were asked for: a row of any other one is dropped. */
  readonly wanted: ReadonlySet<number>
}

export function fetchMessages(database: SqliteDatabase, { ids, most, wanted }: MessageFetch): FoundMessage[] {
  return database
    .prepare(
      `SELECT m.id, m.scope, m.length, s.key AS session
       FROM json_each(?) AS wanted
       JOIN messages AS m ON m.id = wanted.value
       JOIN sessions AS s ON s.id = m.id / ${MESSAGES_PER_SESSION}
       ORDER BY m.length, s.key, m.id
       LIMIT ?`,
    )
    .all(JSON.stringify(ids), most)
    .flatMap(({ id, scope, length, session }) => {
      if (!wanted.has(Number(scope))) return []
      const ordinal = Number(id) % MESSAGES_PER_SESSION
      return [{ id: Number(id), length: Number(length), session: fromStored(String(session)), ordinal }]
    })
}
