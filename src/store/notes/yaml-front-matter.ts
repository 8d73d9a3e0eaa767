/**
 * Reads front matter with the `yaml` package: the only file beside `note-patch.ts` that knows it. Failsafe schema, so
 * that dates, numbers, booleans and null stay the text they were. Never prints YAML.
 */
import { type Document, isAlias, isMap, isScalar, isSeq, parseDocument, type YAMLError } from 'yaml'
import type { NoteProblem } from '../../domain/index.ts'
import type { RawFields, RawValue } from './note-fields.ts'
import { looksLikeKeys, salvageFields } from './salvage.ts'

/** Front matter beyond this is not read: parsing is the only step whose cost grows faster than the file. */
export const MAX_FRONT_MATTER_CHARACTERS = 262_144

/** Nesting beyond this is nobody's note, and walking it would not end well. */
const MAX_DEPTH = 16

export interface FrontMatter {
  readonly fields: RawFields
  readonly problems: readonly NoteProblem[]
  /** False when it holds prose, a list or nothing that looks like keys: then it may be text between two lines. */
  readonly isMap: boolean
}

/** Fields and problems of front matter that begins at `firstLine` of its file. Never throws. */
export function readFrontMatter(header: string, firstLine: number): FrontMatter {
  if (header.length > MAX_FRONT_MATTER_CHARACTERS)
    return unreadable(header, firstLine, {
      kind: 'too-large',
      line: firstLine,
      message: `Front matter has more than ${MAX_FRONT_MATTER_CHARACTERS} characters`,
    })
  const parsed = parseYaml(header)
  if (parsed === null)
    return unreadable(header, firstLine, malformed(firstLine, 'Front matter is nested too deeply to be read'))
  const { document } = parsed
  const fault = parsed.errors.find((error) => error.code !== 'DUPLICATE_KEY')
  if (fault) return unreadable(header, firstLine, malformed(lineOf(fault, firstLine), headline(fault)))
  const problems = parsed.errors.map((error) => repeatedKey(error, firstLine))
  if (document.contents === null) return { fields: new Map(), problems, isMap: true }
  if (!isMap(document.contents))
    return { fields: new Map(), problems: [malformed(firstLine, 'Front matter is not a list of keys')], isMap: false }
  const raw = rawValue(document.contents, document, lineCounter(header, firstLine), 0)
  return { fields: raw.kind === 'map' ? raw.entries : new Map(), problems, isMap: true }
}

/** The parsed document with its source tokens, or null when it is nested too deeply for the parser's stack. */
export function parseYaml(header: string): { document: Document.Parsed; errors: readonly YAMLError[] } | null {
  try {
    const document = parseDocument(header, { schema: 'failsafe', keepSourceTokens: true })
    return { document, errors: document.errors }
  } catch (error) {
    // The parser recurses; a hostile file must not stop the reading of its neighbours.
    if (error instanceof RangeError) return null
    throw error
  }
}

/** A node as plain text, lists and maps. Aliases of scalars are resolved; other aliases are empty (no bombs). */
export function rawValue(node: unknown, document: Document.Parsed, lineAt: LineAt, depth: number): RawValue {
  const line = lineAt(offsetOf(node))
  if (depth > MAX_DEPTH) return { kind: 'scalar', text: '', plain: true, line }
  if (isScalar(node)) return { kind: 'scalar', text: String(node.value ?? ''), plain: node.type === 'PLAIN', line }
  if (isAlias(node)) {
    const target = node.resolve(document)
    return isScalar(target)
      ? rawValue(target, document, lineAt, depth)
      : { kind: 'scalar', text: '', plain: true, line }
  }
  if (isSeq(node))
    return { kind: 'list', items: node.items.map((item) => rawValue(item, document, lineAt, depth + 1)), line }
  const entries = new Map<string, RawValue>()
  for (const pair of isMap(node) ? node.items : []) {
    const key = isScalar(pair.key) ? String(pair.key.value ?? '') : null
    if (key !== null && !entries.has(key)) entries.set(key, rawValue(pair.value, document, lineAt, depth + 1))
  }
  return isMap(node) ? { kind: 'map', entries, line } : { kind: 'scalar', text: '', plain: true, line }
}

export type LineAt = (offset: number) => number

/** Line of an offset in `text`, whose first line has the number `firstLine`. */
export function lineCounter(text: string, firstLine: number): LineAt {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return firstLine + low
  }
}

function offsetOf(node: unknown): number {
  return isScalar(node) || isAlias(node) || isMap(node) || isSeq(node) ? (node.range?.[0] ?? 0) : 0
}

function unreadable(header: string, firstLine: number, problem: NoteProblem): FrontMatter {
  return { fields: salvageFields(header, firstLine), problems: [problem], isMap: looksLikeKeys(header) }
}

function malformed(line: number, message: string): NoteProblem {
  return { kind: 'front-matter-malformed', line, message }
}

function repeatedKey(error: YAMLError, firstLine: number): NoteProblem {
  return { kind: 'key-repeated', line: lineOf(error, firstLine), message: 'A key stands twice; the first one counts' }
}

function lineOf(error: YAMLError, firstLine: number): number {
  return firstLine - 1 + (error.linePos?.[0].line ?? 1)
}

/** The parser's sentence without its excerpt of the file, which may hold anything. */
function headline(error: YAMLError): string {
  return (error.message.split('\n')[0] ?? error.code).replace(/ at line \d+, column \d+:?$/, '')
}
