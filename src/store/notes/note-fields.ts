/**
 * From raw front matter to the fields of a note (spec S1): defaults, derivations, problems. The full parser and the
 * scanner of hooks both end here, so they can only differ in what they read, never in what it means. No YAML.
 */
import type { Evidence, Note, NoteProblem, NoteStatus, NoteType } from '../../domain/index.ts'
import { DEFAULT_CONFIDENCE, evidenceRoles, noteStatuses, noteTypes } from '../../domain/index.ts'
import { isUlid } from '../../util/index.ts'
import { derivedId, describe, nameFrom, typePrefix } from './names.ts'
import { isoTime } from './note-time.ts'

/** A value as it stands in front matter: always text, lists and maps of text. `line` is the line in the file. */
export type RawValue =
  | { readonly kind: 'scalar'; readonly text: string; readonly plain: boolean; readonly line: number }
  | { readonly kind: 'list'; readonly items: readonly RawValue[]; readonly line: number }
  | { readonly kind: 'map'; readonly entries: RawFields; readonly line: number }

export type RawFields = ReadonlyMap<string, RawValue>

/** Everything of a note but its place, body and hash. */
export type NoteFields = Omit<Note, 'layer' | 'file' | 'body' | 'hash'>

export interface FieldPlace {
  /** Layer key. */
  readonly layer: string
  /** Path below the layer's folder. */
  readonly file: string
}

type Problems = NoteProblem[]

/** Fields with every default and derivation of S1. Values that make no sense become problems and the default. */
export function fieldsFrom(raw: RawFields, body: string, place: FieldPlace, found: readonly NoteProblem[]): NoteFields {
  const problems: Problems = [...found]
  const metadata = raw.get('metadata')
  const nested: RawFields = metadata?.kind === 'map' ? metadata.entries : new Map()
  const id = readId(raw.get('id'), problems)
  const fields = {
    id: id ?? derivedId(place.layer, place.file),
    idDerived: id === null,
    name:
      readText('name', raw.get('name'), problems) ??
      readText('title', raw.get('title'), []) ??
      nameFrom(body, place.file),
    description: readText('description', raw.get('description'), problems) ?? describe(body),
    type: readType(raw.get('type'), nested.get('type'), problems) ?? typeByPlace(place),
    created: readTime('created', raw.get('created'), problems),
    updated: latest([
      readTime('updated', raw.get('updated'), problems),
      readTime('modified', raw.get('modified'), problems),
      readTime('metadata.modified', nested.get('modified'), problems),
    ]),
    source: readSource(raw.get('source'), problems),
    confidence: readConfidence(raw.get('confidence'), problems),
    status: readChoice('status', noteStatuses, raw.get('status'), problems) ?? ('active' satisfies NoteStatus),
    pinned: readBoolean('pinned', raw.get('pinned'), problems) ?? false,
    tags: readList('tags', raw.get('tags'), problems).flatMap(splitTags),
    aliases: readList('aliases', raw.get('aliases'), problems).flatMap(splitTags),
    supersedes: readList('supersedes', raw.get('supersedes'), problems).map((item) => item.text),
    expires: isNothing(raw.get('expires')) ? null : readText('expires', raw.get('expires'), problems),
    appliesTo: readList('applies_to', raw.get('applies_to'), problems).map((item) => item.text),
    mutes: readList('mutes', raw.get('mutes'), problems).map((item) => item.text.trim().toUpperCase()),
  }
  return { ...fields, problems }
}

function invalid(key: string, value: RawValue, expected: string): NoteProblem {
  const shown = value.kind === 'scalar' ? JSON.stringify(value.text.slice(0, 40)) : `a ${value.kind}`
  return { kind: 'value-invalid', line: value.line, message: `${key} is ${shown}, expected ${expected}` }
}

/** True for a key that is absent, empty, or an unquoted null. */
function isNothing(value: RawValue | undefined): boolean {
  if (value === undefined) return true
  if (value.kind !== 'scalar') return false
  return value.text.trim() === '' || (value.plain && /^(?:null|~)$/i.test(value.text))
}

/** Text stays the text it was: `null`, `1.0` and `2025-10-24` are names like any other. */
function readText(key: string, value: RawValue | undefined, problems: Problems): string | null {
  if (value === undefined) return null
  if (value.kind === 'scalar') return value.text.trim() === '' ? null : value.text
  problems.push(invalid(key, value, 'text'))
  return null
}

function readId(value: RawValue | undefined, problems: Problems): string | null {
  if (value === undefined || isNothing(value)) return null
  if (value.kind === 'scalar' && isUlid(value.text)) return value.text.toUpperCase()
  problems.push(invalid('id', value, 'a ULID'))
  return null
}

function readChoice<Choice extends string>(
  key: string,
  choices: readonly Choice[],
  value: RawValue | undefined,
  problems: Problems,
): Choice | null {
  if (value === undefined || isNothing(value)) return null
  const text = value.kind === 'scalar' ? value.text.trim().toLowerCase() : ''
  const choice = choices.find((each) => each === text)
  if (choice === undefined) problems.push(invalid(key, value, choices.join(', ')))
  return choice ?? null
}

function readType(top: RawValue | undefined, nested: RawValue | undefined, problems: Problems): NoteType | null {
  return readChoice('type', noteTypes, top, problems) ?? readChoice('metadata.type', noteTypes, nested, problems)
}

function typeByPlace(place: FieldPlace): NoteType {
  return typePrefix(place.file) ?? (place.layer === 'global' ? 'user' : 'project')
}

function readTime(key: string, value: RawValue | undefined, problems: Problems): string | null {
  if (value === undefined || isNothing(value)) return null
  const time = value.kind === 'scalar' ? isoTime(value.text) : null
  if (time === null) problems.push(invalid(key, value, 'an ISO 8601 date'))
  return time
}

/** Another tool that keeps `modified` does not know our `updated`: the last change counts, whoever wrote it down. */
function latest(times: readonly (string | null)[]): string | null {
  return times.reduce((best, time) => (best === null || (time !== null && time > best) ? time : best), null)
}

function readConfidence(value: RawValue | undefined, problems: Problems): number {
  if (value === undefined || isNothing(value)) return DEFAULT_CONFIDENCE
  const text = value.kind === 'scalar' ? value.text.trim() : ''
  const number = /^[+]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN
  if (number >= 0 && number <= 1) return number
  problems.push(invalid('confidence', value, 'a number from 0 to 1'))
  return DEFAULT_CONFIDENCE
}

function readBoolean(key: string, value: RawValue | undefined, problems: Problems): boolean | null {
  const word = readChoice(key, ['true', 'false', 'yes', 'no', 'on', 'off'], value, problems)
  return word === null ? null : word === 'true' || word === 'yes' || word === 'on'
}

interface ListItem {
  readonly text: string
  /** It was the whole value, not an item of a list. */
  readonly alone: boolean
}

function readList(key: string, value: RawValue | undefined, problems: Problems): ListItem[] {
  if (value === undefined || isNothing(value)) return []
  if (value.kind === 'scalar') return [{ text: value.text.trim(), alone: true }]
  if (value.kind === 'map') {
    problems.push(invalid(key, value, 'a list of texts'))
    return []
  }
  return value.items.flatMap((item) => {
    if (item.kind === 'scalar') return item.text.trim() === '' ? [] : [{ text: item.text, alone: false }]
    problems.push(invalid(key, item, 'a text'))
    return []
  })
}

/** `tags: one, two` means two tags; inside a list a comma belongs to the tag. */
function splitTags(item: ListItem): string[] {
  if (!item.alone) return [item.text]
  return item.text
    .split(/[,，、]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function readSource(value: RawValue | undefined, problems: Problems): Evidence[] {
  if (value === undefined || isNothing(value)) return []
  if (value.kind === 'list') return value.items.map((item) => readEvidence(item, problems))
  return [readEvidence(value, problems)]
}

/**
 * An entry that cannot be read still says that somebody named a source. It counts as the assistant's words: it must
 * neither make a rule nor leave the note without evidence, which would make it the person's hand.
 */
function readEvidence(value: RawValue, problems: Problems): Evidence {
  const entries: RawFields = value.kind === 'map' ? value.entries : new Map()
  const text = (key: string): string | null => {
    const entry = entries.get(key)
    return entry?.kind === 'scalar' && !(entry.plain && isNothing(entry)) ? entry.text : null
  }
  const role = evidenceRoles.find((each) => each === text('role'))
  if (role === undefined) problems.push(invalid('source', value, 'entries with a role'))
  return {
    session: text('session'),
    message: text('message'),
    role: role ?? 'assistant',
    time: text('time'),
    quote: value.kind === 'scalar' ? value.text : text('quote'),
    hash: text('hash'),
  }
}
