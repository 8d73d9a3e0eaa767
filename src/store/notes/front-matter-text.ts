/**
 * How our own front matter is written: fixed order, one line per key, quoted whenever another YAML reader could take the
 * text for something else. Must stay true: what is written here is read back as the same strings.
 */
import type { Evidence, NoteStatus, NoteType } from '../../domain/index.ts'
import { DEFAULT_CONFIDENCE } from '../../domain/index.ts'
import { wellFormed } from '../../util/index.ts'

/** The values that front matter can hold. Optional ones are written only when they differ from the default. */
export interface NewNoteFields {
  readonly name: string
  readonly description: string
  readonly type: NoteType
  readonly id: string
  /** UTC ISO 8601. */
  readonly created: string
  readonly updated: string
  readonly pinned?: boolean
  readonly status?: NoteStatus
  readonly confidence?: number
  readonly tags?: readonly string[]
  readonly appliesTo?: readonly string[]
  readonly supersedes?: readonly string[]
  readonly expires?: string | null
  readonly source?: readonly Evidence[]
}

export type NoteFieldName = keyof NewNoteFields

/** Order of the keys in a new file, and what each is called there. */
export const frontMatterKeys = {
  name: 'name',
  description: 'description',
  type: 'type',
  id: 'id',
  created: 'created',
  updated: 'updated',
  pinned: 'pinned',
  status: 'status',
  confidence: 'confidence',
  tags: 'tags',
  appliesTo: 'applies_to',
  supersedes: 'supersedes',
  expires: 'expires',
  source: 'source',
} as const satisfies Record<NoteFieldName, string>

// Object.keys gives string[]; the record above has exactly these keys.
export const fieldNames = Object.keys(frontMatterKeys) as readonly NoteFieldName[]

/** The text after `key:`, without the space: one line, or lines that begin with an end of line. */
export function formatField(fields: Partial<NewNoteFields>, name: NoteFieldName, eol: string, indent = ''): string {
  const value = fields[name]
  if (value === undefined || value === null) return ''
  if (name === 'source') return formatSource(fields.source ?? [], eol, indent)
  if (typeof value === 'string') return formatText(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  // `source` is handled above: the lists that are left hold texts.
  return formatList(value as readonly string[])
}

/** True when leaving the key out means the same. */
export function isDefault(fields: Partial<NewNoteFields>, name: NoteFieldName): boolean {
  const value = fields[name]
  if (value === undefined || value === null) return true
  if (Array.isArray(value)) return value.length === 0
  if (name === 'pinned') return value === false
  if (name === 'status') return value === 'active'
  return name === 'confidence' && value === DEFAULT_CONFIDENCE
}

/** A text as a YAML scalar on one line: plain when nobody can misread it, else in JSON quotes. */
export function formatText(text: string): string {
  if (PLAIN.test(text) && !/[\s.]$/u.test(text) && !LOOKS_LIKE_A_WORD_OF_YAML.test(text)) return text
  if (UTC_TIME.test(text) || (ULID.test(text) && !/^[\dE]+$/i.test(text))) return text
  return quote(text)
}

/** One entry of `source`: a flow map in JSON, so that a reader without YAML can tell the roles. */
export function formatEvidence(evidence: Evidence): string {
  const { session, message, role, time, quote: words, hash } = evidence
  const present = Object.entries({ session, message, role, time, quote: words, hash }).flatMap(([key, value]) =>
    value === null ? [] : [`${quote(key)}: ${quote(value)}`],
  )
  return `{${present.join(', ')}}`
}

const PLAIN = /^\p{L}[\p{L}\p{M}\p{N} _./()+~,;!?=@$%'，。！？、；（）《》“”‘’–—-]*$/u
const LOOKS_LIKE_A_WORD_OF_YAML = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf|infinity)$/i
const UTC_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/
const ESCAPED = /[\u{7f}-\u{9f}\u{2028}\u{2029}\u{feff}\u{fffe}\u{ffff}]/gu

function quote(text: string): string {
  return JSON.stringify(wellFormed(text)).replace(
    ESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** All plain or all quoted, so that the list is either bare words or JSON. */
function formatList(items: readonly string[]): string {
  const bare = items.every(
    (item) => /^\p{L}[\p{L}\p{M}\p{N}_/-]*$/u.test(item) && !LOOKS_LIKE_A_WORD_OF_YAML.test(item),
  )
  return `[${items.map((item) => (bare ? item : quote(item))).join(', ')}]`
}

function formatSource(source: readonly Evidence[], eol: string, indent: string): string {
  if (source.length === 0) return '[]'
  return source.map((evidence) => `${eol}${indent}  - ${formatEvidence(evidence)}`).join('')
}
