/**
 * MEMORY.md of a layer (spec S4): one line per note, derived from the notes, at most 200 lines and 25,000 bytes. Must stay
 * true: the same notes and the same text around give the same bytes; text of people is never cut and counts first.
 */
import { utf8Bytes } from '../../util/index.ts'
import { formatIndexLines, type IndexLine, indexDescription, parseIndexLine } from './index-lines.ts'
import { INDEX_CLOSING, INDEX_OPENING, type SectionLine, splitIndex } from './index-sections.ts'
import type { ScannedNote } from './layer-scan.ts'
import { mostValuableFirst, type ValuedNote } from './value-order.ts'

export type { IndexLine } from './index-lines.ts'

/** What Claude Code loads of an index; the file never grows beyond it by our hand. */
export const MAX_INDEX_LINES = 200
export const MAX_INDEX_BYTES = 25_000

export interface IndexLimits {
  readonly maxLines?: number
  readonly maxBytes?: number
}

/** What a line of the index is made of. */
export type IndexedHead = ValuedNote & Pick<ScannedNote, 'name' | 'description' | 'status'>

export interface RenderedIndex {
  readonly text: string
  /** Active notes without a line. */
  readonly omitted: number
  readonly lines: number
  readonly bytes: number
}

export interface IndexReconciliation {
  /** Descriptions that an agent or person wrote as an index line of an existing note. */
  readonly descriptionEdits: readonly { readonly file: string; readonly description: string }[]
  /** Lines outside the generated part whose note does not exist. */
  readonly orphanLines: readonly { readonly line: number; readonly target: string }[]
}

/**
 * The new text of MEMORY.md. A line outside the generated part that says what its note says by now is taken in (the
 * generated line replaces it); one that says something else stays, and its note gets no second line.
 */
export function renderIndex(
  existing: string | null,
  notes: readonly IndexedHead[],
  limits: IndexLimits = {},
): RenderedIndex {
  const active = notes.filter((note) => note.status === 'active').sort(mostValuableFirst)
  const sections = splitIndex(existing ?? '')
  const { absorbed, standing } = linesOutside(sections.before, sections.after, active)
  const keep = (lines: readonly SectionLine[]): string =>
    lines.flatMap(({ text, line }) => (absorbed.has(line) ? [] : [text])).join('')
  const eol = /\r\n/.test(existing ?? '') ? '\r\n' : '\n'
  const before = keep(sections.before)
  const around = { before: before + separatorAfter(before, sections.hasPart, eol), after: keep(sections.after), eol }
  const listed = active.filter((note) => !standing.has(note.file))
  const part = fitPart(listed, around, limits)
  const text = part === null ? before + around.after : around.before + part.text + around.after
  return { text, omitted: listed.length - (part?.count ?? 0), lines: countLines(text), bytes: utf8Bytes(text) }
}

/** From this share of a limit on, whoever adds a note is told. */
const NEARLY_FULL = 0.9

/** One sentence when an index has no room, or soon has none, for every note; else null. */
export function indexPressure({ omitted, lines, bytes }: RenderedIndex): string | null {
  const full = `${lines} of ${MAX_INDEX_LINES} lines, ${bytes} of ${MAX_INDEX_BYTES} bytes`
  if (omitted > 0)
    return `MEMORY.md is full (${full}): ${omitted} notes have no line there and are found by search only.`
  const isNear = lines >= MAX_INDEX_LINES * NEARLY_FULL || bytes >= MAX_INDEX_BYTES * NEARLY_FULL
  return isNear ? `MEMORY.md is nearly full: ${full}. Soon the least valuable notes have no line there.` : null
}

/** What the lines around the generated part say about the notes. Of several lines for one note the last one counts. */
export function reconcileIndex(
  existing: string,
  notes: readonly Pick<IndexedHead, 'file' | 'description' | 'updated'>[],
): IndexReconciliation {
  const byFile = new Map(notes.map((note) => [note.file.normalize('NFC'), note]))
  const edits = new Map<string, string>()
  const settled = new Set<string>()
  const orphanLines: { line: number; target: string }[] = []
  for (const line of parseIndexLines(existing).filter(({ generated }) => !generated)) {
    const note = byFile.get(line.target)
    if (note === undefined) {
      if (couldBeNote(line.target)) orphanLines.push({ line: line.line, target: line.target })
    } else if (saysTheSame(line, note)) settled.add(note.file)
    else edits.set(note.file, writtenDescription(line, note.updated))
  }
  const descriptionEdits = [...edits].flatMap(([file, description]) =>
    settled.has(file) ? [] : [{ file, description }],
  )
  return { descriptionEdits, orphanLines }
}

/** Every index line of a MEMORY.md, in order; lines in blocks of code are no index lines. */
export function parseIndexLines(text: string): IndexLine[] {
  const { before, generated, after } = splitIndex(text)
  const read = (lines: readonly SectionLine[], isGenerated: boolean): IndexLine[] =>
    lines.flatMap(({ text: line, line: number, inCode }) => {
      const parsed = inCode ? null : parseIndexLine(line)
      return parsed === null ? [] : [{ ...parsed, line: number, generated: isGenerated }]
    })
  return [...read(before, false), ...read(generated, true), ...read(after, false)].sort(
    (one, other) => one.line - other.line,
  )
}

interface Around {
  readonly before: string
  readonly after: string
  readonly eol: string
}

/** As many lines as fit beside the text around, with our two comment lines; null when not even those fit. */
function fitPart(notes: readonly IndexedHead[], around: Around, limits: IndexLimits) {
  const { eol } = around
  const frame = (lines: readonly string[]): string =>
    [INDEX_OPENING, ...lines, INDEX_CLOSING].map((line) => line + eol).join('')
  const used = around.before + around.after
  const longestTail = notes.length === 0 ? [] : [omittedLine(notes.length)]
  const room = {
    lines: (limits.maxLines ?? MAX_INDEX_LINES) - countLines(used) - 2,
    bytes: (limits.maxBytes ?? MAX_INDEX_BYTES) - utf8Bytes(used) - utf8Bytes(frame([])),
  }
  // One more than can fit tells that not all do.
  const all = formatIndexLines(notes.slice(0, Math.max(0, room.lines) + 1))
  const whole = takeWhile(all, room, eol)
  if (room.lines >= 0 && room.bytes >= 0 && whole === notes.length) return { text: frame(all), count: all.length }
  const tailBytes = utf8Bytes(longestTail.map((line) => line + eol).join(''))
  const rest = { lines: room.lines - longestTail.length, bytes: room.bytes - tailBytes }
  if (rest.lines < 0 || rest.bytes < 0) return null
  const count = takeWhile(all, rest, eol)
  return { text: frame([...all.slice(0, count), omittedLine(notes.length - count)]), count }
}

/** How many of the first lines fit. */
function takeWhile(lines: readonly string[], room: { lines: number; bytes: number }, eol: string): number {
  let bytes = 0
  for (const [index, line] of lines.entries()) {
    bytes += utf8Bytes(line) + eol.length
    if (index + 1 > room.lines || bytes > room.bytes) return index
  }
  return lines.length
}

/** How many notes the index says it left out; 0 when it says nothing of it. */
export function omittedIn(index: string): number {
  return Number(/^- … (\d{1,9}) more notes? /m.exec(index)?.[1] ?? 0)
}

function omittedLine(count: number): string {
  const notes = count === 1 ? 'note is' : 'notes are'
  return `- … ${count} more ${notes} not listed here: \`keepsake list\` shows all, \`memory_search\` finds them`
}

function countLines(text: string): number {
  const ends = text.split('\n').length - 1
  return text === '' || text.endsWith('\n') ? ends : ends + 1
}

/** A blank line between people's text and a part that is put there for the first time. */
function separatorAfter(before: string, hasPart: boolean, eol: string): string {
  if (before.replace(/^\u{feff}/u, '') === '') return ''
  if (!before.endsWith('\n')) return hasPart ? eol : eol + eol
  return hasPart || /\n\r?\n$/.test(before) ? '' : eol
}

/** Lines of active notes outside the part: those to take in (by line number), and the files whose line stays there. */
function linesOutside(before: readonly SectionLine[], after: readonly SectionLine[], active: readonly IndexedHead[]) {
  const byFile = new Map(active.map((note) => [note.file.normalize('NFC'), note]))
  const found = [...before, ...after].flatMap(({ text, line, inCode }) => {
    const parsed = inCode ? null : parseIndexLine(text)
    const note = parsed === null ? undefined : byFile.get(parsed.target)
    return parsed === null || note === undefined ? [] : [{ line, note, same: saysTheSame(parsed, note) }]
  })
  const settled = new Set(found.filter(({ same }) => same).map(({ note }) => note.file))
  return {
    absorbed: new Set(found.filter(({ note }) => settled.has(note.file)).map(({ line }) => line)),
    standing: new Set(found.filter(({ note }) => !settled.has(note.file)).map(({ note }) => note.file)),
  }
}

type WrittenLine = Pick<IndexLine, 'description' | 'date'>

/** A line without description says nothing; a date at its end may be ours or part of the sentence. */
function saysTheSame(line: WrittenLine, note: Pick<IndexedHead, 'description' | 'updated'>): boolean {
  const shown = indexDescription(note.description)
  const withDate = line.date === null ? line.description : `${line.description} (${line.date})`
  return line.description === '' || [line.description, withDate].some((text) => indexDescription(text) === shown)
}

function writtenDescription(line: WrittenLine, updated: string | null): string {
  const isOurDate = line.date === null || line.date === updated?.slice(0, 10)
  return isOurDate ? line.description : `${line.description} (${line.date})`
}

/** Folders and files that hold no notes of this layer: a link there is not an orphan. */
function couldBeNote(target: string): boolean {
  const isReserved = /^(?:team|skills|worktrees)\//.test(target) || /(?:^|\/)[._]/.test(target)
  return !isReserved && !/^(?:MEMORY|memory_summary)\.md$/i.test(target)
}
