/**
 * Reads the head of a note without a YAML parser, for hooks (decisions: no YAML there). It knows only simple one-line
 * forms and our own. Must stay true: whenever it answers, the full parser gives the same fields; else it says `unsure`.
 */
import { evidenceRoles } from '../../domain/index.ts'
import { formatEvidence } from './front-matter-text.ts'
import { openingEnd } from './names.ts'
import { bodyText, parseNoteText } from './note-document.ts'
import { type FieldPlace, fieldsFrom, type NoteFields, type RawFields, type RawValue } from './note-fields.ts'

/** How much of a file is looked at (spec R1). */
export const MAX_HEAD_LINES = 30
export const MAX_HEAD_CHARACTERS = 8_192

export type ScannedHead = NoteFields

/** The fields of a note from its first 30 lines, or `unsure`. `text` may be the whole file. Never throws. */
export function scanNoteHead(text: string, place: FieldPlace): ScannedHead | 'unsure' {
  const head = text.slice(0, headEnd(text))
  const whole = head.length === text.length
  const document = parseNoteText(head)
  if (document.unclosed) return 'unsure'
  if (document.opening === '')
    return /^\u{feff}?---[ \t]*\r?$/mu.test(firstLine(head)) && !whole ? 'unsure' : bare(head, whole, place)
  // The closing line may go on beyond the head.
  if (!whole && !document.closing.endsWith('\n')) return 'unsure'
  const raw = readSimpleFields(document.frontMatter, 2)
  if (raw === null) return 'unsure'
  const body = bodyText(document.body)
  const needsBody = !hasText(raw, 'name', 'title') || !hasText(raw, 'description')
  if (needsBody && !whole && !openingIsComplete(body)) return 'unsure'
  return fieldsFrom(raw, body, place, [])
}

function bare(head: string, whole: boolean, place: FieldPlace): ScannedHead | 'unsure' {
  const body = bodyText(head.replace(/^\u{feff}/u, ''))
  if (!whole && !openingIsComplete(body)) return 'unsure'
  return fieldsFrom(new Map(), body, place, [])
}

function headEnd(text: string): number {
  let end = 0
  for (let line = 0; line < MAX_HEAD_LINES && end < MAX_HEAD_CHARACTERS; line++) {
    const newline = text.indexOf('\n', end)
    if (newline === -1) return Math.min(text.length, MAX_HEAD_CHARACTERS)
    end = newline + 1
  }
  return Math.min(end, MAX_HEAD_CHARACTERS)
}

function firstLine(text: string): string {
  const newline = text.indexOf('\n')
  return newline === -1 ? text : text.slice(0, newline)
}

/** True when more text after `body` could not change what names and describes the note. */
function openingIsComplete(body: string): boolean {
  return openingEnd(body) < body.length
}

function hasText(raw: RawFields, ...keys: readonly string[]): boolean {
  return keys.some((key) => {
    const value = raw.get(key)
    return value?.kind === 'scalar' && value.text.trim() !== ''
  })
}

/** Characters that YAML treats in ways of its own. */
const UNSAFE =
  /[\u{0}-\u{9}\u{b}-\u{c}\u{e}-\u{1f}\u{7f}-\u{9f}\u{2028}\u{2029}\u{d800}-\u{dfff}\u{feff}\u{fffe}\u{ffff}]|\r(?!\n)/u
const KEY_LINE = /^([A-Za-z_][A-Za-z0-9_-]{0,63}):(?: +(.*))?$/su

/** Fields of front matter whose every line has a simple form; null for anything else. */
function readSimpleFields(header: string, firstLineNumber: number): RawFields | null {
  if (UNSAFE.test(header)) return null
  const lines = header.split('\n').map((line) => line.replace(/\r$/, '').replace(/ +$/, ''))
  const fields = new Map<string, RawValue>()
  for (let index = 0; index < lines.length; ) {
    const text = lines[index] ?? ''
    const line = firstLineNumber + index
    index++
    if (text === '' || text.startsWith('#')) continue
    const match = KEY_LINE.exec(text)
    const key = match?.[1]
    if (key === undefined || fields.has(key)) return null
    const block = match?.[2] === undefined ? blockLines(lines, index) : []
    const value = block.length > 0 ? readBlock(block, line + 1) : readInline(match?.[2] ?? '', line)
    if (value === null) return null
    fields.set(key, value)
    index += block.length
  }
  return fields
}

/** Lines right below an empty key that belong to it: indented ones, or items of a list. */
function blockLines(lines: readonly string[], from: number): string[] {
  const end = lines.findIndex((text, index) => index >= from && !/^(?: |- )/.test(text))
  return lines.slice(from, end === -1 ? lines.length : end)
}

function readBlock(block: readonly string[], line: number): RawValue | null {
  const indent = /^ */.exec(block[0] ?? '')?.[0] ?? ''
  const rest = block.map((text) => (text.startsWith(indent) ? text.slice(indent.length) : ''))
  if (rest.some((text) => text === '' || text.startsWith(' '))) return null
  if (rest.every((text) => text.startsWith('- '))) {
    const items = rest.map((text, index) => readItem(text.slice(2).trimStart(), line + index))
    return items.every((item) => item !== null) ? { kind: 'list', items, line } : null
  }
  return indent === '' ? null : readNestedMap(rest, line)
}

function readNestedMap(rest: readonly string[], line: number): RawValue | null {
  const entries = new Map<string, RawValue>()
  for (const [index, text] of rest.entries()) {
    const match = KEY_LINE.exec(text)
    const value = match ? readInline(match[2] ?? '', line + index) : null
    if (match?.[1] === undefined || value === null || entries.has(match[1])) return null
    entries.set(match[1], value)
  }
  return { kind: 'map', entries, line }
}

function readItem(text: string, line: number): RawValue | null {
  if (text.startsWith('{')) return readEvidenceItem(text, line)
  return text.startsWith('[') ? null : readInline(text, line)
}

/** As we print it when no character needs an escape (`UNSAFE` ones were sent away before). */
const PLAIN_EVIDENCE =
  /^\{(?:"session": "([^"\\]*)", )?(?:"message": "([^"\\]*)", )?"role": "([^"\\]*)"(?:, "time": "([^"\\]*)")?(?:, "quote": "([^"\\]*)")?(?:, "hash": "([^"\\]*)")?\}$/
const EVIDENCE_KEYS = ['session', 'message', 'role', 'time', 'quote', 'hash'] as const

/** Only the exact line that we would print: JSON says nothing of repeated keys, our own text has none. */
function readEvidenceItem(text: string, line: number): RawValue | null {
  const plain = PLAIN_EVIDENCE.exec(text)
  if (plain === null) return readEscapedEvidence(text, line)
  if (!evidenceRoles.some((role) => role === plain[3])) return null
  const entries = new Map<string, RawValue>()
  for (const [place, key] of EVIDENCE_KEYS.entries()) {
    const value = plain[place + 1]
    if (value !== undefined) entries.set(key, { kind: 'scalar', text: value, plain: false, line })
  }
  return { kind: 'map', entries, line }
}

function readEscapedEvidence(text: string, line: number): RawValue | null {
  const parsed = parseJson(text)
  if (typeof parsed !== 'object' || parsed === null) return null
  const entries = new Map<string, RawValue>()
  for (const [key, value] of Object.entries(parsed)) {
    if (typeof value !== 'string') return null
    entries.set(key, { kind: 'scalar', text: value, plain: false, line })
  }
  const field = (key: string): string | null => {
    const value = entries.get(key)
    return value?.kind === 'scalar' ? value.text : null
  }
  const role = evidenceRoles.find((each) => each === field('role'))
  if (role === undefined) return null
  const [session, message, , time, quote, hash] = EVIDENCE_KEYS.map(field)
  const printed = formatEvidence({
    session: session ?? null,
    message: message ?? null,
    role,
    time: time ?? null,
    quote: quote ?? null,
    hash: hash ?? null,
  })
  return printed === text ? { kind: 'map', entries, line } : null
}

function readInline(text: string, line: number): RawValue | null {
  if (text === '') return { kind: 'scalar', text: '', plain: true, line }
  if (text.startsWith('"')) {
    const parsed = parseJson(text)
    return typeof parsed === 'string' ? { kind: 'scalar', text: parsed, plain: false, line } : null
  }
  if (text.startsWith("'")) {
    if (!/^'(?:[^']|'')*'$/u.test(text)) return null
    return { kind: 'scalar', text: text.slice(1, -1).replaceAll("''", "'"), plain: false, line }
  }
  if (text.startsWith('[')) return readFlowList(text, line)
  return isPlain(text) ? { kind: 'scalar', text, plain: true, line } : null
}

/** A list of bare words, or a JSON list of strings. */
function readFlowList(text: string, line: number): RawValue | null {
  if (/^\[ *\]$/.test(text)) return { kind: 'list', items: [], line }
  if (text.startsWith('["')) {
    const parsed = parseJson(text)
    if (!Array.isArray(parsed) || !parsed.every((item): item is string => typeof item === 'string')) return null
    return { kind: 'list', items: parsed.map((item) => ({ kind: 'scalar', text: item, plain: false, line })), line }
  }
  const inner = /^\[([^[\]{}"'#:&*!|>%@`\\]*)\]$/u.exec(text)?.[1]
  const items = inner?.split(',').map((item) => item.replace(/^ +| +$/g, ''))
  if (items === undefined || items.some((item) => item === '' || /^[-?]/.test(item))) return null
  return { kind: 'list', items: items.map((item) => ({ kind: 'scalar', text: item, plain: true, line })), line }
}

/** A plain scalar that ends on its line and that no reader takes for anything else. */
function isPlain(text: string): boolean {
  if (/^[-?:,[\]{}#&*!|>'"%@`\s]/u.test(text)) return false
  return !text.includes(': ') && !text.endsWith(':') && !text.includes(' #')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON: the caller answers `unsure`.
    return undefined
  }
}
