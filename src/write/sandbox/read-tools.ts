/**
 * list, read, grep and glob over a room. Every result is bounded and says what it left out; every word of a note or a
 * conversation is masked, replaced as a whole where it attacks, and fenced.
 */
import { z } from 'zod'
import { fence, safeText } from '../../guard/index.ts'
import { agentTool } from '../../models/agent-tool.ts'
import type { AgentTool } from '../../models/index.ts'
import { type ScannedNote, scanLayer } from '../../store/notes/layer-scan.ts'
import { decodeStrictly } from '../../store/notes/note-document.ts'
import { readNote } from '../../store/notes/note-format.ts'
import { cutGraphemes, oneLine } from '../../util/index.ts'
import { matchesGlob } from './glob.ts'
import { findPlace, isNoteRoot, type NoteRoot, type Room, readableFiles, refused, type TextRoot } from './room.ts'

/** Rows of one answer. */
export const MAX_ROWS = 100
/** Lines, and UTF-16 units, of one page of `read`. */
export const MAX_LINES = 200
export const MAX_PAGE_LENGTH = 8_000
const MAX_ROW_GRAPHEMES = 200
/** Notes that one search looks into. */
const MAX_SEARCHED = 2_000

const path = z.string().max(1_024)

export function readTools(room: Room): readonly AgentTool[] {
  return [
    agentTool({
      name: 'list',
      description: 'Lists what there is: the folders, or the notes or texts of one folder with a line about each.',
      input: z.strictObject({ folder: path.optional() }),
      run: ({ folder = '' }) => list(room, folder),
    }),
    agentTool({
      name: 'read',
      description: `Reads one note or text, at most ${MAX_LINES} lines at once; \`from\` is the first line, counted from 1.`,
      input: z.strictObject({ path, from: z.int().min(1).optional() }),
      run: (input) => read(room, input),
    }),
    agentTool({
      name: 'grep',
      description: 'Finds lines that hold these words, letter for letter but for case. No patterns.',
      input: z.strictObject({ text: z.string().min(1).max(200), folder: path.optional() }),
      run: (input) => grep(room, input),
    }),
    agentTool({
      name: 'glob',
      description: 'Finds paths by a pattern: * stands for any characters but /, ** for any, ? for one.',
      input: z.strictObject({ pattern: z.string().min(1).max(200) }),
      run: ({ pattern }) => glob(room, pattern),
    }),
  ]
}

async function list(room: Room, folder: string): Promise<string> {
  const place = findPlace(room, folder)
  if (place.kind === 'room') {
    const rows: string[] = []
    for (const root of [...room.notes, ...room.texts]) rows.push(`${root.name}/ (${await countIn(room, root)})`)
    return rows.join('\n')
  }
  if (place.kind !== 'root') throw refused(folder, 'it is no folder')
  const { root } = place
  if (!isNoteRoot(root)) return rowsOf(root.texts, ({ file, about }) => `${root.name}/${file} - ${shown(about)}`)
  const only = await readableFiles(room, root)
  const { notes } = await scanLayer(room.files, root.layer, { parse: readNote, only })
  return rowsOf(notes, (note) => noteRow(root.name, note))
}

/** One note of a list: its path, what it is, its name, by which a summary calls it, and what its index line says. */
export function noteRow(root: string, { file, type, status, name, description }: ScannedNote): string {
  const state = status === 'active' ? type : `${type}, ${status}`
  return `${root}/${file} - [${state}] ${shown(`${name} | ${description}`)}`
}

async function countIn(room: Room, root: NoteRoot | TextRoot): Promise<number> {
  return isNoteRoot(root) ? (await readableFiles(room, root)).length : root.texts.length
}

async function read(room: Room, { path: given, from = 1 }: { path: string; from?: number | undefined }) {
  const place = findPlace(room, given)
  if (place.kind === 'room' || place.kind === 'root') throw refused(given, 'it is a folder')
  const text = place.kind === 'text' ? place.text.text() : await noteText(room, place.root, place.file)
  if (text === null) return 'It cannot be read as text.'
  const lines = text.split('\n')
  const page: string[] = []
  let length = 0
  for (const line of lines.slice(from - 1, from - 1 + MAX_LINES)) {
    const cut = line.length > MAX_PAGE_LENGTH ? `${line.slice(0, MAX_PAGE_LENGTH)} [the line goes on]` : line
    if (page.length > 0 && length + cut.length > MAX_PAGE_LENGTH) break
    page.push(cut)
    length += cut.length
  }
  const next = from + page.length
  const more = next <= lines.length ? `\nLines ${next} to ${lines.length} follow: read from ${next}.` : ''
  return `${fence('material', page.join('\n'), { path: given })}${more}`
}

/** The whole text as it may be shown: judged whole, because half of an attack would not be known as one. */
async function noteText(room: Room, { layer }: NoteRoot, file: string): Promise<string | null> {
  const found = await room.files.read(layer, file)
  const text = found && decodeStrictly(found.bytes)
  return text === null ? null : safeText(text, file).text
}

async function grep(room: Room, { text, folder = '' }: { text: string; folder?: string | undefined }) {
  const place = findPlace(room, folder)
  if (place.kind !== 'room' && place.kind !== 'root') throw refused(folder, 'it is no folder')
  const roots = place.kind === 'root' ? [place.root] : [...room.notes, ...room.texts]
  const wanted = text.normalize('NFKC').toLowerCase()
  const rows: string[] = []
  let searched = 0
  for (const root of roots)
    for await (const { path: at, text: words } of textsIn(room, root)) {
      if (++searched > MAX_SEARCHED) break
      for (const [index, line] of words.split('\n').entries())
        if (line.normalize('NFKC').toLowerCase().includes(wanted))
          rows.push(`${at}:${index + 1}: ${rows.length < MAX_ROWS ? shown(line) : ''}`)
    }
  const limit = searched > MAX_SEARCHED ? `\nOnly the first ${MAX_SEARCHED} were searched.` : ''
  return rows.length === 0 ? `Nothing holds these words.${limit}` : rowsOf(rows, (row) => row) + limit
}

async function* textsIn(room: Room, root: NoteRoot | TextRoot) {
  if (!isNoteRoot(root)) {
    for (const { file, text } of root.texts) yield { path: `${root.name}/${file}`, text: text() }
    return
  }
  for (const file of await readableFiles(room, root)) {
    const text = await noteText(room, root, file)
    if (text !== null) yield { path: `${root.name}/${file}`, text }
  }
}

async function glob(room: Room, pattern: string): Promise<string> {
  const paths: string[] = []
  for (const root of [...room.notes, ...room.texts]) {
    const files = isNoteRoot(root) ? await readableFiles(room, root) : root.texts.map(({ file }) => file)
    paths.push(...files.map((file) => `${root.name}/${file}`))
  }
  const found = paths.filter((each) => matchesGlob(each, pattern))
  return found.length === 0 ? 'No path is like that.' : rowsOf(found, shown)
}

/** Names and lines are words of others too. */
function rowsOf<Row>(rows: readonly Row[], lineOf: (row: Row) => string): string {
  if (rows.length === 0) return 'It is empty.'
  const left = rows.length - MAX_ROWS
  const more = left > 0 ? `\n${left} more are not shown.` : ''
  return `${fence('material', rows.slice(0, MAX_ROWS).map(lineOf).join('\n'))}${more}`
}

function shown(text: string): string {
  return cutGraphemes(oneLine(safeText(text, 'line').text), MAX_ROW_GRAPHEMES)
}
