/**
 * Port to SQLite. Two drivers, `node-sqlite` and `better-sqlite3`, pass one contract suite
 * (src/testing/sqlite-suite.ts). What both do alike, because the bindings do not:
 * values are bound by position only and counted; whole numbers are stored as INTEGER; anything else than the five kinds
 * of SqliteValue, NaN and integers beyond 64 bits are refused with SQLITE_FAILED before they reach the binding; lone
 * surrogates become U+FFFD; rows are plain objects; integers beyond 2^53 come back as bigint; blobs are Uint8Array.
 * One thing cannot be made alike: `node:sqlite` of Node 22 cuts text at a null byte when it is read. Text that may hold
 * one and must come back word for word is stored as bytes (sessions/session-rows.ts does).
 * Errors are MemoryErrors: SQLITE_BUSY, SQLITE_CORRUPT, SQLITE_CONSTRAINT, STORE_FULL, STORE_READ_ONLY, SQLITE_FAILED.
 */

export type SqliteValue = null | string | number | bigint | Uint8Array

export type SqliteRow = Record<string, SqliteValue>

export interface SqliteStatement {
  /** For statements that return no rows. `lastInsertRowid` is rounded beyond 2^53. */
  run(...values: readonly SqliteValue[]): { changes: number; lastInsertRowid: number }
  /** `get` and `all` are for statements that return rows. */
  get(...values: readonly SqliteValue[]): SqliteRow | undefined
  all(...values: readonly SqliteValue[]): SqliteRow[]
}

export interface SqliteDatabase {
  readonly file: string
  /** One or more statements without values. */
  exec(sql: string): void
  /** Exactly one statement with `?` parameters only; prepared statements are cached by text. */
  prepare(sql: string): SqliteStatement
  /** `BEGIN IMMEDIATE` … `COMMIT`; rolled back when `work` throws. `work` is synchronous. Not nested. */
  transaction<T>(work: () => T): T
  /** Another text whenever anything may have been written since, by this connection or by any other. Cheap. */
  generation(): string
  /** May be called more than once. Checkpoints the write-ahead log when this was the last connection. */
  close(): void
}

export interface OpenSqliteOptions {
  /** Never creates the file. */
  readonly readOnly?: boolean
  /** How long a statement waits for another writer. Default 2,000; hooks take 200. */
  readonly busyTimeoutMs?: number
  /** Write-ahead log; default true. False on network file systems. */
  readonly wal?: boolean
}

export interface SqliteDriver {
  readonly name: 'node-sqlite' | 'better-sqlite3'
  /**
   * Creates the file with mode 0600 (its -wal and -shm inherit it). The folder must exist.
   * Throws SQLITE_CORRUPT, SQLITE_BUSY or SQLITE_FAILED. `:memory:` is allowed.
   */
  open(file: string, options?: OpenSqliteOptions): SqliteDatabase
}
