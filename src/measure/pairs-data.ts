/** Labelled pairs of notes: one that is kept, and one that a writer brings. */
import { type NoteType, noteTypes } from '../domain/index.ts'
import { readRows, textAt } from './data-rows.ts'

const HINT =
  'A pair is {id, lang, existing, incoming, label}; a note is {type, name, description, body}; a label is same, update, sibling or unrelated. One JSON object a line.'

export const pairLabels = ['same', 'update', 'sibling', 'unrelated'] as const
export type PairLabel = (typeof pairLabels)[number]

export interface PairNote {
  readonly type: NoteType
  readonly name: string
  readonly description: string
  readonly body: string
}

export interface PairRow {
  readonly id: string
  readonly lang: string
  readonly existing: PairNote
  readonly incoming: PairNote
  readonly label: PairLabel
}

/** In file order. Throws INPUT_INVALID that names the line. */
export function readPairs(file: string): PairRow[] {
  return readRows(file, HINT, (row) => {
    const [id, label] = [textAt(row, 'id'), pairLabels.find((each) => each === row.label)]
    const [existing, incoming] = [noteAt(row, 'existing'), noteAt(row, 'incoming')]
    if (id === null || label === undefined || !existing || !incoming) return null
    return { id, lang: textAt(row, 'lang') ?? 'all', existing, incoming, label }
  })
}

function noteAt(row: Record<string, unknown>, field: string): PairNote | null {
  const value = row[field]
  if (typeof value !== 'object' || value === null) return null
  // An object read from JSON has text keys; what they hold is looked at one by one.
  const fields = value as Record<string, unknown>
  const [name, description, body] = [textAt(fields, 'name'), textAt(fields, 'description'), textAt(fields, 'body')]
  const type = noteTypes.find((each) => each === fields.type)
  if (type === undefined || name === null || body === null) return null
  return { type, name, description: description ?? '', body }
}
