/**
 * Session store on sessions.db (canonical). Every write is one short `BEGIN IMMEDIATE` transaction; a message is kept
 * once, its place in a session is given once. Damage is SQLITE_CORRUPT with the file kept (sqlite/open-checked.ts).
 */
import type { Clock, Session } from '../../domain/index.ts'
import { migrate, refuseNewer } from '../sqlite/migrations.ts'
import { type CheckedDatabase, type OpenCheckedOptions, openChecked } from '../sqlite/open-checked.ts'
import type { SqliteDatabase } from '../sqlite/sqlite-port.ts'
import { clampLimit, count, listSessions } from './list-sessions.ts'
import { mergeSession, sessionNotFound, timeOf } from './merge-session.ts'
import { toSession, toStoredMessage, toStoredText } from './session-rows.ts'
import { sessionSteps } from './session-schema.ts'
import { MAX_PLACES, type NewMessage, type SessionStore } from './session-store.ts'

export interface OpenSessionStoreOptions
  extends Pick<
    OpenCheckedOptions,
    'driver' | 'file' | 'busyTimeoutMs' | 'wal' | 'readOnly' | 'check' | 'isNetworkFileSystem'
  > {
  readonly clock: Clock
}

export interface SqliteSessionStore extends SessionStore {
  /** For doctor and backup: quick_check, one whole copy. */
  readonly database: CheckedDatabase
}

/** Keeps one transaction of ordinary messages well under 50 ms. */
const BATCH_MESSAGES = 250
const BATCH_CHARACTERS = 1_000_000
/** SQLite allows 32,766 parameters; one statement text per list length would fill the cache, so lists are JSON. */
const messageColumns = 'm.id, m.role, m.content, m.tool_name, m.time, m.hash'

/** Opens or creates sessions.db. Throws SQLITE_CORRUPT (once, see openChecked), SQLITE_BUSY, HOME_FORMAT_NEWER. */
export function openSessionStore(options: OpenSessionStoreOptions): SqliteSessionStore {
  const prepare = (database: SqliteDatabase): void => {
    if (options.readOnly) refuseNewer(database, sessionSteps)
    else migrate(database, sessionSteps)
  }
  const database = openChecked({ ...options, kind: 'canonical', prepare })
  return { database, ...writingMethods(database), ...readingMethods(database), close: () => database.close() }
}

type WritingMethods = Pick<
  SessionStore,
  'putSession' | 'removeSummary' | 'changeTags' | 'addMessages' | 'removeSession'
>

function writingMethods(database: SqliteDatabase): WritingMethods {
  return {
    putSession: (session) =>
      database.transaction(() => {
        const known = database.prepare('SELECT * FROM sessions WHERE id = ?').get(session.id)
        if (known) updateSession(database, mergeSession(toSession(known), session))
        else insertSession(database, session)
      }),
    removeSummary: (id) =>
      database.transaction(() => {
        database.prepare('UPDATE sessions SET summary = NULL WHERE id = ?').run(id)
      }),
    changeTags: (id, change) =>
      database.transaction(() => {
        const known = database.prepare('SELECT * FROM sessions WHERE id = ?').get(id)
        if (!known) throw sessionNotFound(id)
        const tags = [...change(toSession(known).tags)]
        database.prepare('UPDATE sessions SET tags = ? WHERE id = ?').run(JSON.stringify(tags), id)
        return tags
      }),
    addMessages(session, messages) {
      let added = 0
      for (const batch of batchesOf(messages))
        added += database.transaction(() => appendBatch(database, session, batch))
      return added
    },
    removeSession: (id) => database.transaction(() => removeSession(database, id)),
  }
}

function readingMethods(database: SqliteDatabase): Omit<SessionStore, keyof WritingMethods | 'close'> {
  const messageCounts = (sessions: readonly string[]): Map<string, number> => {
    const rows = database
      .prepare(
        `SELECT s.id, (SELECT count(*) FROM session_messages WHERE session = s.key) AS n
         FROM sessions s WHERE s.id IN (SELECT value FROM json_each(?))`,
      )
      .all(JSON.stringify(sessions))
    return new Map(rows.map((row) => [String(row.id), Number(row.n)]))
  }
  return {
    messageCounts,
    knownMessages(ids) {
      const rows = database
        .prepare('SELECT id FROM messages WHERE id IN (SELECT value FROM json_each(?))')
        .all(JSON.stringify(ids))
      return new Set(rows.map((row) => String(row.id)))
    },
    session(id) {
      const row = database.prepare('SELECT * FROM sessions WHERE id = ?').get(id)
      return row ? toSession(row) : null
    },
    sessionsOf: (ids) =>
      database
        .prepare('SELECT * FROM sessions WHERE id IN (SELECT value FROM json_each(?))')
        .all(JSON.stringify(ids))
        .map(toSession),
    sessions: (options) => listSessions(database, options),
    messages(session, { limit, offset }) {
      const rows = database
        .prepare(
          `SELECT ${messageColumns} FROM session_messages j JOIN messages m ON m.key = j.message
           WHERE j.session = (SELECT key FROM sessions WHERE id = ?) ORDER BY j.ordinal LIMIT ? OFFSET ?`,
        )
        .all(session, clampLimit(limit), Math.max(0, offset))
      return { messages: rows.map(toStoredMessage), total: messageCounts([session]).get(session) ?? 0 }
    },
    message(session, ordinal) {
      const row = database
        .prepare(
          `SELECT ${messageColumns} FROM session_messages j JOIN messages m ON m.key = j.message
           WHERE j.session = (SELECT key FROM sessions WHERE id = ?) AND j.ordinal = ?`,
        )
        .get(session, ordinal)
      return row ? toStoredMessage(row) : null
    },
    messagesAt(places) {
      const rows = database
        .prepare(
          `SELECT p.value ->> '$.session' AS session, j.ordinal, ${messageColumns}
           FROM json_each(?) p CROSS JOIN sessions s ON s.id = p.value ->> '$.session'
           CROSS JOIN session_messages j ON j.session = s.key AND j.ordinal = p.value ->> '$.ordinal'
           CROSS JOIN messages m ON m.key = j.message`,
        )
        .all(JSON.stringify(places.map(({ session, ordinal }) => ({ session, ordinal }))))
      return rows.map((row) => ({
        session: String(row.session),
        ordinal: Number(row.ordinal),
        message: toStoredMessage(row),
      }))
    },
    generation: () => database.generation(),
    messagesFrom(session, { ordinal, direction, limit, tools }) {
      const [compare, order] = direction === 'on' ? ['>=', 'ASC'] : ['<', 'DESC']
      const rows = database
        .prepare(
          `SELECT j.ordinal, ${messageColumns} FROM session_messages j JOIN messages m ON m.key = j.message
           WHERE j.session = (SELECT key FROM sessions WHERE id = ?) AND j.ordinal ${compare} ?
           AND (? OR m.role <> 'tool') ORDER BY j.ordinal ${order} LIMIT ?`,
        )
        .all(session, ordinal, tools ? 1 : 0, clampLimit(limit))
      const found = rows.map((row) => ({ ordinal: Number(row.ordinal), message: toStoredMessage(row) }))
      return direction === 'on' ? found : found.reverse()
    },
    placesOf(message) {
      const rows = database
        .prepare(
          `SELECT s.id, j.ordinal FROM session_messages j JOIN sessions s ON s.key = j.session
           WHERE j.message = (SELECT key FROM messages WHERE id = ?) ORDER BY s.key DESC LIMIT ${MAX_PLACES}`,
        )
        .all(message)
      return rows.map((row) => ({ session: String(row.id), ordinal: Number(row.ordinal) }))
    },
    counts: () => ({
      sessions: count(database, 'SELECT count(*) AS n FROM sessions', []),
      messages: count(database, 'SELECT count(*) AS n FROM messages', []),
    }),
  }
}

function insertSession(database: SqliteDatabase, session: Session): void {
  database
    .prepare(
      `INSERT INTO sessions (id, agent, project, title, tags, branch, cwd, started, started_ms, ended, summary, parent)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(session.id, session.agent, ...changingValues(session))
}

function updateSession(database: SqliteDatabase, session: Session): void {
  database
    .prepare(
      `UPDATE sessions SET project = ?, title = ?, tags = ?, branch = ?, cwd = ?, started = ?, started_ms = ?,
       ended = ?, summary = ?, parent = ? WHERE id = ?`,
    )
    .run(...changingValues(session), session.id)
}

function changingValues(session: Session) {
  const { project, title, tags, branch, cwd, started, ended, summary, parent } = session
  return [project, title, JSON.stringify(tags), branch, cwd, started, timeOf(started), ended, summary, parent] as const
}

/** One transaction: the next ordinal is read under the write lock, so that two processes never share one. */
function appendBatch(database: SqliteDatabase, session: string, batch: readonly NewMessage[]): number {
  const row = database.prepare('SELECT key FROM sessions WHERE id = ?').get(session)
  if (!row) throw sessionNotFound(session)
  const key = Number(row.key)
  const before = count(database, 'SELECT max(ordinal) + 1 AS n FROM session_messages WHERE session = ?', [key])
  const insert = database.prepare(
    `INSERT INTO messages (id, id_given, role, content, tool_name, time, hash) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO NOTHING`,
  )
  const join = database.prepare(
    `INSERT INTO session_messages (session, ordinal, message) SELECT ?, ?, key FROM messages WHERE id = ?
     ON CONFLICT (session, message) DO NOTHING`,
  )
  let next = before
  for (const { id, idGiven, role, content, toolName, time, hash } of batch) {
    insert.run(id, idGiven ? 1 : 0, role, toStoredText(content), toolName, time, hash)
    next += join.run(key, next, id).changes
  }
  return next - before
}

function removeSession(database: SqliteDatabase, id: string): void {
  const key = database.prepare('SELECT key FROM sessions WHERE id = ?').get(id)?.key
  if (key === undefined) return
  const own = database
    .prepare(
      `SELECT message FROM session_messages j WHERE session = ?
       AND NOT EXISTS (SELECT 1 FROM session_messages WHERE message = j.message AND session <> j.session)`,
    )
    .all(key)
  database.prepare('DELETE FROM session_messages WHERE session = ?').run(key)
  database.prepare('DELETE FROM sessions WHERE key = ?').run(key)
  database
    .prepare('DELETE FROM messages WHERE key IN (SELECT value FROM json_each(?))')
    .run(JSON.stringify(own.map((row) => row.message)))
}

function* batchesOf(messages: readonly NewMessage[]): Generator<NewMessage[]> {
  let batch: NewMessage[] = []
  let characters = 0
  for (const message of messages) {
    batch.push(message)
    characters += message.content.length
    if (batch.length < BATCH_MESSAGES && characters < BATCH_CHARACTERS) continue
    yield batch
    batch = []
    characters = 0
  }
  // An empty list too: an unknown session is told even when there is nothing to add.
  yield batch
}
