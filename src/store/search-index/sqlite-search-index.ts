/**
 * The index in index.db. It owns the file: a damaged one is set aside and begun anew, one of another version is
 * emptied; filling it again is the caller's. Reading never writes.
 */
import type { Clock } from '../../domain/index.ts'
import { systemClock } from '../../util/index.ts'
import { openChecked } from '../sqlite/open-checked.ts'
import type { SqliteDriver } from '../sqlite/sqlite-port.ts'
import type { SearchIndex } from './search-index.ts'
import { countMessages, putMessageRows, removeSessionRows, searchMessageRows } from './sqlite-messages.ts'
import { aliasedRows, judgeNoteText, noteRowsOf, putNoteRows, searchNoteRows, silencerRows } from './sqlite-notes.ts'
import { makeTables, prepareIndex } from './sqlite-schema.ts'
import { createSqliteVectorIndex } from './sqlite-vector-index.ts'

export interface OpenSearchIndexOptions {
  /** Absolute path of index.db, or `:memory:`. */
  readonly file: string
  readonly driver: SqliteDriver
  readonly readOnly?: boolean
  readonly busyTimeoutMs?: number
  readonly wal?: boolean
  /** Names the file that a damaged one is set aside as. */
  readonly clock?: Clock
  /** Told when a damaged file was set aside (its new path) and an empty index was begun. */
  readonly onDamage?: (quarantined: string) => void
}

/** Throws SQLITE_ codes, and INDEX_UNAVAILABLE for a read-only file of another version. */
export function openSqliteSearchIndex(options: OpenSearchIndexOptions): SearchIndex {
  const readOnly = options.readOnly ?? false
  const database = openChecked({
    ...options,
    clock: options.clock ?? systemClock,
    kind: 'derived',
    prepare: (opened) => prepareIndex(opened, { readOnly }),
  })
  if (database.quarantined !== null) options.onDamage?.(database.quarantined)
  return {
    putNotes(layer, notes, removedFiles) {
      if (notes.length === 0 && removedFiles.length === 0) return
      database.transaction(() => putNoteRows(database, layer, notes, removedFiles))
    },
    notesOf: (layer) => noteRowsOf(database, layer),
    searchNotes: (query, scopes, limit, filter = {}) => searchNoteRows(database, { query, scopes, limit, filter }),
    silencers: (scopes, names) => silencerRows(database, scopes, names),
    aliased: (scopes, limit) => aliasedRows(database, scopes, limit),
    judgeNote: (query, scopes, note) => judgeNoteText(database, query, scopes, note),
    putMessages(messages) {
      if (messages.length > 0) database.transaction(() => putMessageRows(database, messages))
    },
    removeSession(session) {
      database.transaction(() => removeSessionRows(database, session))
    },
    searchMessages: (query, scopes, limit) => searchMessageRows(database, { query, scopes, limit }),
    vectors: createSqliteVectorIndex(database),
    messageCount: (session) => countMessages(database, session),
    generation: () => database.generation(),
    clear() {
      database.transaction(() => makeTables(database))
    },
    close: () => database.close(),
  }
}
