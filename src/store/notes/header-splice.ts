/**
 * Splices in front matter by source range. Knows where a key, its value and its comments lie; knows nothing of notes.
 * Must stay true: after each step the text parses, the key reads as asked, and every other key has the same source and
 * the same value, in the same order.
 */
import { type Document, isMap, isScalar, isSeq, type Pair, type YAMLMap } from 'yaml'
import type { RawValue } from './note-fields.ts'
import { parseYaml, rawValue } from './yaml-front-matter.ts'

/** Front matter that parsed as a block of keys (or is empty). */
export interface Header {
  readonly text: string
  readonly eol: '\n' | '\r\n'
  /** White space before each key. */
  readonly indent: string
  readonly document: Document.Parsed
}

/** Called with what is wrong; throws. */
export type Fail = (message: string) => never

/** Front matter to splice in. */
export function openHeader(text: string, eol: '\n' | '\r\n', fail: Fail): Header {
  const parsed = parseYaml(text)
  if (parsed === null || parsed.errors.length > 0) return fail('The front matter cannot be read')
  const { document } = parsed
  const first = mapOf(document)?.items[0]
  const start = first ? lineStart(text, startOf(first.key)) : 0
  return { text, eol, indent: /^ */.exec(text.slice(start))?.[0] ?? '', document }
}

export function hasKey(header: Header, path: readonly string[]): boolean {
  return find(mapOf(header.document), path) !== null
}

/** Puts a value where the old one stands; comments and everything around it stay. */
export function setKey(header: Header, path: readonly string[], value: string, fail: Fail): Header {
  const { text } = header
  const pair = find(mapOf(header.document), path)
  const colon = pair && afterColon(pair)
  if (pair === null || colon === null) return fail(`The key ${path.join('.')} has no place for a value`)
  const old = pair.value
  const isEmpty = isScalar(old) && old.range?.[0] === old.range?.[1]
  const end = isEmpty ? colon : Math.max(colon, valueEnd(old, text))
  const between = isEmpty ? '' : text.slice(colon, Math.max(colon, startOf(old)))
  // An anchor or a tag on the line of the key describes the old value and goes with it; comments stay.
  const kept = between.includes('\n') ? between.replace(/[ \t]*$/, '') : ''
  // The lines of a block value are gone: what is left of its last one goes too, unless it holds a comment.
  const rest = kept === '' ? text.slice(end) : kept + text.slice(end).replace(/^[ \t]*\r?\n/, '')
  return checked(header, text.slice(0, colon) + spaced(value) + rest, { path, value }, fail)
}

/** Takes out the lines of a key, with the comments between them. A key that is not there is fine. */
export function removeKey(header: Header, key: string, fail: Fail): Header {
  const { text } = header
  const pair = find(mapOf(header.document), [key])
  if (pair === null) return header
  refuseBraces(header, fail)
  const end = Math.max(afterColon(pair) ?? 0, valueEnd(pair.value, text))
  const newline = text.indexOf('\n', end)
  const next = text.slice(0, lineStart(text, startOf(pair.key))) + (newline === -1 ? '' : text.slice(newline + 1))
  return checked(header, next, { path: [key], value: null }, fail)
}

/** Adds a key as the last line. */
export function insertKey(header: Header, key: string, value: string, fail: Fail): Header {
  refuseBraces(header, fail)
  const next = `${header.text}${header.indent}${key}:${spaced(value)}${header.eol}`
  return checked(header, next, { path: [key], value }, fail)
}

function refuseBraces(header: Header, fail: Fail): void {
  if (mapOf(header.document)?.flow) fail('The front matter stands in braces')
}

/** A value of several lines begins with its own end of line. */
function spaced(value: string): string {
  return /^\r?\n/.test(value) ? value : ` ${value}`
}

function mapOf(document: Document.Parsed): YAMLMap | null {
  return isMap(document.contents) ? document.contents : null
}

function find(map: YAMLMap | null, path: readonly string[]): Pair | null {
  const [key, ...rest] = path
  const pair = map?.items.find((each) => isScalar(each.key) && each.key.value === key)
  if (pair === undefined) return null
  if (rest.length === 0) return pair
  return isMap(pair.value) ? find(pair.value, rest) : null
}

/** Offset right after the `:` of a pair. */
function afterColon(pair: Pair): number | null {
  const colon = pair.srcToken?.sep?.find((token) => token.type === 'map-value-ind')
  return colon ? colon.offset + 1 : null
}

/** Offset after the last character of a value, without the end of its line or the comments below it. */
function valueEnd(node: unknown, text: string): number {
  if (isSeq(node) && !node.flow) return Math.max(startOf(node) + 1, valueEnd(node.items.at(-1), text))
  if (isMap(node) && !node.flow) {
    const last = node.items.at(-1)
    return last ? Math.max(rangeOf(last.key)[1], afterColon(last) ?? 0, valueEnd(last.value, text)) : startOf(node)
  }
  const [start, end] = rangeOf(node)
  return start + text.slice(start, end).trimEnd().length
}

function startOf(node: unknown): number {
  return rangeOf(node)[0]
}

/** Where a node begins and where its value ends, in the source. */
function rangeOf(node: unknown): [number, number] {
  if (typeof node !== 'object' || node === null || !('range' in node) || !Array.isArray(node.range)) return [0, 0]
  return [Number(node.range[0]), Number(node.range[1])]
}

function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1
}

interface Change {
  readonly path: readonly string[]
  /** Null = taken out. */
  readonly value: string | null
}

function checked(before: Header, text: string, { path, value }: Change, fail: Fail): Header {
  const name = path.join('.')
  const after = openHeader(text, before.eol, () => fail(`The key ${name} cannot be changed alone`))
  if (otherKeys(before, path) !== otherKeys(after, path)) fail(`Changing ${name} would change another key`)
  const wanted = value === null ? null : plainAt(openHeader(`x:${spaced(value)}\n`, before.eol, fail), ['x'])
  if (plainAt(after, path) !== wanted) fail(`The key ${name} cannot be set`)
  return after
}

/** Every key but the one at `path`, with the source and the meaning of its value, in order. */
function otherKeys({ document, text }: Header, path: readonly string[]): string {
  const list = (map: YAMLMap | null, [skipped, ...rest]: readonly string[], prefix: string): string[] =>
    (map?.items ?? []).flatMap((pair) => {
      const key = isScalar(pair.key) ? String(pair.key.value) : text.slice(...rangeOf(pair.key))
      if (key === skipped) return rest.length > 0 && isMap(pair.value) ? list(pair.value, rest, `${key}.`) : []
      const source = text.slice(startOf(pair.key), Math.max(rangeOf(pair.key)[1], valueEnd(pair.value, text)))
      return [`${prefix}${key}`, source, meaning(pair.value, document)]
    })
  return JSON.stringify(list(mapOf(document), path, ''))
}

function plainAt({ document }: Header, path: readonly string[]): string | null {
  const pair = find(mapOf(document), path)
  return pair && meaning(pair.value, document)
}

/** A value without where it stands and how it is quoted, as one text to compare. */
function meaning(node: unknown, document: Document.Parsed): string {
  const plain = (value: RawValue): unknown => {
    if (value.kind === 'scalar') return value.text
    return value.kind === 'list' ? value.items.map(plain) : [...value.entries].map(([key, each]) => [key, plain(each)])
  }
  return JSON.stringify(plain(rawValue(node, document, () => 0, 0)))
}
