/**
 * One line of MEMORY.md: a link, a description, a date (spec S4). Owns how such a line is written and read; what we
 * write is read back as the same file and description. The link target is the key; names are for people.
 */
import { safeText, suspectTexts } from '../../guard/index.ts'
import { cutBytes, cutGraphemes, oneLine, wellFormed } from '../../util/index.ts'

/** Graphemes of a description in the index. */
export const MAX_DESCRIPTION_GRAPHEMES = 150
const MAX_NAME_GRAPHEMES = 100
/** One grapheme can hold any number of combining marks; bytes are bounded too. */
const MAX_TEXT_BYTES = 1_200

export interface IndexLine {
  /** 1-based line in the text. */
  readonly line: number
  readonly name: string
  /** Path below the layer's folder, decoded. */
  readonly target: string
  readonly description: string
  /** `YYYY-MM-DD` in parentheses at the end, or null. */
  readonly date: string | null
  /** Stands in the part that Keepsake writes. */
  readonly generated: boolean
}

interface Listed {
  readonly name: string
  readonly file: string
  readonly description: string
  readonly updated: string | null
}

/** `- [name](file.md) — description (2026-11-29)`, without end of line. */
export function formatIndexLine(note: Listed): string {
  return formatIndexLines([note])[0] ?? ''
}

/** The same for many; their files are judged together, which costs a fraction of judging each. */
export function formatIndexLines(notes: readonly Listed[]): string[] {
  const suspects = suspectTexts(notes.map(({ file }) => wellFormed(file)))
  return notes.map((note, place) => formatLine(note, suspects.has(place) || wellFormed(note.file) !== note.file))
}

function formatLine(note: Listed, isSuspect: boolean): string {
  const description = indexDescription(note.description)
  const text = description === '' ? '' : ` — ${description.replaceAll('<!--', '&lt;!--')}`
  const date = note.updated === null ? '' : ` (${note.updated.slice(0, 10)})`
  return `- [${formatLinkText(note.name)}](${formatTarget(note.file, isSuspect)})${text}${date}`
}

/** A description as the index shows it: one line, cut on a grapheme. */
export function indexDescription(description: string): string {
  return cutBytes(cutGraphemes(oneLine(description), MAX_DESCRIPTION_GRAPHEMES), MAX_TEXT_BYTES)
}

/** The parts of one line, or null when it is no index line. Both separators of real files (`:` and `—`) are read. */
export function parseIndexLine(text: string): Omit<IndexLine, 'line' | 'generated'> | null {
  const match = INDEX_LINE.exec(text.trimEnd())
  if (!match) return null
  const target = parseTarget(match[2] ?? '')
  if (target === null) return null
  const rest = (match[3] ?? '').replace(/^\s*(?:—|–|--?|:|：)?\s*/u, '').replaceAll('&lt;!--', '<!--')
  const dated = /^(.*?)\s*\((\d{4}-\d\d-\d\d)\)$/su.exec(rest)
  return {
    name: (match[1] ?? '').replace(/\\([\\[\]`<])/g, '$1'),
    target,
    description: (dated?.[1] ?? rest).trim(),
    date: dated?.[2] ?? null,
  }
}

const INDEX_LINE = /^\s{0,3}[-*+] +\[((?:\\.|[^\\[\]])*)\]\((<[^<>]*>|[^()<>]*(?:\([^()<>]*\)[^()<>]*)*)\)(.*)$/su

function formatLinkText(name: string): string {
  const cut = cutBytes(cutGraphemes(oneLine(name), MAX_NAME_GRAPHEMES), MAX_TEXT_BYTES)
  return cut.replace(/[\\[\]`<]/g, '\\$&')
}

/**
 * Safe as a Markdown link target: `%` and what would end the target encoded, angle brackets around spaces. A path that
 * attacks or holds a secret is encoded as a whole: it still leads to its file and is no longer read.
 */
function formatTarget(file: string, isSuspect: boolean): string {
  if (isSuspect && safeText(file, 'file name').text !== file) return encodeWhole(file)
  const encoded = file.replace(/[%<>\\\u{0}-\u{1f}\u{7f}]/gu, (character) => encodeURIComponent(character))
  return /[\s()]/u.test(encoded) ? `<${encoded}>` : encoded
}

function encodeWhole(file: string): string {
  const path = file.replace(/\.md$/i, '')
  const bytes = [...new TextEncoder().encode(path)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
  return `${bytes.join('').replaceAll('%2f', '/')}${file.slice(path.length)}`
}

/** The file that a link means; null for addresses and for what is no note of this folder. */
function parseTarget(written: string): string | null {
  const inner = written.startsWith('<') ? written.slice(1, -1) : written.replace(/\s+"[^"]*"\s*$/, '').trim()
  const path = decodePercent(inner.replace(/#.*$/s, '').replace(/^(?:\.\/)+/, ''))
  const isLocal = !/^[a-z][a-z0-9+.-]*:/i.test(path) && !path.startsWith('/') && !path.includes('..')
  return isLocal && /\.md$/i.test(path) ? path.normalize('NFC') : null
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A `%` that begins no code is itself: people write file names as they see them.
    return text
  }
}
