/**
 * Vectors in index.db: one blob of 32-bit floats a row, length 1. They are read into memory once and then only what was
 * added; a search never reads them from the file. What is taken out raises a counter of its scope, so that another
 * process that holds it in memory reads that scope again.
 */
import type { SqliteDatabase } from '../sqlite/sqlite-port.ts'
import { createBlock, type NearRows, nearestRows, toUnit, type VectorBlock } from './nearest.ts'
import type { ScopeKind } from './sqlite-scopes.ts'
import type { VectorModel, VectorQuery } from './vector-index.ts'

/** Blocks that grew one by one are joined when there are more. */
const MAX_BLOCKS = 32
/** Scopes held in memory: those of one place are five. */
const MAX_SCOPES = 8

export const vectorSchema = `
  CREATE TABLE models (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    dimensions INTEGER NOT NULL,
    unrelated TEXT NOT NULL
  );
  ${tableOf('notes')};
  ${tableOf('messages')};
`

export const vectorTables = ['models', 'notes_vectors', 'messages_vectors'] as const

function tableOf(kind: ScopeKind): string {
  return `CREATE TABLE ${kind}_vectors (
    added INTEGER PRIMARY KEY AUTOINCREMENT,
    id INTEGER NOT NULL UNIQUE,
    scope INTEGER NOT NULL,
    model INTEGER NOT NULL,
    vector BLOB
  );
  CREATE INDEX ${kind}_vectors_by_scope ON ${kind}_vectors (scope, model, added)`
}

export interface StoredModel extends VectorModel {
  readonly id: number
}

export function findModel(database: SqliteDatabase, name: string): StoredModel | null {
  const found = database.prepare('SELECT id, dimensions, unrelated FROM models WHERE name = ?').get(name)
  if (!found) return null
  // Evidence: written by beginModel of this version; another version is emptied when opened.
  const unrelated = JSON.parse(String(found.unrelated)) as Pick<VectorModel, 'spaced' | 'unspaced'>
  return { id: Number(found.id), name, dimensions: Number(found.dimensions), ...unrelated }
}

/** Inside a transaction. A random number, so that nobody who holds vectors of an emptied index takes them for those of this one. */
export function beginModel(database: SqliteDatabase, { name, dimensions, spaced, unspaced }: VectorModel): void {
  dropModel(database, name)
  database
    .prepare('INSERT INTO models (id, name, dimensions, unrelated) VALUES (abs(random() % 1000000000000), ?, ?, ?)')
    .run(name, dimensions, JSON.stringify({ spaced, unspaced }))
}

/** Inside a transaction. */
export function dropModel(database: SqliteDatabase, name: string): void {
  const model = findModel(database, name)
  if (model === null) return
  for (const kind of ['notes', 'messages'] as const)
    database.prepare(`DELETE FROM ${kind}_vectors WHERE model = ?`).run(model.id)
  database.prepare('DELETE FROM models WHERE id = ?').run(model.id)
}

/** Inside a transaction. */
export function putVector(
  database: SqliteDatabase,
  kind: ScopeKind,
  row: { readonly id: number; readonly scope: number },
  { model, unit }: { readonly model: StoredModel; readonly unit: Float32Array | null },
): void {
  removeVector(database, kind, row.id)
  const bytes = unit && new Uint8Array(unit.buffer, unit.byteOffset, unit.byteLength)
  database
    .prepare(`INSERT INTO ${kind}_vectors (id, scope, model, vector) VALUES (?, ?, ?, ?)`)
    .run(row.id, row.scope, model.id, bytes)
}

/** Inside a transaction, with the row that it belongs to. */
export function removeVector(database: SqliteDatabase, kind: ScopeKind, id: number): void {
  const found = database.prepare(`SELECT scope FROM ${kind}_vectors WHERE id = ?`).get(id)
  if (!found) return
  database.prepare(`DELETE FROM ${kind}_vectors WHERE id = ?`).run(id)
  database.prepare('UPDATE scopes SET vectors_removed = vectors_removed + 1 WHERE id = ?').run(Number(found.scope))
}

/** The vector of a row whose words come again under another number. */
export function keptVector(database: SqliteDatabase, kind: ScopeKind, id: number): { giveTo(id: number): void } | null {
  const found = database.prepare(`SELECT scope, model, vector FROM ${kind}_vectors WHERE id = ?`).get(id)
  if (!found) return null
  const { scope, model, vector } = found
  return {
    giveTo: (to) =>
      void database
        .prepare(`INSERT INTO ${kind}_vectors (id, scope, model, vector) VALUES (?, ?, ?, ?)`)
        .run(to, Number(scope), Number(model), vector ?? null),
  }
}

/** Vectors in memory, of the scopes that were searched last. One for each connection. */
export interface HeldVectors {
  /** Rows of these scopes; null when the model is unknown or its vectors have another length. */
  nearest(kind: ScopeKind, query: VectorQuery, scopes: readonly number[], count: number): NearRows | null
}

interface HeldScope {
  readonly model: number
  readonly removed: number
  /** Everything up to this place is held. */
  readonly added: number
  readonly blocks: readonly VectorBlock[]
}

export function holdVectors(database: SqliteDatabase): HeldVectors {
  const held = new Map<string, HeldScope>()
  const blocksOf = (kind: ScopeKind, scope: number, model: StoredModel): readonly VectorBlock[] => {
    const key = `${kind} ${scope}`
    const now = upToDate(database, kind, scope, { model, known: held.get(key) ?? null })
    // Set anew, so that the one that was asked for longest ago comes first.
    held.delete(key)
    held.set(key, now)
    const [oldest] = held.keys()
    if (held.size > MAX_SCOPES && oldest !== undefined) held.delete(oldest)
    return now.blocks
  }
  return {
    nearest(kind, { model: name, vector }, scopes, count) {
      const model = findModel(database, name)
      const unit = toUnit(vector)
      if (model === null || unit === null || unit.length !== model.dimensions) return null
      return nearestRows(
        scopes.flatMap((scope) => blocksOf(kind, scope, model)),
        unit,
        count,
      )
    },
  }
}

function upToDate(
  database: SqliteDatabase,
  kind: ScopeKind,
  scope: number,
  { model, known }: { readonly model: StoredModel; readonly known: HeldScope | null },
): HeldScope {
  const stored = database.prepare('SELECT vectors_removed FROM scopes WHERE id = ?').get(scope)
  const removed = Number(stored?.vectors_removed ?? 0)
  const still = known?.model === model.id && known.removed === removed ? known : null
  const rows = database
    .prepare(
      `SELECT added, id, vector FROM ${kind}_vectors
       WHERE scope = ? AND model = ? AND added > ? AND vector IS NOT NULL ORDER BY added`,
    )
    .all(scope, model.id, still?.added ?? 0)
  const last = rows[rows.length - 1]
  if (still && last === undefined) return still
  const ids = rows.map(({ id }) => Number(id))
  const matrix = new Float32Array(rows.length * model.dimensions)
  const bytes = new Uint8Array(matrix.buffer)
  for (const [row, { vector }] of rows.entries())
    if (vector instanceof Uint8Array) bytes.set(vector, row * model.dimensions * 4)
  const blocks = [...(still?.blocks ?? []), createBlock(ids, matrix)]
  return { model: model.id, removed, added: Number(last?.added ?? 0), blocks: joined(blocks) }
}

function joined(blocks: readonly VectorBlock[]): readonly VectorBlock[] {
  if (blocks.length <= MAX_BLOCKS) return blocks
  const matrix = new Float32Array(blocks.reduce((sum, block) => sum + block.matrix.length, 0))
  let at = 0
  for (const block of blocks) {
    matrix.set(block.matrix, at)
    at += block.matrix.length
  }
  return [
    createBlock(
      blocks.flatMap(({ ids }) => ids),
      matrix,
    ),
  ]
}
