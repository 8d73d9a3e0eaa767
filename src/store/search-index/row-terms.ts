/**
 * The terms of one row, column by column, as both drivers search them. The name and the description are the head:
 * a term there counts more. Grams of the head stay with the head, grams of the body have a column of their own.
 */
import { analyseText, TERM_BREAK, type TextTerms } from './analyse.ts'
import type { IndexedMessage, IndexedNoteRow, NoteText } from './search-index.ts'

export interface RowTerms {
  /** Terms of each column in order; phrases do not cross columns or TERM_BREAK. */
  readonly columns: readonly (readonly string[])[]
  /** How many of the first columns are the head. */
  readonly headColumns: number
  /** Number of words in the row; two characters of a script without spaces count as one word. */
  readonly length: number
}

export const noteColumns = ['name', 'description', 'body', 'grams'] as const
export const messageColumns = ['speaker', 'body', 'grams'] as const

/** Columns name, description (with tags and aliases), body, grams. */
export function noteTerms(note: NoteText): RowTerms {
  const name = analyseText(note.name)
  const description = analyseText([note.description, ...note.tags, ...note.aliases].join('\n'))
  const body = analyseText(note.body)
  return {
    columns: [everything(name), everything(description), spoken(body), body.grams],
    headColumns: 2,
    length: sizeOf(name) + sizeOf(description) + sizeOf(body),
  }
}

/** Columns speaker, body, grams: a question often names who said it. */
export function messageTerms(message: Pick<IndexedMessage, 'speaker' | 'body'>): RowTerms {
  const speaker = analyseText(message.speaker)
  const body = analyseText(message.body)
  return {
    columns: [everything(speaker), spoken(body), body.grams],
    headColumns: 0,
    length: sizeOf(speaker) + sizeOf(body),
  }
}

function spoken({ words, extras }: TextTerms): string[] {
  return extras.length === 0 ? [...words] : [...words, TERM_BREAK, ...extras]
}

function everything(terms: TextTerms): string[] {
  return terms.grams.length === 0 ? spoken(terms) : [...spoken(terms), TERM_BREAK, ...terms.grams]
}

function sizeOf({ words, grams }: TextTerms): number {
  return words.length + Math.ceil(grams.length / 2)
}

/** Whether two rows hold the same words, as far as a search can tell: what is masked may change with our rules. */
export function hasSameWords(one: IndexedNoteRow, other: IndexedNoteRow): boolean {
  return (
    one.textKey === other.textKey &&
    one.withheld === other.withheld &&
    one.name === other.name &&
    one.description === other.description &&
    one.tags.join('\n') === other.tags.join('\n') &&
    one.aliases.join('\n') === other.aliases.join('\n')
  )
}
