/**
 * Notes as text (spec S1): bytes to a note and fields to bytes. Must stay true: printing what was parsed gives the same
 * bytes for any file, and reading what was written gives the same values.
 */
import type { Note, NoteProblem } from '../../domain/index.ts'
import { sha256 } from '../../util/index.ts'
import {
  fieldNames,
  formatField,
  frontMatterKeys,
  isDefault,
  type NewNoteFields,
  type NoteFieldName,
} from './front-matter-text.ts'
import { bodyText, type NoteDocument, parseNoteFile, readablePiece } from './note-document.ts'
import { fieldsFrom } from './note-fields.ts'
import { salvageFields, unclosedHeader } from './salvage.ts'
import { type FrontMatter, readFrontMatter } from './yaml-front-matter.ts'

export type { NewNoteFields, NoteFieldName } from './front-matter-text.ts'
export { type NoteDocument, parseNoteFile, printNoteFile } from './note-document.ts'

/** Where a note's bytes were read. */
export interface NotePlace {
  /** Layer key. */
  readonly layer: string
  /** Path below the layer's folder. */
  readonly file: string
  /** SHA-256 (hex) of the bytes. */
  readonly hash: string
}

/** The note that a document holds, every field filled. Never throws: what is wrong becomes a problem with its line. */
export function noteFrom(document: NoteDocument, place: NotePlace): Note {
  const frontMatter = frontMatterOf(document)
  const stored = readablePiece(document, 'body')
  // Text between two `---` lines that holds no key is more likely a part of the text than front matter.
  const body = frontMatter.isMap
    ? bodyText(stored)
    : document.opening + readablePiece(document, 'frontMatter') + document.closing + stored
  const problems = [...encodingProblems(document), ...frontMatter.problems]
  const fields = fieldsFrom(frontMatter.fields, body, place, problems)
  return { ...fields, layer: place.layer, file: place.file, body, hash: place.hash }
}

/** `parseNoteFile` and `noteFrom` in one step, for callers that have nothing but bytes. */
export function readNote(bytes: Uint8Array, place: Omit<NotePlace, 'hash'> & { readonly hash?: string }): Note {
  return noteFrom(parseNoteFile(bytes), { ...place, hash: place.hash ?? sha256(bytes) })
}

/** A new file: our keys in a fixed order, then the body with a final end of line. LF, UTF-8, no BOM. */
export function createNoteFile(fields: NewNoteFields, body: string): Uint8Array {
  const header = fieldNames
    .filter((name) => REQUIRED.has(name) || !isDefault(fields, name))
    .map((name) => keyLine(fields, name, '\n'))
    .join('')
  const text = body.toWellFormed().replace(/\r\n/g, '\n')
  const ending = text === '' || text.endsWith('\n') ? '' : '\n'
  return new TextEncoder().encode(`---\n${header}---\n${text === '' ? '' : '\n'}${text}${ending}`)
}

const REQUIRED: ReadonlySet<NoteFieldName> = new Set(['name', 'description', 'type', 'id', 'created', 'updated'])

function keyLine(fields: NewNoteFields, name: NoteFieldName, eol: string): string {
  const value = formatField(fields, name, eol)
  return `${frontMatterKeys[name]}:${value.startsWith(eol) ? '' : ' '}${value}${eol}`
}

/** Line 1 is the opening `---`. */
const FIRST_HEADER_LINE = 2

function frontMatterOf(document: NoteDocument): FrontMatter {
  if (document.unclosed) {
    const fields = salvageFields(unclosedHeader(readablePiece(document, 'body')), FIRST_HEADER_LINE)
    const message = 'Front matter is opened with --- and never closed'
    return { fields, problems: [{ kind: 'front-matter-unclosed', line: 1, message }], isMap: true }
  }
  if (document.opening === '') return { fields: new Map(), problems: [], isMap: true }
  return readFrontMatter(readablePiece(document, 'frontMatter'), FIRST_HEADER_LINE)
}

function encodingProblems(document: NoteDocument): NoteProblem[] {
  if (document.encoding === 'utf8') return []
  return [
    { kind: 'not-utf8', line: firstBadLine(document), message: 'The file is not UTF-8; Keepsake does not edit it' },
  ]
}

/** Line of the first byte that is not UTF-8. */
function firstBadLine(document: NoteDocument): number {
  const pieces = document.opening + document.frontMatter + document.closing + document.body
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let line = 1
  for (const text of pieces.split('\n')) {
    try {
      decoder.decode(Buffer.from(text, 'latin1'))
    } catch {
      // This is the line we look for.
      return line
    }
    line++
  }
  return 1
}
