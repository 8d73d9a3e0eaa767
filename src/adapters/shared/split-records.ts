/**
 * Records on one line. Normally one; two glued together happen when two processes appended at once, and a torn one
 * followed by a whole one when a client was killed while writing and resumed later.
 */
import { parseRow, type Row } from './rows.ts'

export interface SplitLine {
  readonly rows: readonly Row[]
  /** Something on the line was no record. */
  readonly damaged: boolean
}

/** How the records of one client look, so that a whole one is known behind a torn one. */
export interface RecordShape {
  /** Texts that a record begins with. */
  readonly beginnings: readonly string[]
  readonly isWhole: (row: Row) => boolean
}

export function splitRecords(line: string, shape: RecordShape): SplitLine {
  const whole = parseRow(line)
  if (whole) return { rows: [whole], damaged: false }
  const rows: Row[] = []
  let rest = line
  for (;;) {
    const end = endOfObject(rest)
    const row = end > 0 ? parseRow(rest.slice(0, end)) : null
    if (!row) break
    rows.push(row)
    rest = rest.slice(end).trimStart()
    if (rest === '') return { rows, damaged: false }
  }
  const last = wholeRecordAtEnd(rest, shape)
  return { rows: last ? [...rows, last] : rows, damaged: true }
}

/** Length of the JSON object that the text begins with, or -1. Knows strings and escapes, nothing more. */
function endOfObject(text: string): number {
  if (!text.startsWith('{')) return -1
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (inString) {
      if (character === '\\') index++
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === '{') depth++
    else if (character === '}' && --depth === 0) return index + 1
  }
  return -1
}

/**
 * A record as the client begins them, up to the end of the line. Within a string its quotes would be escaped, and an
 * object nested in the torn record would be followed by more, so neither is taken for one.
 */
function wholeRecordAtEnd(text: string, { beginnings, isWhole }: RecordShape): Row | null {
  const start = Math.max(...beginnings.map((beginning) => text.lastIndexOf(beginning)))
  const row = start > 0 ? parseRow(text.slice(start)) : null
  return row && isWhole(row) ? row : null
}
