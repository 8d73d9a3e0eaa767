/**
 * The only way Keepsake changes a note that exists. Minimal splices: every byte that is not asked for stays. After each
 * splice the front matter is read again and every other key compared; if anything else moved, nothing is written.
 */
import { MemoryError } from '../../errors.ts'
import {
  fieldNames,
  formatField,
  frontMatterKeys,
  isDefault,
  type NewNoteFields,
  type NoteFieldName,
} from './front-matter-text.ts'
import { type Fail, type Header, hasKey, insertKey, openHeader, removeKey, setKey } from './header-splice.ts'
import { bodyText, type NoteDocument, parseNoteFile, printNoteFile } from './note-document.ts'
import { noteFrom } from './note-format.ts'

/** What to change; what is not named stays as it is. */
export interface NotePatch {
  /** `expires: null` takes the key out; undefined values change nothing. */
  readonly set?: Partial<NewNoteFields>
  /** Keys to take out. */
  readonly remove?: readonly NoteFieldName[]
  /**
   * `replace`: the whole body. `append`: one more paragraph. `splice`: a part of the body as it is read, by UTF-16 units;
   * every other character stays. Ends of line become those of the file.
   */
  readonly body?: { readonly replace: string } | { readonly append: string } | { readonly splice: BodySplice }
}

export interface BodySplice {
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * The bytes with the patch applied. Throws NOTE_FORMAT_INVALID (with the line) for front matter that does not parse,
 * repeats a key or is not UTF-8, and for a file whose form does not let one key be changed alone.
 */
export function patchNoteFile(bytes: Uint8Array, patch: NotePatch, file: string | null = null): Uint8Array {
  const document = parseNoteFile(bytes)
  refuseUnreadable(document, file)
  const frontMatter = patchHeader(document, patch, file)
  const body = patchBody(document, patch)
  const result = printNoteFile(assemble(document, frontMatter, body))
  const again = parseNoteFile(result)
  if (again.frontMatter !== frontMatter || !again.body.endsWith(body) || again.unclosed !== document.unclosed)
    throw invalid(file, 1, 'The new text would be read as front matter')
  return result
}

function refuseUnreadable(document: NoteDocument, file: string | null): void {
  const note = noteFrom(document, { layer: '', file: file ?? '', hash: '' })
  const problem = note.problems.find(({ kind }) => kind !== 'value-invalid')
  if (problem) throw invalid(file, problem.line, problem.message)
}

function patchHeader(document: NoteDocument, patch: NotePatch, file: string | null): string {
  const fail = (message: string): never => {
    throw invalid(file, 2, message)
  }
  let header = openHeader(document.frontMatter, document.eol, fail)
  const set = patch.set ?? {}
  const removed = [...(patch.remove ?? []), ...(set.expires === null ? (['expires'] as const) : [])]
  for (const name of removed) {
    const isSetToo = set[name] !== undefined && set[name] !== null
    if (!isSetToo) header = removeKey(header, frontMatterKeys[name], fail)
  }
  for (const name of fieldNames) {
    if (set[name] !== undefined && set[name] !== null) header = setField(header, name, set, fail)
  }
  return header.text
}

function setField(header: Header, name: NoteFieldName, set: Partial<NewNoteFields>, fail: Fail): Header {
  const key = frontMatterKeys[name]
  const value = formatField(set, name, header.eol, header.indent)
  const places = [[key], ...(name === 'type' ? [['metadata', 'type']] : [])].filter((path) => hasKey(header, path))
  if (places.length > 0) return places.reduce((changed, path) => setKey(changed, path, value, fail), header)
  return isDefault(set, name) && !ALWAYS_WRITTEN.has(name) ? header : insertKey(header, key, value, fail)
}

const ALWAYS_WRITTEN: ReadonlySet<NoteFieldName> = new Set(['name', 'description', 'type', 'id', 'created', 'updated'])

function patchBody(document: NoteDocument, patch: NotePatch): string {
  if (patch.body === undefined) return document.body
  if ('splice' in patch.body) return spliceInto(document, patch.body.splice)
  return 'replace' in patch.body ? replaceBody(document, patch.body.replace) : appendTo(document, patch.body.append)
}

function spliceInto({ body, eol }: NoteDocument, { start, end, text }: BodySplice): string {
  const lead = body.length - bodyText(body).length
  return body.slice(0, lead + start) + withEndsOfLine(text, eol) + body.slice(lead + end)
}

function replaceBody({ body, opening, eol }: NoteDocument, text: string): string {
  const separator = body.slice(0, body.length - bodyText(body).length)
  return (separator === '' && opening !== '' ? eol : separator) + asLines(text, eol)
}

function appendTo({ body, opening, eol }: NoteDocument, text: string): string {
  const added = asLines(text, eol)
  if (added === '') return body
  if (bodyText(body).trim() === '') return (body === '' && opening !== '' ? eol : body) + added
  const gap = body.endsWith(eol + eol) ? '' : body.endsWith('\n') ? eol : eol + eol
  return body + gap + added
}

function asLines(text: string, eol: string): string {
  const lines = withEndsOfLine(text, eol)
  return lines === '' || lines.endsWith(eol) ? lines : lines + eol
}

function withEndsOfLine(text: string, eol: string): string {
  return text.toWellFormed().replace(/\r\n|\n/g, eol)
}

function assemble(document: NoteDocument, frontMatter: string, body: string): NoteDocument {
  const { eol } = document
  if (document.opening !== '') {
    const closing = body !== '' && !document.closing.endsWith('\n') ? document.closing + eol : document.closing
    return { ...document, frontMatter, closing, body }
  }
  if (frontMatter === '') return { ...document, body }
  const separator = body === '' || /^[ \t]*\r?\n/.test(body) ? '' : eol
  return { ...document, opening: `---${eol}`, frontMatter, closing: `---${eol}`, body: separator + body }
}

function invalid(file: string | null, line: number | null, message: string): MemoryError {
  const place = file === null ? 'the note' : line === null ? file : `${file}:${line}`
  return new MemoryError('NOTE_FORMAT_INVALID', `${message} (${place}); nothing was changed`, {
    hint: 'Mend the front matter of the file by hand, then try again.',
    data: { file, line },
  })
}
