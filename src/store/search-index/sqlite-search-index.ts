import type { SqliteDriver } from '../sqlite/sqlite-port.ts'
import type { SearchIndex } from './search-index.ts'

export interface OpenSearchIndexOptions {
  /** Absolute path of index.db, or `:memory:`. */
  readonly file: string
  readonly driver: SqliteDriver
  readonly readOnly?: boolean
  readonly busyTimeoutMs?: number
  readonly wal?: boolean
}

export declare function openSqliteSearchIndex(options: OpenSearchIndexOptions): SearchIndex
