/**
 * Records on one line. Normally one; two glued together happen when two processes appended at once, and a torn one
 * followed by a whole one when a client was killed while writing and resumed later.
 */
import { endOfJsonObject } from '../../util/index.ts'
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
    const end = endOfJsonObject(rest)
    const row = end > 0 ? parseRow(rest.slice(0, end)) : null
    if (!row) break
    rows.push(row)
    rest = rest.slice(end).trimStart()
    if (rest === '') return { rows, damaged: false }
  }
  const last = wholeRecordAtEnd(rest, shape)
  return { rows: last ? [...rows, last] : rows, damaged: true }
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
