/**
 * Names of notes and of their files (spec S1, S3): what a file without front matter is called, what a new file is
 * called. Looks only at the opening of a body, so that the scanner of hooks can give the same answer.
 */
import { createHash } from 'node:crypto'
import { type NoteType, noteTypes } from '../../domain/index.ts'
import { cutBytes, cutGraphemes, MAX_SLUG_BYTES, oneLine, sha256, slugify } from '../../util/index.ts'

/** How much of a body names and describes it. */
export const OPENING_LINES = 30
export const OPENING_CHARACTERS = 4_096

const MAX_DERIVED_NAME_GRAPHEMES = 100
const MAX_DERIVED_DESCRIPTION_GRAPHEMES = 150
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** First heading of the opening, else the file name without type prefix and `.md`. Empty only when both are. */
export function nameFrom(body: string, file: string): string {
  for (const line of openingLines(body)) {
    const heading = /^ {0,3}#{1,6}[ \t]+(.*)$/su.exec(line)?.[1]
    const text = heading === undefined ? '' : plainText(heading.replace(/[ \t]+#+[ \t]*$/, ''))
    if (text !== '') return cutGraphemes(text, MAX_DERIVED_NAME_GRAPHEMES)
  }
  return nameFromFile(file)
}

/** First sentence of the opening, in plain words; empty when there is none. */
export function describe(body: string): string {
  const paragraph: string[] = []
  for (const line of openingLines(body)) {
    const text = isStructure(line) ? '' : plainText(line.replace(LINE_MARKERS, ''))
    if (text !== '') paragraph.push(text)
    else if (paragraph.length > 0) break
  }
  return cutGraphemes(firstSentence(oneLine(paragraph.join(' '))), MAX_DERIVED_DESCRIPTION_GRAPHEMES)
}

/** A file name that is not taken: `{type}_{slug}.md`, with `-2`, `-3` … when it is. Case and form do not make it free. */
export function noteFileName(type: NoteType, name: string, taken: ReadonlySet<string>): string {
  const used = new Set([...taken].map(folded))
  const slug = slugify(name) || `note-${sha256(name).slice(0, 8)}`
  for (let count = 1; ; count++) {
    const suffix = count === 1 ? '' : `-${count}`
    const stem = cutBytes(slug, MAX_SLUG_BYTES - suffix.length).replace(/-+$/, '')
    const file = `${type}_${stem}${suffix}.md`
    if (!used.has(folded(file))) return file
  }
}

/** The id of a file that has none: the same for the same layer and path, in the form of a ULID. */
export function derivedId(layer: string, file: string): string {
  const digest = createHash('sha256')
    .update(`${layer}\0${file.normalize('NFC')}`)
    .digest()
  let bits = BigInt(`0x${digest.subarray(0, 16).toString('hex')}`)
  let id = ''
  for (let position = 0; position < 26; position++) {
    id = CROCKFORD[Number(bits & 31n)] + id
    bits >>= 5n
  }
  return id
}

/** Type that the file name begins with (`feedback_…`), or null. */
export function typePrefix(file: string): NoteType | null {
  const name = baseName(file).toLowerCase()
  return noteTypes.find((type) => name.startsWith(`${type}_`)) ?? null
}

/** Last segment of a path below a layer. */
export function baseName(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1)
}

/** How far the opening reaches into `body`: lines from which names and descriptions are taken. */
export function openingEnd(body: string): number {
  let end = 0
  for (let line = 0; line < OPENING_LINES && end < OPENING_CHARACTERS; line++) {
    const newline = body.indexOf('\n', end)
    end = newline === -1 ? body.length : newline + 1
    if (end === body.length) break
  }
  if (end <= OPENING_CHARACTERS) return end
  const splitsPair = /[\ud800-\udbff]/.test(body[OPENING_CHARACTERS - 1] ?? '')
  return splitsPair ? OPENING_CHARACTERS - 1 : OPENING_CHARACTERS
}

function nameFromFile(file: string): string {
  const base = baseName(file).replace(/\.md$/i, '')
  const prefix = typePrefix(file)
  const rest = prefix === null ? base : base.slice(prefix.length + 1)
  return cutGraphemes(oneLine(rest.replace(/[-_]+/g, ' ')) || base || file, MAX_DERIVED_NAME_GRAPHEMES)
}

/** Lines of the opening outside code blocks and comments. */
function* openingLines(body: string): Generator<string> {
  let fence = ''
  const opening = body.slice(0, openingEnd(body)).replace(/<!--[\s\S]*?(?:-->|$)/g, '')
  for (const line of opening.split(/\r?\n/)) {
    const mark = /^ {0,3}(```+|~~~+)/.exec(line)?.[1]
    if (mark !== undefined && (fence === '' || mark.startsWith(fence))) {
      fence = fence === '' ? mark : ''
      yield ''
    } else if (fence === '') yield line
  }
}

const LINE_MARKERS = /^\s*(?:>\s?|[-*+]\s+(?:\[[ xX]\]\s+)?|\d{1,3}[.)]\s+)*/

/** Headings, rules, tables and underlines of headings are no sentence. */
function isStructure(line: string): boolean {
  return /^ {0,3}#{1,6}(?:\s|$)/.test(line) || /^\s*(?:[-=*_]\s*){3,}$/.test(line) || /^\s*\|/.test(line)
}

/** Words without the marks of inline Markdown. */
function plainText(line: string): string {
  return oneLine(
    line
      .replace(/!?\[\[([^[\]]*)\]\]/g, '$1')
      .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
      .replace(/(\*\*|__)(?=\S)(.*?\S)\1/g, '$2')
      .replace(/(?<![\p{L}\p{N}*_])([*_])(?=\S)([^*_]*\S)\1(?![\p{L}\p{N}*_])/gu, '$2')
      .replace(/`([^`]*)`/g, '$1'),
  )
}

const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|incl|mr|mrs|dr|\p{Lu})\.$/iu

function firstSentence(text: string): string {
  for (const match of text.matchAll(/[.!?]+["'”’)\]]*(?=\s|$)|[。！？]+["'”’」』）)\]]*/gu)) {
    const sentence = text.slice(0, match.index + match[0].length)
    if (!ABBREVIATION.test(sentence)) return sentence
  }
  return text
}

/** How file names are compared: case-insensitive disks hold only one of two that differ by case. */
function folded(file: string): string {
  return file.normalize('NFC').toLowerCase()
}
