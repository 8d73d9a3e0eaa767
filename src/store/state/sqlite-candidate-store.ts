/** Tentative statements in state.db. Each change is one transaction; a candidate without a sighting goes with the last. */
import { type NoteType, noteTypes } from '../../domain/index.ts'
import type { SqliteDatabase, SqliteRow } from '../sqlite/sqlite-port.ts'
import { type Candidate, type CandidateStore, MAX_CANDIDATES, MAX_SIGHTINGS, type Sighting } from './candidate-store.ts'

const LAST = '(SELECT max(at) FROM sightings s WHERE s.candidate = c.id)'

export function createSqliteCandidateStore(database: SqliteDatabase): CandidateStore {
  const run = (sql: string, ...values: readonly (string | number)[]) => void database.prepare(sql).run(...values)
  /** A change, and then what nobody has seen any more goes. */
  const change = (work: () => void) =>
    database.transaction(() => {
      work()
      run('DELETE FROM sightings WHERE candidate NOT IN (SELECT id FROM candidates)')
      run('DELETE FROM candidates WHERE id NOT IN (SELECT candidate FROM sightings)')
    })
  return {
    see: ({ id, layer, type, text, textKey }, { session, day, message, at }) =>
      change(() => {
        run(
          'INSERT OR REPLACE INTO candidates (id, layer, type, text, text_key) VALUES (?, ?, ?, ?, ?)',
          ...[id, layer, type, text, textKey],
        )
        run(
          'INSERT OR REPLACE INTO sightings (candidate, session, day, message, at) VALUES (?, ?, ?, ?, ?)',
          ...[id, session, day, message, at],
        )
        run(
          `DELETE FROM sightings WHERE candidate = ? AND (message, session) IN
             (SELECT message, session FROM sightings WHERE candidate = ?
              ORDER BY at DESC, message DESC, session DESC LIMIT -1 OFFSET ?)`,
          ...[id, id, MAX_SIGHTINGS],
        )
        run(
          `DELETE FROM candidates WHERE id IN
             (SELECT id FROM candidates c ORDER BY ${LAST} DESC, id LIMIT -1 OFFSET ?)`,
          MAX_CANDIDATES,
        )
      }),
    list: (layers, limit) =>
      database
        .prepare(
          `SELECT * FROM candidates c WHERE layer IN (SELECT value FROM json_each(?)) ORDER BY ${LAST} DESC, id LIMIT ?`,
        )
        .all(JSON.stringify(layers), limit)
        .map((row) => toCandidate(row, sightingsOf(database, String(row.id)))),
    remove: (ids) =>
      change(() => run('DELETE FROM candidates WHERE id IN (SELECT value FROM json_each(?))', JSON.stringify(ids))),
    bury: ({ textKey, messages }) =>
      change(() => {
        run('DELETE FROM candidates WHERE text_key = ?', textKey)
        run('DELETE FROM sightings WHERE message IN (SELECT value FROM json_each(?))', JSON.stringify(messages))
      }),
    removeSession: (session) => change(() => run('DELETE FROM sightings WHERE session = ?', session)),
    expire: (ms) =>
      change(() => run(`DELETE FROM candidates WHERE id IN (SELECT id FROM candidates c WHERE ${LAST} < ?)`, ms)),
    count: (ms) => {
      const row = database.prepare(`SELECT count(*) AS n FROM candidates c WHERE ${LAST} >= ?`).get(ms)
      return Number(row?.n ?? 0)
    },
  }
}

function sightingsOf(database: SqliteDatabase, id: string): Sighting[] {
  return database
    .prepare('SELECT * FROM sightings WHERE candidate = ? ORDER BY at, message, session')
    .all(id)
    .map((row) => ({
      session: String(row.session),
      day: String(row.day),
      message: String(row.message),
      at: Number(row.at),
    }))
}

function toCandidate(row: SqliteRow, sightings: readonly Sighting[]): Candidate {
  const [id, layer, text, textKey] = [row.id, row.layer, row.text, row.text_key].map(String)
  return {
    id: id ?? '',
    layer: layer ?? '',
    type: toType(row.type),
    text: text ?? '',
    textKey: textKey ?? '',
    sightings,
  }
}

/** A type of a later version is told as what a project says. */
function toType(value: unknown): NoteType {
  return noteTypes.find((each) => each === value) ?? 'project'
}
