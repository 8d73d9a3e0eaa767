/** Uses of notes in state.db. Each change is one transaction. */
import { isoSeconds, type UseKind, useKinds } from '../../domain/index.ts'
import type { SqliteDatabase, SqliteRow } from '../sqlite/sqlite-port.ts'
import { actOf, type KeptUse, MAX_SESSION_USES, MAX_USES, type NoteUses } from './note-uses.ts'

export function createSqliteNoteUses(database: SqliteDatabase): NoteUses {
  const change = (sql: string, ...values: readonly string[]) =>
    database.transaction(() => void database.prepare(sql).run(...values))
  return {
    record: (uses) =>
      database.transaction(() => {
        const known = database.prepare('SELECT 1 FROM note_uses WHERE note = ? AND act = ?')
        const put = database.prepare('INSERT INTO note_uses (note, act, session, kind, at) VALUES (?, ?, ?, ?, ?)')
        const bound = database.prepare(
          `DELETE FROM note_uses WHERE note = ? AND act IN
             (SELECT act FROM note_uses WHERE note = ? ORDER BY at DESC, act LIMIT -1 OFFSET ?)`,
        )
        const added: KeptUse[] = []
        for (const use of uses) {
          const kept = { ...use, act: actOf(use) }
          if (known.get(kept.note, kept.act)) continue
          put.run(kept.note, kept.act, kept.session, kept.kind, kept.at)
          added.push(kept)
        }
        for (const note of new Set(added.map((each) => each.note))) bound.run(note, note, MAX_USES)
        return added
      }),
    of(notes) {
      const rows = database
        .prepare(
          `SELECT note, count(DISTINCT session) AS count, max(at) AS last FROM note_uses
           WHERE note IN (SELECT value FROM json_each(?)) GROUP BY note`,
        )
        .all(JSON.stringify(notes))
      return new Map(
        rows.map((row) => [String(row.note), { count: Number(row.count), lastUsed: isoSeconds(Number(row.last)) }]),
      )
    },
    inSession: (session) =>
      database
        .prepare('SELECT note, act, session, kind, at FROM note_uses WHERE session = ? ORDER BY at, note, act LIMIT ?')
        .all(session, MAX_SESSION_USES)
        .map(toUse),
    sessionsWithUses(sessions) {
      const rows = database
        .prepare('SELECT DISTINCT session FROM note_uses WHERE session IN (SELECT value FROM json_each(?))')
        .all(JSON.stringify(sessions))
      return new Set(rows.map((row) => String(row.session)))
    },
    remove: (notes) =>
      change('DELETE FROM note_uses WHERE note IN (SELECT value FROM json_each(?))', JSON.stringify(notes)),
    removeSession: (session) => change('DELETE FROM note_uses WHERE session = ?', session),
  }
}

function toUse(row: SqliteRow): KeptUse {
  return {
    note: String(row.note),
    session: String(row.session),
    kind: toKind(row.kind),
    at: Number(row.at),
    act: String(row.act),
  }
}

/** A kind of a later version is the weaker one that we know. */
function toKind(value: unknown): UseKind {
  return useKinds.find((each) => each === value) ?? 'opened'
}
