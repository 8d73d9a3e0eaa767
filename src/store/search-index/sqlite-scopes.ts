/**
 * Scopes as integers: the term `s<integer>` in an FTS5 column is exact whatever a key looks like, while hashes and
 * names are changed by tokenizers. The counters are what scores are made of, so they change with the rows, in the same
 * transaction.
 */
import { MemoryError } from '../../errors.ts'
import type { SqliteDatabase } from '../sqlite/sqlite-port.ts'
import type { ScopeStatistics } from './scoring.ts'
import { toStored } from './stored-text.ts'

/** Notes and messages count apart, so a layer and a session scope never share a row. */
export type ScopeKind = 'notes' | 'messages'

export interface Scope {
  readonly id: number
  /** As the caller names it. */
  readonly key: string
  readonly rows: number
  readonly totalLength: number
}

const storedKey = (kind: ScopeKind, key: string) => `${kind}:${toStored(key)}`

/** The scopes of these keys that hold rows; none for a key that was never indexed. */
export function findScopes(database: SqliteDatabase, kind: ScopeKind, keys: readonly string[]): Scope[] {
  const select = database.prepare('SELECT id, key, rows, total_length FROM scopes WHERE key = ?')
  return [...new Set(keys)].flatMap((key) => {
    const row = select.get(storedKey(kind, key))
    // The stored key is compared in code too: SQLite folds lone surrogates into one replacement character.
    if (!row || row.key !== storedKey(kind, key) || Number(row.rows) === 0) return []
    return [{ id: Number(row.id), key, rows: Number(row.rows), totalLength: Number(row.total_length) }]
  })
}

export function statisticsOf(scopes: readonly Scope[]): ScopeStatistics {
  return {
    rows: scopes.reduce((sum, scope) => sum + scope.rows, 0),
    totalLength: scopes.reduce((sum, scope) => sum + scope.totalLength, 0),
  }
}

/** The number of a scope, made when it is new. Inside a transaction. */
export function scopeId(database: SqliteDatabase, kind: ScopeKind, key: string): number {
  if (!key.isWellFormed())
    throw new MemoryError('INPUT_INVALID', 'The key of a layer or project is no well-formed text', {
      data: { field: 'scope' },
    })
  const found = findScopeId(database, kind, key)
  return found ?? database.prepare('INSERT INTO scopes (key) VALUES (?)').run(storedKey(kind, key)).lastInsertRowid
}

/** The number of a scope that was indexed before, also when it holds no rows now. */
export function findScopeId(database: SqliteDatabase, kind: ScopeKind, key: string): number | null {
  const found = database.prepare('SELECT id FROM scopes WHERE key = ?').get(storedKey(kind, key))
  return found ? Number(found.id) : null
}

export function countRows(database: SqliteDatabase, scope: number, change: { rows: number; length: number }): void {
  database
    .prepare('UPDATE scopes SET rows = rows + ?, total_length = total_length + ? WHERE id = ?')
    .run(change.rows, change.length, scope)
}

/** Rows of all scopes of a kind. */
export function countAllRows(database: SqliteDatabase, kind: ScopeKind): number {
  const found = database
    .prepare('SELECT sum(rows) AS rows FROM scopes WHERE key >= ? AND key < ?')
    .get(storedKey(kind, ''), `${kind};`)
  return Number(found?.rows ?? 0)
}
