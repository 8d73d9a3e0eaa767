/** What goes into a statement and what comes out, alike for both bindings. Pure. */
import { wellFormed } from '../../util/index.ts'
import { sqliteError } from './sqlite-errors.ts'
import type { SqliteRow, SqliteValue } from './sqlite-port.ts'

const MIN_INTEGER = -(2n ** 63n)
const MAX_INTEGER = 2n ** 63n - 1n

/** What a statement text asks for, found without the binding (one of them runs the first of two statements silently). */
export interface StatementShape {
  readonly parameters: number
}

/** Throws SQLITE_FAILED for several statements and for parameters that are not a plain `?`. */
export function shapeOf(sql: string, file: string): StatementShape {
  const bare = sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, ' ')
  if (/;\s*[^\s;]/.test(bare)) throw sqliteError('SQLITE_FAILED', 'several statements in one prepare', file)
  if (/[:@$][\p{L}_]|\?\d/u.test(bare)) throw sqliteError('SQLITE_FAILED', 'parameters are bound by position', file)
  return { parameters: bare.split('?').length - 1 }
}

/** The values as the bindings get them. Throws SQLITE_FAILED for what cannot be stored without changing it. */
export function toBindings(values: readonly SqliteValue[], shape: StatementShape, file: string): SqliteValue[] {
  if (values.length !== shape.parameters)
    throw sqliteError('SQLITE_FAILED', `${shape.parameters} values expected, ${values.length} given`, file)
  return values.map((value, index) => toBinding(value, index, file))
}

function toBinding(value: unknown, index: number, file: string): SqliteValue {
  if (typeof value === 'string') return wellFormed(value)
  if (value === null) return null
  // Bound as doubles, whole numbers would be REAL in columns without affinity.
  if (typeof value === 'number' && !Number.isNaN(value)) return Number.isSafeInteger(value) ? BigInt(value) : value
  if (typeof value === 'bigint' && value >= MIN_INTEGER && value <= MAX_INTEGER) return value
  if (value instanceof Uint8Array) return value
  throw sqliteError('SQLITE_FAILED', `value ${index + 1} cannot be stored (${describe(value)})`, file)
}

function describe(value: unknown): string {
  if (typeof value === 'bigint') return 'integer beyond 64 bits'
  return typeof value === 'number' ? 'not a number' : typeof value
}

/** A plain object with Object's prototype from whatever row object the binding made. */
export function toRow(raw: object): SqliteRow {
  const row: SqliteRow = {}
  for (const [column, value] of Object.entries(raw)) row[column] = fromBinding(value)
  return row
}

function fromBinding(value: unknown): SqliteValue {
  if (typeof value === 'bigint') return toNumber(value)
  if (value instanceof Uint8Array)
    return Buffer.isBuffer(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : value
  return typeof value === 'string' || typeof value === 'number' ? value : null
}

function toNumber(value: bigint): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}
