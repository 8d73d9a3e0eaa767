/**
 * One connection over a raw binding. It owns what both bindings must do alike: checking of values, rows, the cache of
 * statements, transactions, errors, idempotent close. A driver only adapts names.
 */
import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { sqliteError, toSqliteError } from './sqlite-errors.ts'
import type { OpenSqliteOptions, SqliteDatabase, SqliteStatement, SqliteValue } from './sqlite-port.ts'
import { shapeOf, toBindings, toRow } from './values.ts'

/** What a driver gives: rows with every integer as bigint, values by position. */
export interface RawStatement {
  readonly returnsRows: boolean
  run(values: readonly SqliteValue[]): { changes: number | bigint; lastInsertRowid: number | bigint }
  get(values: readonly SqliteValue[]): object | undefined
  all(values: readonly SqliteValue[]): object[]
}

export interface RawDatabase {
  exec(sql: string): void
  prepare(sql: string): RawStatement
  close(): void
}

export const MEMORY_FILE = ':memory:'
const DEFAULT_BUSY_TIMEOUT_MS = 2_000
/** Our statements are a few dozen fixed texts; full-text queries are bound, not spelled out. */
const MAX_CACHED_STATEMENTS = 100

/** Opens a connection: private file, busy time-out, write-ahead log, foreign keys. Throws MemoryErrors only. */
export function openConnection(
  file: string,
  options: OpenSqliteOptions,
  openRaw: (path: string, busyTimeoutMs: number) => RawDatabase,
): SqliteDatabase {
  const path = file === MEMORY_FILE ? file : resolve(file)
  const busyTimeoutMs = Math.max(0, Math.trunc(options.busyTimeoutMs ?? DEFAULT_BUSY_TIMEOUT_MS))
  let raw: RawDatabase | undefined
  try {
    if (path !== MEMORY_FILE && !options.readOnly) makePrivate(path)
    raw = openRaw(path, busyTimeoutMs)
    raw.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
    if (!options.readOnly) raw.exec(writerPragmas(options.wal ?? true))
    return connection(path, raw)
  } catch (error) {
    raw?.close()
    throw toSqliteError(error, path)
  }
}

/** A write-ahead log loses nothing on kill -9 with NORMAL; a rollback journal needs FULL for that. */
function writerPragmas(wal: boolean): string {
  const journal = wal
    ? 'journal_mode = WAL; PRAGMA synchronous = NORMAL'
    : 'journal_mode = DELETE; PRAGMA synchronous = FULL'
  return `PRAGMA ${journal}; PRAGMA foreign_keys = ON`
}

/** SQLite gives -wal and -shm the mode of the database file, so only that one must be private before it is opened. */
function makePrivate(path: string): void {
  if (!existsSync(path)) {
    closeSync(openSync(path, 'a', 0o600))
    return
  }
  try {
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600)
  } catch {
    // A file of another owner cannot be made private by us; whether it can be opened at all is SQLite's answer.
  }
}

function connection(file: string, raw: RawDatabase): SqliteDatabase {
  const cache = new Map<string, SqliteStatement>()
  let open = true
  let inTransaction = false
  let writes = 0

  const guarded = <T>(work: () => T): T => {
    if (!open) throw sqliteError('SQLITE_FAILED', 'the connection is closed', file)
    try {
      return work()
    } catch (error) {
      throw toSqliteError(error, file)
    }
  }

  const prepare = (sql: string): SqliteStatement => {
    const known = cache.get(sql)
    if (known) return known
    const statement = guarded(() => wrapStatement(sql, raw.prepare(sql), file, guarded, () => void writes++))
    const oldest = cache.size >= MAX_CACHED_STATEMENTS ? cache.keys().next().value : undefined
    if (oldest !== undefined) cache.delete(oldest)
    cache.set(sql, statement)
    return statement
  }

  const transaction = <T>(work: () => T): T => {
    if (inTransaction) throw sqliteError('SQLITE_FAILED', 'transactions are not nested', file)
    guarded(() => raw.exec('BEGIN IMMEDIATE'))
    inTransaction = true
    writes++
    try {
      const result = work()
      if (isThenable(result)) throw sqliteError('SQLITE_FAILED', 'the work of a transaction is synchronous', file)
      guarded(() => raw.exec('COMMIT'))
      return result
    } catch (error) {
      rollBack(raw)
      throw error
    } finally {
      inTransaction = false
    }
  }

  const close = (): void => {
    if (!open) return
    open = false
    cache.clear()
    raw.close()
  }

  const exec = (sql: string): void => {
    writes++
    guarded(() => raw.exec(sql))
  }

  // SQLite's own number tells what other connections committed, and nothing of this one.
  const generation = (): string => `${prepare('PRAGMA data_version').get()?.data_version} ${writes}`

  return { file, exec, prepare, transaction, generation, close }
}

function wrapStatement(
  sql: string,
  raw: RawStatement,
  file: string,
  guarded: <T>(work: () => T) => T,
  onWrite: () => void,
): SqliteStatement {
  const shape = shapeOf(sql, file)
  const demandRows = (expected: boolean): void => {
    if (raw.returnsRows === expected) return
    throw sqliteError('SQLITE_FAILED', expected ? 'the statement returns no rows' : 'the statement returns rows', file)
  }
  return {
    run: (...values) =>
      guarded(() => {
        demandRows(false)
        onWrite()
        const { changes, lastInsertRowid } = raw.run(toBindings(values, shape, file))
        return { changes: Number(changes), lastInsertRowid: Number(lastInsertRowid) }
      }),
    get: (...values) =>
      guarded(() => {
        demandRows(true)
        const row = raw.get(toBindings(values, shape, file))
        return row === undefined ? undefined : toRow(row)
      }),
    all: (...values) =>
      guarded(() => {
        demandRows(true)
        return raw.all(toBindings(values, shape, file)).map(toRow)
      }),
  }
}

function rollBack(raw: RawDatabase): void {
  try {
    raw.exec('ROLLBACK')
  } catch {
    // SQLite rolls back by itself after some errors (full disk, I/O); then there is nothing left to undo, and the
    // error that led here is the one to tell.
  }
}

function isThenable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
