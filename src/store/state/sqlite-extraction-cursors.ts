/** Extraction cursors on state.db. */
import type { SqliteDatabase, SqliteRow } from '../sqlite/sqlite-port.ts'
import { type ExtractionCursor, type ExtractionCursors, MAX_CURSORS, type Stretch } from './extraction-cursors.ts'

export function createSqliteExtractionCursors(database: SqliteDatabase): ExtractionCursors {
  const get: ExtractionCursors['get'] = (session) => {
    const row = database.prepare('SELECT * FROM extraction_cursors WHERE session = ?').get(session)
    return row ? toCursor(row) : null
  }
  return {
    get,
    change: (session, change) =>
      database.transaction(() => {
        const known = get(session)
        const changed = change(known)
        if (changed) put(database, changed)
        return changed ?? known
      }),
    newest: (limit) =>
      database
        .prepare('SELECT * FROM extraction_cursors ORDER BY touched_at DESC, session LIMIT ?')
        .all(Math.max(0, limit))
        .map(toCursor),
    remove: (session) =>
      database.transaction(() => {
        database.prepare('DELETE FROM extraction_cursors WHERE session = ?').run(session)
      }),
  }
}

function put(database: SqliteDatabase, cursor: ExtractionCursor): void {
  const { session, ordinal, message, skipped, seen, readAt, touchedAt } = cursor
  database
    .prepare(
      `INSERT OR REPLACE INTO extraction_cursors (session, ordinal, message, skipped, seen, read_at, touched_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(session, ordinal, message, JSON.stringify(skipped.map(({ from, to }) => [from, to])), seen, readAt, touchedAt)
  database
    .prepare(
      `DELETE FROM extraction_cursors WHERE session IN
         (SELECT session FROM extraction_cursors ORDER BY touched_at DESC, session LIMIT -1 OFFSET ?)`,
    )
    .run(MAX_CURSORS)
}

function toCursor(row: SqliteRow): ExtractionCursor {
  return {
    session: String(row.session),
    ordinal: Number(row.ordinal),
    message: typeof row.message === 'string' ? row.message : null,
    skipped: toStretches(JSON.parse(String(row.skipped))),
    seen: Number(row.seen),
    readAt: row.read_at === null ? null : Number(row.read_at),
    touchedAt: Number(row.touched_at),
  }
}

function toStretches(value: unknown): Stretch[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((pair) => (Array.isArray(pair) ? [{ from: Number(pair[0]), to: Number(pair[1]) }] : []))
}
