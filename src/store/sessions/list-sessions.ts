/** Lists of sessions.db: one filter for the rows, their number, and what is behind the last of them. */
import type { SqliteDatabase, SqliteValue } from '../sqlite/sqlite-port.ts'
import { timeOf } from './merge-session.ts'
import { toSession } from './session-rows.ts'
import { MAX_ROWS, type SessionFilter, type SessionPlace, type SessionStore } from './session-store.ts'

/** The order of lists, newest first, as values that compare. */
const PLACE = '(coalesce(started_ms, -1), key)'

export function listSessions(
  database: SqliteDatabase,
  { limit, offset = 0, after, ...filter }: Parameters<SessionStore['sessions']>[0],
): ReturnType<SessionStore['sessions']> {
  const { where, values } = conditionsOf(filter)
  const behind = (place: SessionPlace | undefined) =>
    place ? { sql: ` AND ${PLACE} < (?, ?)`, values: [place.startedMs, place.key] } : { sql: '', values: [] }
  const from = behind(after)
  const rows = database
    .prepare(`SELECT * FROM sessions WHERE ${where}${from.sql} ORDER BY started_ms DESC, key DESC LIMIT ? OFFSET ?`)
    .all(...values, ...from.values, clampLimit(limit), Math.max(0, offset))
  const sessions = rows.map(toSession)
  const end = sessions.at(-1)
  const counted = (more = behind(undefined)) =>
    count(database, `SELECT count(*) AS n FROM sessions WHERE ${where}${more.sql}`, [...values, ...more.values])
  const total = counted()
  const left = after ? counted(from) : total
  return {
    sessions,
    total,
    omitted: end ? left - Math.max(0, offset) - sessions.length : 0,
    last: end ? { startedMs: timeOf(end.started) ?? -1, key: Number(rows.at(-1)?.key) } : null,
  }
}

function conditionsOf({ projects, without, agent, branch, tag, sinceMs, untilMs }: SessionFilter): {
  where: string
  values: readonly (string | number)[]
} {
  // JSON null never equals anything in IN, so "outside any project" is asked for by itself.
  const names = projects?.filter((project) => project !== null) ?? []
  const conditions: [string, ...(string | number)[]][] = []
  if (projects)
    conditions.push([
      '(? AND project IS NULL OR project IN (SELECT value FROM json_each(?)))',
      projects.includes(null) ? 1 : 0,
      JSON.stringify(names),
    ])
  if (without?.length) conditions.push(['id NOT IN (SELECT value FROM json_each(?))', JSON.stringify(without)])
  if (agent !== undefined) conditions.push(['agent = ?', agent])
  if (branch !== undefined) conditions.push(['branch = ?', branch])
  if (tag !== undefined) conditions.push(['? IN (SELECT value FROM json_each(tags))', tag])
  if (sinceMs !== undefined) conditions.push(['started_ms >= ?', sinceMs])
  if (untilMs !== undefined) conditions.push(['started_ms < ?', untilMs])
  return {
    where: conditions.length === 0 ? 'TRUE' : conditions.map(([sql]) => sql).join(' AND '),
    values: conditions.flatMap(([, ...values]) => values),
  }
}

export function count(database: SqliteDatabase, sql: string, values: readonly SqliteValue[]): number {
  return Number(database.prepare(sql).get(...values)?.n ?? 0)
}

export function clampLimit(limit: number): number {
  return Math.min(Math.max(0, Math.trunc(limit)), MAX_ROWS)
}
