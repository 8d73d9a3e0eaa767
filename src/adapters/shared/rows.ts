/** Small tools to look into rows whose shape is not ours. Nothing here throws. */

export type Row = Readonly<Record<string, unknown>>

export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function rowAt(row: Row, key: string): Row | null {
  const value = row[key]
  return isRow(value) ? value : null
}

export function textAt(row: Row, key: string): string | null {
  const value = row[key]
  return typeof value === 'string' ? value : null
}

/** The object on a line, or null when the line is no whole JSON object. */
export function parseRow(line: string): Row | null {
  try {
    const value: unknown = JSON.parse(line)
    return isRow(value) ? value : null
  } catch {
    // Not JSON: the caller counts it, there is nothing to report about it.
    return null
  }
}

/** Whether a row with this text somewhere in it is such a row. Rows without the text are not parsed. */
export function someRow(transcript: string, text: string, isSuch: (row: Row) => boolean): boolean {
  return transcript.split('\n').some((line) => {
    const row = line.includes(text) ? parseRow(line) : null
    return row !== null && isSuch(row)
  })
}

/** A kind from a file that is not ours, made safe to print. */
export function printableKind(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]+/g, '').slice(0, 40) || 'unnamed'
}
