/**
 * Notes of a layer as the write path reads them: every file's bytes each time, parsed once for each content. So a
 * change by anybody is always seen, and a process that writes often does not parse the same notes again and again.
 */
import { join } from 'node:path'
import type { Layer, Note } from '../domain/index.ts'
import { safeText } from '../guard/index.ts'
import { type LayerReader, newestFirst, type ScannedNote, scannedFrom } from '../store/notes/layer-scan.ts'
import { derivedId } from '../store/notes/names.ts'
import type { NoteBytes, NoteFileStat } from '../store/notes/note-files.ts'
import { readNote } from '../store/notes/note-format.ts'
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

/** What was parsed, by layer, file and hash. Bodies are not kept. */
export type NoteCache = Map<string, ParsedNote>

export interface ReaderOptions {
  readonly isToolWritten: (path: string) => boolean
  readonly cache: NoteCache
}

/** About 1 KB an entry. */
const MAX_CACHED_NOTES = 50_000
/** Files open at one time. */
const READS_AT_ONCE = 32

export function readerOf(source: LayerReader, layer: Layer, options: ReaderOptions): NoteReader {
  const read = (file: string) => ('layer' in source ? source.read(file) : source.read(layer, file))
  return {
    scan: async () => {
      const { files } = 'layer' in source ? await source.list() : await source.list(layer)
      const found: ReadNote[] = []
      for (let start = 0; start < files.length; start += READS_AT_ONCE) {
        const batch = files.slice(start, start + READS_AT_ONCE)
        const notes = await Promise.all(
          batch.map(async (stat) => readOne(await readable(read, stat.file), stat, layer, options)),
        )
        found.push(...notes.filter((note) => note !== null))
      }
      return onePerId(found).sort(newestFirst)
    },
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

function readOne(
  found: NoteBytes | null,
  { file }: NoteFileStat,
  layer: Layer,
  { isToolWritten, cache }: ReaderOptions,
): ReadNote | null {
  if (!found) return null
  const { bytes, hash, ...stat } = found
  const key = [layer.key, file, hash].join('\n')
  const parsed = cache.get(key) ?? parse(bytes, { layer: layer.key, file, hash })
  if (cache.size >= MAX_CACHED_NOTES) cache.clear()
  cache.set(key, parsed)
  const scanned = scannedFrom({ ...parsed, body: '' }, { file, ...stat }, isToolWritten(join(layer.directory, file)))
  return { ...scanned, textKey: parsed.textKey, shown: () => shownLine(parsed, scanned) }
}

/** Judged once for each content: the guard costs more than reading the file. */
function shownLine(parsed: ParsedNote, { name, description }: ScannedNote): ShownLine {
  parsed.shown ??= { name: safeText(name, 'name').text, description: safeText(description, 'description').text }
  return parsed.shown
}

function parse(
  bytes: Uint8Array,
  place: { readonly layer: string; readonly file: string; readonly hash: string },
): ParsedNote {
  const { body, ...note } = readNote(bytes, place)
  return { ...note, textKey: textKeyOf(body) }
}

export function textKeyOf(text: string): string {
  return sha256(normaliseForComparison(text))
}

function onePerId(found: readonly ReadNote[]): ReadNote[] {
  const taken = new Set<string>()
  return [...found]
    .sort((one, other) => (one.file < other.file ? -1 : 1))
    .map((note) => {
      if (taken.has(note.id)) return { ...note, id: derivedId(note.layer, note.file), idDerived: true }
      taken.add(note.id)
      return note
    })
}
