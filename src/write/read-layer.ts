/**
 * Notes of a layer as the write path compares them: read again when size, time or inode say so, parsed once for each
 * content. The note that is written is always loaded anew (`load`), so a change that keeps all three could at the most
 * hide a new name for a moment; it can never be overwritten.
 */
import { sep } from 'node:path'
import type { Layer, Note } from '../domain/index.ts'
import { safeHead } from '../guard/index.ts'
import { boundTo, type LayerReader, onePerId, readInBatches } from '../store/notes/layer-reader.ts'
import { newestFirst, type ScannedNote, scannedFrom } from '../store/notes/layer-scan.ts'
import { bodyOf, decodeStrictly } from '../store/notes/note-document.ts'
import type { NoteBytes, NoteFileStat } from '../store/notes/note-files.ts'
import { readNote } from '../store/notes/note-format.ts'
import { scanNoteHead } from '../store/notes/note-scan.ts'
import { normaliseForComparison, sha256 } from '../util/index.ts'

/** A scanned note that can be compared by its words without holding them. */
export interface ReadNote extends ScannedNote {
  /** Equal for bodies that differ in case and white space only. */
  readonly textKey: string
  /** Name and description as our own index file may hold them: masked, and a marker where they attack. */
  shown(): ShownLine
}

export interface ShownLine {
  readonly name: string
  readonly description: string
}

/** Reads one layer, while nobody holds its lock or inside it. */
export interface NoteReader {
  /** Newest first; of two files with one id the first path keeps it. */
  scan(): Promise<readonly ReadNote[]>
  /** Null when the file is gone. */
  load(file: string): Promise<LoadedNote | null>
  /** Names that the last scan saw and that are no notes (a folder, a link outside): no note can be put there. */
  occupied?(): readonly string[]
}

export interface LoadedNote {
  readonly note: Note
  readonly bytes: Uint8Array
  readonly hash: string
}

type ParsedNote = Omit<Note, 'body'> & {
  readonly textKey: string
  /** What our own index file says of it, once it was asked for. */
  shown?: ShownLine
}

interface CachedNote {
  readonly stat: NoteFileStat
  readonly parsed: ParsedNote
  /** As a scan gives it, when no tool wrote it and when one did: the same until the file is another. */
  readonly asRead: { plain?: ReadNote; toolWritten?: ReadNote }
}

/** What was parsed last, by layer and file. Bodies are not kept. */
export type NoteCache = Map<string, CachedNote>

export interface ReaderOptions {
  readonly isToolWritten: (path: string) => boolean
  readonly cache: NoteCache
}

/** About 1 KB an entry. */
const MAX_CACHED_NOTES = 50_000

export function readerOf(source: LayerReader, layer: Layer, options: ReaderOptions): NoteReader {
  const { list, read } = boundTo(layer, source)
  const last = { occupied: [] as readonly string[] }
  return {
    scan: async () => {
      const { files, ignored } = await list()
      last.occupied = ignored.map(({ file }) => file.replace(/\/$/, ''))
      const found = await readInBatches(files, (stat) => readOne(read, stat, layer, options))
      return onePerId(found.filter((note) => note !== null)).sort(newestFirst)
    },
    occupied: () => last.occupied,
    load: async (file) => {
      const found = await read(file)
      if (!found) return null
      const { bytes, hash } = found
      return { note: readNote(bytes, { layer: layer.key, file, hash }), bytes, hash }
    },
  }
}

/** One file that cannot be read must not stop the writing of another; doctor names it. */
async function readable(read: (file: string) => Promise<NoteBytes | null>, file: string): Promise<NoteBytes | null> {
  try {
    return await read(file)
  } catch {
    // Reported by every scan for status and doctor; here it only means that this note cannot be compared.
    return null
  }
}

async function readOne(
  read: (file: string) => Promise<NoteBytes | null>,
  listed: NoteFileStat,
  layer: Layer,
  { isToolWritten, cache }: ReaderOptions,
): Promise<ReadNote | null> {
  const key = `${layer.key}\n${listed.file}`
  const known = cache.get(key)
  const current = known && isSameStat(known.stat, listed) ? known : await readAnew(read, listed.file, layer, known)
  if (!current) return null
  if (cache.size >= MAX_CACHED_NOTES) cache.clear()
  cache.set(key, current)
  return asReadNote(current, layer, isToolWritten)
}

function asReadNote(
  { parsed, stat, asRead }: CachedNote,
  layer: Layer,
  isToolWritten: ReaderOptions['isToolWritten'],
): ReadNote {
  const toolWritten = isToolWritten(`${layer.directory}${sep}${stat.file}`)
  const kind = toolWritten ? 'toolWritten' : 'plain'
  const known = asRead[kind]
  if (known) return known
  const scanned = scannedFrom({ ...parsed, body: '' }, stat, toolWritten)
  const made = { ...scanned, textKey: parsed.textKey, shown: () => shownLine(parsed, scanned) }
  asRead[kind] = made
  return made
}

/** A note that was just written, as a scan would give it. */
export function toReadNote(
  { bytes, hash, size, mtimeMs, inode }: NoteBytes,
  { layer, file }: { readonly layer: Layer; readonly file: string },
  { isToolWritten }: Pick<ReaderOptions, 'isToolWritten'>,
): ReadNote {
  const parsed = parse(bytes, { layer: layer.key, file, hash })
  return asReadNote({ stat: { file, size, mtimeMs, inode }, parsed, asRead: {} }, layer, isToolWritten)
}

function isSameStat(one: NoteFileStat, other: NoteFileStat): boolean {
  return one.size === other.size && one.mtimeMs === other.mtimeMs && one.inode === other.inode
}

async function readAnew(
  read: (file: string) => Promise<NoteBytes | null>,
  file: string,
  layer: Layer,
  known: CachedNote | undefined,
): Promise<CachedNote | null> {
  const found = await readable(read, file)
  if (!found) return null
  const { bytes, hash, size, mtimeMs, inode } = found
  const parsed = known?.parsed.hash === hash ? known.parsed : parse(bytes, { layer: layer.key, file, hash })
  return { stat: { file, size, mtimeMs, inode }, parsed, asRead: {} }
}

/** Judged once for each content: the guard costs more than reading the file. */
function shownLine(parsed: ParsedNote, { name, description }: ScannedNote): ShownLine {
  parsed.shown ??= safeHead({ name, description })
  return parsed.shown
}

function parse(
  bytes: Uint8Array,
  place: { readonly layer: string; readonly file: string; readonly hash: string },
): ParsedNote {
  const { body, ...note } = readQuickly(bytes, place) ?? readNote(bytes, place)
  return { ...note, textKey: textKeyOf(body) }
}

/**
 * The same note without the YAML parser, which for a thousand notes takes a third of a second: where the scanner answers,
 * it says what the parser says. An id of its own shows that the lines above the text are front matter.
 */
function readQuickly(
  bytes: Uint8Array,
  place: { readonly layer: string; readonly file: string; readonly hash: string },
): Note | null {
  const text = decodeStrictly(bytes)
  const head = text === null ? 'unsure' : scanNoteHead(text, place)
  return head === 'unsure' || head.idDerived ? null : { ...head, ...place, body: bodyOf(bytes) }
}

export function textKeyOf(text: string): string {
  return sha256(normaliseForComparison(text))
}
