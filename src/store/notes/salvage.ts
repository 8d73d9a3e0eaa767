/**
 * What can still be told of front matter that does not parse (`description: Rule: always …` is the common case): the
 * one-line values of our own keys, as text. Enough to keep the note's id and name; the file itself stays untouched.
 */
import type { RawFields, RawValue } from './note-fields.ts'

const SALVAGED_KEYS: ReadonlySet<string> = new Set([
  'name',
  'title',
  'description',
  'type',
  'id',
  'created',
  'updated',
  'modified',
  'status',
  'pinned',
  'confidence',
])

/** First `key: value` of each key of ours; values that open a list, map or block are left out. */
export function salvageFields(header: string, firstLine: number): RawFields {
  const fields = new Map<string, RawValue>()
  header.split('\n').forEach((line, index) => {
    const match = /^([a-z]+):[ ]+(\S.*)$/su.exec(line.trimEnd())
    const [key, value] = [match?.[1], match?.[2]]
    if (key === undefined || value === undefined || !SALVAGED_KEYS.has(key) || fields.has(key)) return
    if (/^[[{|>&*!%@`]/.test(value)) return
    const quoted = /^"(.*)"$|^'(.*)'$/su.exec(value)
    const text = quoted?.[1] ?? quoted?.[2] ?? value
    fields.set(key, { kind: 'scalar', text, plain: quoted === null, line: firstLine + index })
  })
  return fields
}

/** Whether broken front matter holds keys at all; text between two lines across the page holds none. */
export function looksLikeKeys(header: string): boolean {
  return header.split('\n').some((line) => /^[ \t]*["']?[\p{L}_][\p{L}\p{N}_-]*["']?[ \t]*:(?:\s|$)/u.test(line))
}

/** The lines of front matter that was never closed: up to the first line that is neither key nor part of one. */
export function unclosedHeader(text: string): string {
  const lines = text.split('\n')
  const end = lines.findIndex((line, index) => index > 0 && !/^(?:[\p{L}_"'][^\n]*:|[ \t]+\S|#)/u.test(line))
  return lines.slice(1, end === -1 ? lines.length : end).join('\n')
}
