/**
 * Port to SQLite. Two drivers, `node-sqlite` and `better-sqlite3`, pass one contract suite. Both bind by position
 * only, return plain objects with number or bigint for integers, and map busy, constraint and corrupt to our codes.
 */

export type SqliteValue = null | string | number | bigint | Uint8Array

export type SqliteRow = Record<string, SqliteValue>

export interface SqliteStatement {
  run(...values: readonly SqliteValue[]): { changes: number; lastInsertRowid: number }
  get(...values: readonly SqliteValue[]): SqliteRow | undefined
  all(...values: readonly SqliteValue[]): SqliteRow[]
}

export interface SqliteDatabase {
  readonly file: string
  /** One or more statements without values. */
  exec(sql: string): void
  /** Exactly one statement; prepared statements are cached by text. */
  prepare(sql: string): SqliteStatement
  /** `BEGIN IMMEDIATE` … `COMMIT`; rolled back when `work` throws. Not nested. */
  transaction<T>(work: () => T): T
  /** May be called more than once. Checkpoints the write-ahead log when this was the last connection. */
  close(): void
}

export interface OpenSqliteOptions {
  readonly readOnly?: boolean
  /** How long a statement waits for another writer. Default 2,000; hooks take 200. */
  readonly busyTimeoutMs?: number
  /** Write-ahead log; default true. False on network file systems. */
  readonly wal?: boolean
}

export interface SqliteDriver {
  readonly name: 'node-sqlite' | 'better-sqlite3'
  /** Throws SQLITE_CORRUPT, SQLITE_BUSY or SQLITE_FAILED. `:memory:` is allowed. */
  open(file: string, options?: OpenSqliteOptions): SqliteDatabase
}
