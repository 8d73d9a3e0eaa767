/**
 * Tables of index.db. Everything in them can be made again, so another version is emptied, never migrated. The FTS5
 * tables are contentless: words are looked up there, texts stay where they belong. Terms come ready from `analyse.ts`,
 * so the tokenizer only splits at spaces (`ascii` takes every other character above 127 as part of a term).
 */
import { MemoryError } from '../../errors.ts'
import type { SqliteDatabase } from '../sqlite/sqlite-port.ts'
import { messageColumns, noteColumns } from './row-terms.ts'
import { vectorSchema, vectorTables } from './sqlite-vectors.ts'

/** Raise it whenever tables, analysis or scoring change. */
export const INDEX_VERSION = 5

/** Row ids of messages: session number, then position. */
export const MESSAGES_PER_SESSION = 2 ** 20

const fts = (name: string, columns: readonly string[]) =>
  `CREATE VIRTUAL TABLE ${name} USING fts5(scope, ${columns.join(', ')}, content = '', contentless_delete = 1, tokenize = 'ascii')`

const tables = ['scopes', 'notes', 'sessions', 'messages', 'notes_fts', 'messages_fts', ...vectorTables] as const

const schema = `
  CREATE TABLE scopes (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    rows INTEGER NOT NULL DEFAULT 0,
    total_length INTEGER NOT NULL DEFAULT 0,
    vectors_removed INTEGER NOT NULL DEFAULT 0
  );
  CREATE TABLE notes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    scope INTEGER NOT NULL,
    file TEXT NOT NULL,
    status TEXT NOT NULL,
    type TEXT NOT NULL,
    updated TEXT NOT NULL,
    searchable INTEGER NOT NULL,
    length INTEGER NOT NULL,
    name TEXT NOT NULL,
    mutes INTEGER NOT NULL,
    aliases INTEGER NOT NULL,
    data TEXT NOT NULL,
    UNIQUE (scope, file)
  );
  CREATE INDEX notes_by_name ON notes (scope, name);
  CREATE INDEX notes_that_mute ON notes (scope) WHERE mutes = 1;
  CREATE INDEX notes_with_aliases ON notes (scope, updated) WHERE aliases = 1;
  CREATE TABLE sessions (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, messages INTEGER NOT NULL DEFAULT 0);
  CREATE TABLE messages (id INTEGER PRIMARY KEY, scope INTEGER NOT NULL, length INTEGER NOT NULL);
  CREATE INDEX messages_by_length ON messages (scope, length);
  ${fts('notes_fts', noteColumns)};
  ${fts('messages_fts', messageColumns)};
  ${vectorSchema}
  PRAGMA user_version = ${INDEX_VERSION};
`

/** Makes the tables when there are none of this version. Throws INDEX_UNAVAILABLE for a read-only file of another one. */
export function prepareIndex(database: SqliteDatabase, options: { readonly readOnly: boolean }): void {
  if (versionOf(database) === INDEX_VERSION) return
  if (options.readOnly)
    throw new MemoryError('INDEX_UNAVAILABLE', 'The search index was made by another version', {
      hint: 'Run `keepsake refresh`; it is rebuilt.',
      data: { reason: `version ${versionOf(database)}, needed ${INDEX_VERSION}` },
    })
  database.transaction(() => {
    // Another process may have made them while this one waited for the lock.
    if (versionOf(database) !== INDEX_VERSION) makeTables(database)
  })
}

/** Drops every row. Inside a transaction. */
export function makeTables(database: SqliteDatabase): void {
  for (const table of tables) database.exec(`DROP TABLE IF EXISTS ${table}`)
  database.exec(schema)
}

function versionOf(database: SqliteDatabase): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0)
}
