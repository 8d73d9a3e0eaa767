/**
 * The raw pieces of a note file. Owns the split at `---` and nothing else: no YAML, so that hooks can load it.
 * Must stay true: the pieces, joined, are the file, byte for byte, whatever the bytes are.
 */
import { isUtf8 } from 'node:buffer'

/** Pieces in file order. Their concatenation, encoded, is the file. */
export interface NoteDocument {
  /** `bytes`: the file is not UTF-8, and every character of a piece stands for one byte. */
  readonly encoding: 'utf8' | 'bytes'
  readonly bom: string
  /** The first `---` line with its end of line; empty when there is no front matter. */
  readonly opening: string
  /** The lines between, each with its end of line. */
  readonly frontMatter: string
  /** The second `---` line, with its end of line where it has one. */
  readonly closing: string
  /** Everything after it. */
  readonly body: string
  /** True when the file opens front matter and never closes it: everything is body then. */
  readonly unclosed: boolean
  /** End of line for what we add: that of the first line, else LF. */
  readonly eol: '\n' | '\r\n'
}

const FENCE_LINE = /^---[ \t]*\r?\n/
const KEY_LIKE_LINE = /^[ \t]*["']?[\p{L}_][\p{L}\p{N}_-]*["']?[ \t]*:(?:[ \t\r\n]|$)/u
const UTF8_BOM = '\u{feff}'
const UTF8_BOM_AS_BYTES = '\u{ef}\u{bb}\u{bf}'

/** Splits any bytes into pieces. Never throws. */
export function parseNoteFile(bytes: Uint8Array): NoteDocument {
  const text = decodeStrictly(bytes)
  if (text !== null) return split(text, 'utf8', UTF8_BOM)
  return split(viewOf(bytes).toString('latin1'), 'bytes', UTF8_BOM_AS_BYTES)
}

/** The same as `parseNoteFile` for text that is decoded already. */
export function parseNoteText(text: string): NoteDocument {
  return split(text, 'utf8', UTF8_BOM)
}

/** The bytes that `parseNoteFile` was given. */
export function printNoteFile(document: NoteDocument): Uint8Array {
  const text = document.bom + document.opening + document.frontMatter + document.closing + document.body
  return new Uint8Array(Buffer.from(text, document.encoding === 'utf8' ? 'utf8' : 'latin1'))
}

/** A piece as text to read and search: bytes that are not UTF-8 become U+FFFD. */
export function readablePiece(document: NoteDocument, piece: 'frontMatter' | 'body'): string {
  if (document.encoding === 'utf8') return document[piece]
  return Buffer.from(document[piece], 'latin1').toString('utf8')
}

/** Text of UTF-8 bytes with its BOM, or null when they are not UTF-8. */
export function decodeStrictly(bytes: Uint8Array): string | null {
  return isUtf8(bytes) ? viewOf(bytes).toString('utf8') : null
}

/** The body without the blank lines that separate it from the front matter. */
export function bodyText(body: string): string {
  return body.replace(/^(?:[ \t]*\r?\n)+/, '')
}

/** The text after the front matter, for readers that need nothing else of a file. */
export function bodyOf(bytes: Uint8Array): string {
  return bodyText(readablePiece(parseNoteFile(bytes), 'body'))
}

function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function split(text: string, encoding: NoteDocument['encoding'], bomText: string): NoteDocument {
  const bom = text.startsWith(bomText) ? bomText : ''
  const content = text.slice(bom.length)
  const opening = FENCE_LINE.exec(content)?.[0] ?? ''
  const eol = firstEndOfLine(content)
  const bare = {
    encoding,
    bom,
    opening: '',
    frontMatter: '',
    closing: '',
    body: content,
    unclosed: false,
    eol,
  } as const
  if (opening === '') return bare
  const closingAt = findClosing(content, opening.length)
  if (closingAt === null) return { ...bare, unclosed: opensWithKey(content.slice(opening.length)) }
  return {
    ...bare,
    opening,
    frontMatter: content.slice(opening.length, closingAt.start),
    closing: content.slice(closingAt.start, closingAt.end),
    body: content.slice(closingAt.end),
  }
}

function findClosing(content: string, from: number): { start: number; end: number } | null {
  for (let start = from; start < content.length; ) {
    const newline = content.indexOf('\n', start)
    const end = newline === -1 ? content.length : newline + 1
    if (content.startsWith('---', start) && /^---[ \t]*(?:\r?\n)?$/.test(content.slice(start, end)))
      return { start, end }
    start = end
  }
  return null
}

/** A lone `---` above prose is a line across the page, not front matter that someone forgot to close. */
function opensWithKey(rest: string): boolean {
  const firstLine = rest.replace(/^(?:[ \t]*(?:#[^\n]*)?\r?\n)+/, '')
  return KEY_LIKE_LINE.test(firstLine)
}

function firstEndOfLine(content: string): '\n' | '\r\n' {
  const newline = content.indexOf('\n')
  return newline > 0 && content[newline - 1] === '\r' ? '\r\n' : '\n'
}
