/**
 * What a model answers when it is asked which notes a piece of a conversation proves. Unknown fields are refused, fields
 * that models like to call by another name are listed here; nothing is guessed beyond that (spec W19).
 */
import { z } from 'zod'
import { noteTypes } from '../../domain/index.ts'
import { unescapeFenced } from '../../guard/index.ts'

/** The prompt asks for ten; more than this is no selection. */
const MAX_NOTES = 20
/** UTF-16 units. A name is a label, a description one line of an index, a note a few sentences. */
const MAX_NAME = 120
const MAX_DESCRIPTION = 400
const MAX_TEXT = 4_000
const MAX_QUOTES = 3
const MAX_QUOTE = 600

/** Other names of the fields, all of which mean one of ours. */
const aliases = {
  memories: 'notes',
  facts: 'notes',
  kind: 'type',
  category: 'type',
  title: 'name',
  subject: 'name',
  summary: 'description',
  content: 'text',
  body: 'text',
  detail: 'text',
  details: 'text',
  memory: 'text',
  evidence: 'quotes',
  index: 'message',
  number: 'message',
  messageNumber: 'message',
  message_number: 'message',
  quote: 'words',
  supersedes: 'replaces',
} as const satisfies Readonly<Record<string, string>>

/** What is copied out of a fence still has its signs. */
const words = (maxLength: number) => z.string().trim().min(1).max(maxLength).overwrite(unescapeFenced)

const line = (maxLength: number) => words(maxLength).regex(/^[^\n\r]*$/, 'must be one line')

/** Written in the prompt as `#7`. */
const messageNumber = z.preprocess(
  (value) => (typeof value === 'string' && /^#?\d{1,9}$/.test(value) ? Number(value.replace('#', '')) : value),
  z.int().min(0),
)

const note = z.strictObject({
  type: z.enum(noteTypes),
  name: line(MAX_NAME),
  description: line(MAX_DESCRIPTION),
  text: words(MAX_TEXT),
  quotes: z
    .array(z.strictObject({ message: messageNumber, words: words(MAX_QUOTE) }))
    .min(1)
    .max(MAX_QUOTES),
  replaces: words(MAX_NAME).nullable().default(null),
})

/** A bare list is the list of notes. */
const schema = z.preprocess(
  (value) => (Array.isArray(value) ? { notes: value } : value),
  z.strictObject({ notes: z.array(note).max(MAX_NOTES) }),
)

export type ExtractAnswer = z.infer<typeof schema>
/** One memory that a model proposes. Nobody has checked it yet: its quotes are claims. */
export type OfferedNote = ExtractAnswer['notes'][number]

const nothing: ExtractAnswer = { notes: [] }

/** How the answer is read. */
export const extractShape = { schema, aliases, nothing }
