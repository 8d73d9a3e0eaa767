/**
 * Reading TOML settings without losing a byte of them: statements with their offsets, enough to find a table, to see
 * that a text can be added behind it, and to refuse what is malformed, with its line. Values are checked for their ends,
 * not for their meaning: dates and numbers are the agent's to judge.
 */
import { invalidSettings } from './json-text.ts'

export interface TomlStatement {
  readonly kind: 'table' | 'list-table' | 'pair'
  /** Whole path of keys, for a pair with those of its table. */
  readonly keys: readonly string[]
  /** Text of the value of a pair, as written; empty for a table. */
  readonly value: string
  /** Where its line begins, and where the line after it begins. */
  readonly start: number
  readonly end: number
}

/** The statements in order. Throws AGENT_SETTINGS_INVALID with the line. */
export function parseToml(text: string, file: string): readonly TomlStatement[] {
  const statements: TomlStatement[] = []
  let table: readonly string[] = []
  let position = 0
  const refuse = (offset: number, reason: string) => invalidSettings(file, text, offset, reason)
  while (position < text.length) {
    const start = position
    position = skipSpace(text, position)
    if (!isLineOver(text, position)) {
      const read = text[position] === '[' ? readHeader(text, position, refuse) : readPair(text, position, refuse)
      const keys = read.kind === 'pair' ? [...table, ...read.keys] : read.keys
      if (read.kind !== 'pair') table = read.keys
      position = skipSpace(text, read.end)
      if (!isLineOver(text, position)) throw refuse(position, 'more on the line than one entry')
      const end = lineEnd(text, position)
      statements.push({ kind: read.kind, keys, value: read.value, start, end })
    }
    position = lineEnd(text, position)
  }
  return statements
}

/** A basic string with what TOML wants escaped. */
export function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f')
}

type Refuse = (offset: number, reason: string) => Error

interface ReadStatement {
  readonly kind: TomlStatement['kind']
  readonly keys: readonly string[]
  readonly value: string
  readonly end: number
}

function readHeader(text: string, start: number, refuse: Refuse): ReadStatement {
  const isList = text[start + 1] === '['
  const close = isList ? ']]' : ']'
  const { keys, end } = readKeys(text, start + close.length, refuse)
  if (!text.startsWith(close, end)) throw refuse(start, `a table without its "${close}"`)
  return { kind: isList ? 'list-table' : 'table', keys, value: '', end: end + close.length }
}

function readPair(text: string, start: number, refuse: Refuse): ReadStatement {
  const { keys, end } = readKeys(text, start, refuse)
  if (text[end] !== '=') throw refuse(start, 'neither a table nor a key with a value')
  const from = skipSpace(text, end + 1)
  const to = endOfValue(text, from, refuse)
  return { kind: 'pair', keys, value: text.slice(from, to), end: to }
}

const bareKey = /[A-Za-z0-9_-]+/y

/** A dotted key; `end` is behind the space that follows it. */
function readKeys(text: string, start: number, refuse: Refuse): { keys: string[]; end: number } {
  const keys: string[] = []
  let position = start
  for (;;) {
    position = skipSpace(text, position)
    bareKey.lastIndex = position
    const bare = bareKey.exec(text)?.[0]
    const quote = text[position]
    if (bare !== undefined) {
      keys.push(bare)
      position += bare.length
    } else if (quote === '"' || quote === "'") {
      const end = endOfString(text, position, quote, refuse)
      keys.push(quoted(text.slice(position, end), quote))
      position = end
    } else throw refuse(position, 'no key where one belongs')
    position = skipSpace(text, position)
    if (text[position] !== '.') return { keys, end: position }
    position++
  }
}

function quoted(key: string, quote: string): string {
  if (quote === "'") return key.slice(1, -1)
  try {
    return String(JSON.parse(key))
  } catch {
    // An escape that only TOML knows: the key is not ours then, as it stands it is told apart from ours.
    return key
  }
}

/** Where a value ends: behind its string, its last bracket, or before the space, comment or line end after a scalar. */
function endOfValue(text: string, start: number, refuse: Refuse): number {
  const first = text[start] ?? ''
  if (first === '"' || first === "'") return endOfString(text, start, first, refuse)
  if (first === '[' || first === '{') return endOfBrackets(text, start, refuse)
  const scalar = /^[A-Za-z0-9+.:_-]+(?: \d\d:[\d:.+Z-]+)?/.exec(text.slice(start, start + 200))?.[0]
  if (scalar === undefined) throw refuse(start, 'a key without a value')
  return start + scalar.length
}

function endOfBrackets(text: string, start: number, refuse: Refuse): number {
  const open: string[] = []
  for (let position = start; position < text.length; position++) {
    const character = text[position] ?? ''
    if (character === '[' || character === '{') open.push(character)
    else if (character === ']' || character === '}') {
      if (open.pop() !== (character === ']' ? '[' : '{')) throw refuse(position, `"${character}" closes nothing`)
      if (open.length === 0) return position + 1
    } else if (character === '"' || character === "'") position = endOfString(text, position, character, refuse) - 1
    else if (character === '#') position = lineEnd(text, position) - 1
  }
  throw refuse(start, `"${text[start]}" is not closed`)
}

function endOfString(text: string, start: number, quote: '"' | "'", refuse: Refuse): number {
  const isLong = text.startsWith(quote.repeat(3), start)
  const close = isLong ? quote.repeat(3) : quote
  for (let position = start + close.length; position < text.length; position++) {
    if (quote === '"' && text[position] === '\\') position++
    else if (text.startsWith(close, position)) return endWithQuotes(text, position + close.length, isLong ? quote : '')
    else if (!isLong && text[position] === '\n') break
  }
  throw refuse(start, 'a string that is not closed')
}

/** A long string may end with up to two quotes of its own. */
function endWithQuotes(text: string, end: number, quote: string): number {
  if (quote === '') return end
  const more = text[end] !== quote ? 0 : text[end + 1] !== quote ? 1 : 2
  return end + more
}

function skipSpace(text: string, position: number): number {
  let at = position
  while (text[at] === ' ' || text[at] === '\t') at++
  return at
}

/** At the end of a line, of the text, or at a comment. */
function isLineOver(text: string, position: number): boolean {
  return position >= text.length || /^(?:#|\r?\n|\r?$)/.test(text.slice(position, position + 2))
}

/** Where the next line begins. */
function lineEnd(text: string, position: number): number {
  const at = text.indexOf('\n', position)
  return at < 0 ? text.length : at + 1
}
