/** Labelled conversations: what a good memory saves from each, and what it must not. */
import { type MessageRole, type NoteType, noteTypes } from '../domain/index.ts'
import { readRows, textAt, textsOf } from './data-rows.ts'

const HINT =
  'A conversation is {id, lang, kind, date, existing, messages, keep, forbid}: existing {name, type, description}, messages {role, content}, keep {type, must, evidence}; patterns are regular expressions. One JSON object a line.'

export interface GateMessage {
  readonly role: MessageRole | 'system'
  readonly content: string
  readonly tool: string | null
  /** ISO 8601 with offset, or null; wins over the date of the conversation. */
  readonly at: string | null
}

export interface GateNote {
  readonly name: string
  readonly type: NoteType
  readonly description: string
}

/** A note to save. Patterns are sources of regular expressions, flags `iu`. */
export interface GateKeep {
  readonly type: NoteType
  readonly typeAlso: readonly NoteType[]
  readonly about: string | null
  readonly must: readonly string[]
  readonly mustNot: readonly string[]
  /** Index of the message that proves it. */
  readonly evidence: number
  readonly replaces: string | null
}

export interface GateRow {
  readonly id: string
  readonly lang: string
  readonly kind: string
  readonly date: string | null
  readonly existing: readonly GateNote[]
  readonly messages: readonly GateMessage[]
  /** Empty: silence is right. */
  readonly keep: readonly GateKeep[]
  /** Patterns that no saved text may contain. */
  readonly forbid: readonly string[]
}

/** In file order. Throws INPUT_INVALID that names the line. */
export function readGateRows(file: string): GateRow[] {
  return readRows(file, HINT, (row) => {
    const id = textAt(row, 'id')
    const messages = listOf(row.messages, messageOf)
    const [existing, keep] = [listOf(row.existing ?? [], noteOf), listOf(row.keep, keepOf)]
    const forbid = textsOf(row.forbid)
    if (id === null || !messages || messages.length === 0 || !existing || !keep || !forbid.every(isPattern)) return null
    if (!keep.every(({ evidence }) => messages[evidence]?.role === 'user')) return null
    const [lang, kind] = [textAt(row, 'lang') ?? 'all', textAt(row, 'kind') ?? 'all']
    return { id, lang, kind, date: textAt(row, 'date'), existing, messages, keep, forbid }
  })
}

type Fields = Readonly<Record<string, unknown>>

/** Null when it is no list, or one entry is none. */
function listOf<Value>(value: unknown, toValue: (fields: Fields) => Value | null): Value[] | null {
  if (!Array.isArray(value)) return null
  const values = value.flatMap((each: unknown) => {
    // An object read from JSON has text keys; what they hold is looked at one by one.
    const made = typeof each === 'object' && each !== null ? toValue(each as Fields) : null
    return made === null ? [] : [made]
  })
  return values.length === value.length ? values : null
}

const roles = ['user', 'assistant', 'tool', 'system'] as const

function messageOf(fields: Fields): GateMessage | null {
  const [role, content] = [roles.find((each) => each === fields.role), textAt(fields, 'content')]
  if (role === undefined || content === null) return null
  return { role, content, tool: textAt(fields, 'tool'), at: textAt(fields, 'at') }
}

function noteOf(fields: Fields): GateNote | null {
  const [name, type, description] = [textAt(fields, 'name'), typeOf(fields.type), textAt(fields, 'description')]
  return name === null || type === null || description === null ? null : { name, type, description }
}

function keepOf(fields: Fields): GateKeep | null {
  const [type, must, mustNot] = [typeOf(fields.type), textsOf(fields.must), textsOf(fields.mustNot)]
  const { evidence } = fields
  if (type === null || typeof evidence !== 'number' || ![...must, ...mustNot].every(isPattern)) return null
  const typeAlso = textsOf(fields.typeAlso).flatMap((each) => typeOf(each) ?? [])
  const [about, replaces] = [textAt(fields, 'about'), textAt(fields, 'replaces')]
  return { type, typeAlso, about, must, mustNot, evidence, replaces }
}

function typeOf(value: unknown): NoteType | null {
  return noteTypes.find((each) => each === value) ?? null
}

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, 'iu') instanceof RegExp
  } catch {
    // The row is told as wrong by its line.
    return false
  }
}
