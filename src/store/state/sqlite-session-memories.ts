/** What conversations gave, in state.db. A watermark and a sequence are each read and written in one `BEGIN IMMEDIATE`. */
import type { SqliteDatabase, SqliteRow, SqliteValue } from '../sqlite/sqlite-port.ts'
import {
  CLOSED,
  FORGOTTEN_PROBLEM,
  type Pass,
  type RawMemory,
  type ReadFailure,
  type SessionMemories,
  type SessionRead,
} from './session-memories.ts'

export function createSqliteSessionMemories(database: SqliteDatabase): SessionMemories {
  return { ...readMethods(database), ...passMethods(database) }
}

type PassMethods = Pick<SessionMemories, 'pass' | 'passes' | 'putPass'>

function readMethods(database: SqliteDatabase): Omit<SessionMemories, keyof PassMethods> {
  const isClosed = (session: string) =>
    database.prepare('SELECT 1 FROM session_memories WHERE session = ? AND messages = ?').get(session, CLOSED) !==
    undefined
  return {
    read(session) {
      const row = database.prepare('SELECT * FROM session_memories WHERE session = ?').get(session)
      return row ? toRead(row) : null
    },
    putRead: ({ session, layer, messages, memory, at }) =>
      database.transaction(() => {
        if (isClosed(session)) return false
        // A sequence that a pass has seen is never given again, also when its row is gone.
        const top = database
          .prepare(
            `SELECT max((SELECT coalesce(max(sequence), 0) FROM session_memories),
                        (SELECT coalesce(max(sequence), 0) FROM memory_passes)) AS top`,
          )
          .get()
        database
          .prepare(
            `INSERT OR REPLACE INTO session_memories
               (session, layer, messages, raw_memory, summary, slug, sequence, at, tries, retry_at, problem)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, NULL, NULL)`,
          )
          .run(session, layer, messages, ...memoryValues(memory), Number(top?.top ?? 0) + 1, at)
        return true
      }),
    putFailure: (session, layer, { tries, retryAt, problem }) =>
      database.transaction(() => {
        database
          .prepare(
            `INSERT INTO session_memories (session, layer, messages, sequence, at, tries, retry_at, problem)
             VALUES (?, ?, 0, 0, 0, ?, ?, ?)
             ON CONFLICT (session) DO UPDATE SET tries = excluded.tries, retry_at = excluded.retry_at,
               problem = excluded.problem WHERE messages <> ?`,
          )
          .run(session, layer, tries, retryAt, problem, CLOSED)
      }),
    memoriesAfter(layer, sequence, limit) {
      const where = 'layer = ? AND sequence > ? AND raw_memory IS NOT NULL'
      const rows = database
        .prepare(`SELECT * FROM session_memories WHERE ${where} ORDER BY sequence LIMIT ?`)
        .all(layer, sequence, limit)
      const all = database.prepare(`SELECT count(*) AS n FROM session_memories WHERE ${where}`).get(layer, sequence)
      return { memories: rows.map(toRead), omitted: Number(all?.n ?? 0) - rows.length }
    },
    waitingLayers: () =>
      database
        .prepare(
          `SELECT m.layer FROM session_memories m LEFT JOIN memory_passes p ON p.layer = m.layer
           WHERE m.raw_memory IS NOT NULL AND m.sequence > coalesce(p.sequence, 0)
           GROUP BY m.layer ORDER BY min(m.sequence)`,
        )
        .all()
        .map(({ layer }) => String(layer)),
    counts() {
      const row = database
        .prepare(
          `SELECT coalesce(sum(raw_memory IS NOT NULL), 0) AS memories,
             coalesce(sum(raw_memory IS NULL AND messages > 0), 0) AS empty_handed,
             coalesce(sum(tries > 0), 0) AS failed FROM session_memories`,
        )
        .get()
      return { memories: Number(row?.memories), nothing: Number(row?.empty_handed), failed: Number(row?.failed) }
    },
    remove: (session) =>
      database.transaction(() => {
        const row = database.prepare('SELECT layer, raw_memory FROM session_memories WHERE session = ?').get(session)
        if (row) database.prepare('DELETE FROM session_memories WHERE session = ?').run(session)
        if (!row || row.raw_memory === null) return null
        const layer = String(row.layer)
        database.prepare('UPDATE memory_passes SET plan = NULL WHERE layer = ?').run(layer)
        return layer
      }),
    forgetWords: (sessions) =>
      database.transaction(() => {
        const close = database.prepare(
          `INSERT INTO session_memories (session, layer, messages, sequence, at, tries) VALUES (?, 'global', ?, 0, 0, 0)
           ON CONFLICT (session) DO UPDATE SET messages = excluded.messages, raw_memory = NULL, summary = NULL,
             slug = NULL, tries = 0, retry_at = NULL, problem = NULL`,
        )
        for (const session of sessions) close.run(session, CLOSED)
        database
          .prepare('UPDATE memory_passes SET plan = NULL, problem = CASE WHEN problem IS NULL THEN NULL ELSE ? END')
          .run(FORGOTTEN_PROBLEM)
      }),
  }
}

function passMethods(database: SqliteDatabase): PassMethods {
  return {
    pass(layer) {
      const row = database.prepare('SELECT * FROM memory_passes WHERE layer = ?').get(layer)
      return row ? toPass(row) : null
    },
    passes: () => database.prepare('SELECT * FROM memory_passes ORDER BY layer').all().map(toPass),
    putPass: ({ layer, sequence, base, plan, succeededAt, failure }) =>
      database.transaction(() => {
        database
          .prepare(
            `INSERT OR REPLACE INTO memory_passes
               (layer, sequence, base, plan, succeeded_at, tries, retry_at, problem) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
          )
          .run(layer, sequence, base, plan, succeededAt, ...failureValues(failure))
      }),
  }
}

function memoryValues(memory: RawMemory | null): SqliteValue[] {
  return memory === null ? [null, null, null] : [memory.rawMemory, memory.summary, memory.slug]
}

function failureValues(failure: ReadFailure | null): SqliteValue[] {
  return failure === null ? [0, null, null] : [failure.tries, failure.retryAt, failure.problem]
}

function toRead(row: SqliteRow): SessionRead {
  return {
    session: String(row.session),
    layer: String(row.layer),
    messages: Number(row.messages),
    memory:
      row.raw_memory === null
        ? null
        : { rawMemory: String(row.raw_memory), summary: String(row.summary), slug: String(row.slug) },
    sequence: Number(row.sequence),
    at: Number(row.at),
    failure: toFailure(row),
  }
}

function toPass(row: SqliteRow): Pass {
  return {
    layer: String(row.layer),
    sequence: Number(row.sequence),
    base: row.base === null ? null : String(row.base),
    plan: row.plan === null ? null : String(row.plan),
    succeededAt: row.succeeded_at === null ? null : Number(row.succeeded_at),
    failure: toFailure(row),
  }
}

function toFailure(row: SqliteRow): ReadFailure | null {
  if (Number(row.tries) === 0) return null
  return { tries: Number(row.tries), retryAt: Number(row.retry_at), problem: String(row.problem) }
}
