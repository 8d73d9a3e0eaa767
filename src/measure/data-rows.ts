/** Files of JSON lines, plain or gzip, as data sets come. */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { fromFileSystemError, MemoryError } from '../errors.ts'

/** Throws INPUT_INVALID that names the line of which `toRow` makes nothing; `hint` says what a row is. */
export function readRows<Row>(file: string, hint: string, toRow: (row: Record<string, unknown>) => Row | null): Row[] {
  const lines = textOf(file).split('\n')
  const rows = lines.flatMap((line, at) => {
    if (line.trim() === '') return []
    const row = toRow(fieldsOf(line))
    if (row === null) throw wrongLine(file, at + 1, hint)
    return [row]
  })
  if (rows.length === 0) throw wrongLine(file, 1, hint)
  return rows
}

function textOf(file: string): string {
  try {
    const bytes = readFileSync(file)
    return new TextDecoder().decode(bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes)
  } catch (error) {
    throw fromFileSystemError(error, file)
  }
}

function fieldsOf(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line)
    // An object read from JSON has text keys; what they hold is looked at one by one.
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    // Reported with its number by the caller, as a row without fields.
    return {}
  }
}

function wrongLine(file: string, line: number, hint: string): MemoryError {
  return new MemoryError('INPUT_INVALID', `${file}, line ${line}: no row of such a data set`, {
    hint,
    data: { field: `line ${line}` },
  })
}

export function textAt(row: Record<string, unknown>, field: string): string | null {
  const value = row[field]
  return typeof value === 'string' ? value : null
}

export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}
