/** The two files of a retrieval data set: turns of conversations, and questions with their gold turns and sessions. */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { fromFileSystemError, MemoryError } from '../errors.ts'

/** One turn: conversation, session, turn id, time, speaker, text. */
export interface TurnRow {
  readonly c: string
  readonly s: string
  readonly t: string
  readonly ts: string | null
  readonly r: string
  readonly x: string
}

/** One question: conversation, id, text, category, gold turns, gold sessions. */
export interface QuestionRow {
  readonly c: string
  readonly id: string
  readonly q: string
  readonly cat: string
  readonly gt: readonly string[]
  readonly gs: readonly string[]
}

/** In file order. Throws INPUT_INVALID that names the line. */
export function readTurns(file: string): TurnRow[] {
  return rowsOf(file, (row) => {
    const [c, s, t, x] = [textAt(row, 'c'), textAt(row, 's'), textAt(row, 't'), textAt(row, 'x')]
    if (c === null || s === null || t === null || x === null) return null
    return { c, s, t, ts: textAt(row, 'ts'), r: textAt(row, 'r') ?? 'user', x }
  })
}

/** In file order. Throws INPUT_INVALID that names the line. */
export function readQuestions(file: string): QuestionRow[] {
  return rowsOf(file, (row) => {
    const [c, id, q] = [textAt(row, 'c'), textAt(row, 'id'), textAt(row, 'q')]
    if (c === null || id === null || q === null) return null
    return { c, id, q, cat: textAt(row, 'cat') ?? 'all', gt: textsOf(row.gt), gs: textsOf(row.gs) }
  })
}

function rowsOf<Row>(file: string, toRow: (row: Record<string, unknown>) => Row | null): Row[] {
  const lines = textOf(file).split('\n')
  const rows = lines.flatMap((line, at) => {
    if (line.trim() === '') return []
    const row = toRow(fieldsOf(line))
    if (row === null) throw wrongLine(file, at + 1)
    return [row]
  })
  if (rows.length === 0) throw wrongLine(file, 1)
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

function wrongLine(file: string, line: number): MemoryError {
  return new MemoryError('INPUT_INVALID', `${file}, line ${line}: no row of a retrieval data set`, {
    hint: 'Turns are {c, s, t, ts, r, x}, questions {c, id, q, cat, gt, gs}; one JSON object a line, gzip or plain.',
    data: { field: `line ${line}` },
  })
}

function textAt(row: Record<string, unknown>, field: string): string | null {
  const value = row[field]
  return typeof value === 'string' ? value : null
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}
