/**
 * Finds a SQLite that works here. A driver counts only when it can make the kind of table the index needs; that also
 * brings to light bindings that load but cannot open (other Node version, missing native part).
 */
import { MemoryError, messageOf } from '../../errors.ts'
import { cutGraphemes, oneLine } from '../../util/index.ts'
import { loadBetterSqlite } from './better-sqlite.ts'
import { loadNodeSqlite } from './node-sqlite.ts'
import type { SqliteDriver } from './sqlite-port.ts'

export interface SqliteCandidate {
  readonly name: SqliteDriver['name']
  /** May throw: the reason is kept. */
  load(): SqliteDriver
}

export interface SqliteProbe {
  readonly driver: SqliteDriver | null
  /** One sentence for each driver that was tried and refused, for `data.tried` of SQLITE_UNAVAILABLE. */
  readonly tried: readonly string[]
}

const MAX_REASON_GRAPHEMES = 300

const candidates: readonly SqliteCandidate[] = [
  { name: 'node-sqlite', load: loadNodeSqlite },
  { name: 'better-sqlite3', load: () => loadBetterSqlite() },
]

/** The first driver that works, or null with the reasons. Never throws, prints nothing. Costs a few milliseconds. */
export function probeSqlite(from: readonly SqliteCandidate[] = candidates): SqliteProbe {
  const tried: string[] = []
  for (const candidate of from) {
    try {
      const driver = candidate.load()
      makeProbeTable(driver)
      return { driver, tried }
    } catch (error) {
      tried.push(`${candidate.name}: ${reasonOf(error)}`)
    }
  }
  return { driver: null, tried }
}

/** `probeSqlite` without the reasons. */
export function findSqliteDriver(from?: readonly SqliteCandidate[]): SqliteDriver | null {
  return probeSqlite(from).driver
}

/**
 * For a hook, which opens one file at once and has a way without it: better-sqlite3 always brings what the index needs,
 * so it is not tried on a table of its own first. That its native part is broken, the file will say.
 */
export function findReaderDriver(from: readonly SqliteCandidate[] = candidates): SqliteDriver | null {
  for (const candidate of from) {
    try {
      const driver = candidate.load()
      if (driver.name !== 'better-sqlite3') makeProbeTable(driver)
      return driver
    } catch {
      // The next one; with none the caller does without an index.
    }
  }
  return null
}

function makeProbeTable(driver: SqliteDriver): void {
  const database = driver.open(':memory:')
  try {
    database.exec("CREATE VIRTUAL TABLE probe USING fts5(words, content='', contentless_delete=1)")
  } finally {
    database.close()
  }
}

/** One line: dlopen errors span several, and a missing module comes with a stack of paths that says nothing more. */
function reasonOf(error: unknown): string {
  const reason = MemoryError.isInstance(error) ? error.data.reason : undefined
  const message = typeof reason === 'string' ? reason : messageOf(error)
  return cutGraphemes(oneLine(message.replace(/\nRequire stack:[\s\S]*/, '')), MAX_REASON_GRAPHEMES)
}
