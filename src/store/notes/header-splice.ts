/**
 * Splices in front matter by source range. Knows where a key, its value and its comments lie; knows nothing of notes.
 * Must stay true: after each step the text parses, the key reads as asked, and the source of every other key is the
 * same, in the same order.
 */
import { type Document, isMap, isScalar, isSeq, type Pair, type YAMLMap } from 'yaml'
import { parseYaml, rawValue } from './yaml-front-matter.ts'

/** Front matter that parsed as a block of keys (or is empty). */
export interface Header {
  readonly text: string
  readonly eol: '\n' | '\r\n'
  /** White space before each key. */
  readonly indent: string
  has(path: readonly string[]): boolean
}

/** Called with what is wrong; throws. */
export type Fail = (message: string) => never

/** Front matter to splice in. It must parse: callers have refused everything else. */
export function openHeader(text: string, eol: '\n' | '\r\n'): Header {
  const map = mapOf(text)
  const first = map?.flow ? null : map?.items[0]
  const start = first ? lineStart(text, keyOffset(first)) : 0
  const indent = /^[ ]*/.exec(text.slice(start))?.[0] ?? ''
  return { text, eol, indent, has: (path) => find(map, path) !== null }
}

/** Puts a value where the old one stands; comments and everything around it stay. */
export function setKey(header: Header, path: readonly string[], value: string, fail: Fail): Header {
  const { text } = header
  const pair = find(mapOf(text), path) ?? fail(`The key ${path.join('.')} is gone`)
  const colon = afterColon(pair) ?? fail(`The key ${path.join('.')} has no colon`)
  const end = Math.max(colon, valueEnd(pair.value, text))
  const start = Math.max(colon, Math.min(end, nodeStart(pair.value) ?? colon))
  const between = text.slice(colon, start)
  const rest = text.slice(end)
  // An anchor or a tag describes the old value and goes with it; a comment after the colon stays.
  const kept = between.includes('\n') ? between.replace(/[ \t]*$/, '') : ''
  const spaced = value.startsWith(header.eol) ? value : ` ${value}`
  // The lines of a block value are gone: what is left of its last one goes too, unless it holds a comment.
  const joined = kept === '' ? rest : kept + rest.replace(/^[ \t]*\r?\n/, '')
  return checked(header, text.slice(0, colon) + spaced + joined, path, value, fail)
}

/** Takes out the lines of a key; comments of its own lines go with it. A key that is not there is fine. */
export function removeKey(header: Header, path: readonly [string], fail: Fail): Header {
  const { text } = header
  const map = mapOf(text)
  const pair = find(map, path)
  if (pair === null) return header
  if (map?.flow) fail('The front matter stands in braces')
  const end = Math.max(afterColon(pair) ?? 0, valueEnd(pair.value, text))
  const newline = text.indexOf('\n', end)
  const next = text.slice(0, lineStart(text, keyOffset(pair))) + (newline === -1 ? '' : text.slice(newline + 1))
  return checked(header, next, path, null, fail)
}

/** Adds a key as the last line. */
export function insertKey(header: Header, key: string, value: string, fail: Fail): Header {
  if (mapOf(header.text)?.flow) fail('The front matter stands in braces')
  const spaced = value.startsWith(header.eol) ? value : ` ${value}`
  return checked(header, `${header.text}${header.indent}${key}:${spaced}${header.eol}`, [key], value, fail)
}

type BlockMap = YAMLMap

function mapOf(text: string): BlockMap | null {
  const contents = parseYaml(text)?.document.contents
  return isMap(contents) ? contents : null
}

function find(map: BlockMap | null, path: readonly string[]): Pair | null {
  const [key, ...rest] = path
  const pair = map?.items.find((each) => isScalar(each.key) && each.key.value === key)
  if (pair === undefined) return null
  if (rest.length === 0) return pair
  return isMap(pair.value) ? find(pair.value, rest) : null
}

function keyOffset(pair: Pair): number {
  return nodeStart(pair.key) ?? 0
}

function nodeStart(node: unknown): number | null {
  if (isScalar(node) || isMap(node) || isSeq(node)) return node.range?.[0] ?? null
  return typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range)
    ? Number(node.range[0])
    : null
}

/** Offset right after the `:` of a pair. */
function afterColon(pair: Pair): number | null {
  const colon = pair.srcToken?.sep?.find((token) => token.type === 'map-value-ind')
  return colon && 'offset' in colon ? colon.offset + 1 : null
}

/** Offset after the last character of a value, without the end of its line. */
function valueEnd(node: unknown, text: string): number {
  if ((isMap(node) || isSeq(node)) && !node.flow) {
    const last = node.items.at(-1)
    if (isSeq(node)) return Math.max(nodeStart(node) ?? 0, valueEnd(last, text))
    const pair = isMap(node) ? node.items.at(-1) : undefined
    return pair ? Math.max(afterColon(pair) ?? 0, valueEnd(pair.value, text), rangeEnd(pair.key)) : 0
  }
  const end = rangeEnd(node)
  const start = nodeStart(node) ?? end
  return start + text.slice(start, end).trimEnd().length
}

function rangeEnd(node: unknown): number {
  return typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range)
    ? Number(node.range[1])
    : 0
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1
}

function checked(header: Header, text: string, path: readonly string[], value: string | null, fail: Fail): Header {
  const before = parseYaml(header.text)
  const after = parseYaml(text)
  if (!before || !after || after.errors.length > 0) return fail(`The key ${path.join('.')} cannot be changed alone`)
  const others = [entriesOf(before.document, header.text, path), entriesOf(after.document, text, path)]
  if (JSON.stringify(others[0]) !== JSON.stringify(others[1]))
    fail(`Changing ${path.join('.')} would change another key`)
  const wanted =
    value === null
      ? null
      : plainValueAt(`x:${value.startsWith('\n') || value.startsWith('\r') ? '' : ' '}${value}`, ['x'])
  if (JSON.stringify(plainValueAt(text, path)) !== JSON.stringify(wanted))
    fail(`The key ${path.join('.')} cannot be set`)
  return openHeader(text, header.eol)
}

/** Every key but the one at `path`, with the source of its value, in order. */
function entriesOf(document: Document.Parsed, text: string, path: readonly string[]): string[] {
  const list = (map: BlockMap | null, [skipped, ...rest]: readonly string[], prefix: string): string[] =>
    (map?.items ?? []).flatMap((pair) => {
      const key = isScalar(pair.key) ? String(pair.key.value) : text.slice(keyOffset(pair), rangeEnd(pair.key))
      if (key !== skipped) return [`${prefix}${key}: ${text.slice(keyOffset(pair), valueEnd(pair.value, text))}`]
      return rest.length > 0 && isMap(pair.value) ? list(pair.value, rest, `${prefix}${key}.`) : []
    })
  return list(isMap(document.contents) ? document.contents : null, path, '')
}

function plainValueAt(text: string, path: readonly string[]): unknown {
  const document = parseYaml(text)?.document
  const pair = document ? find(isMap(document.contents) ? document.contents : null, path) : null
  if (!document || pair === null) return null
  return plain(rawValue(pair.value, document, () => 0, 0))
}

function plain(value: ReturnType<typeof rawValue>): unknown {
  if (value.kind === 'scalar') return value.text
  if (value.kind === 'list') return value.items.map(plain)
  return [...value.entries].map(([key, entry]) => [key, plain(entry)])
}
