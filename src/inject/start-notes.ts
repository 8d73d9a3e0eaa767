/**
 * Reads what the start block needs from the files of the layers, without SQLite and without YAML. A large layer is not
 * read whole: the notes that its index lists (the most valuable ones), those that changed since it was written, and
 * those whose file is called like a note of a farther layer that they may override.
 */

import { isShared, type Layer, layerNameOf } from '../domain/index.ts'
import { MemoryError, messageOf } from '../errors.ts'
import { omittedIn, parseIndexLines } from '../store/notes/index-file.ts'
import { type ScannedNote, scanLayer } from '../store/notes/layer-scan.ts'
import { baseName, typePrefix } from '../store/notes/names.ts'
import { parseNoteFile, readablePiece } from '../store/notes/note-document.ts'
import type { LayerListing, NoteFileStat, NoteFiles } from '../store/notes/note-files.ts'
import { readSharedIndex, type SharedIndex } from '../store/notes/shared-index.ts'
import { slugify } from '../util/index.ts'
import type { StartNote } from './start-note.ts'

/** A layer with more files than this is read by its index, and no more files than this beside those that it lists. */
export const WHOLE_LAYER_FILES = 400

export interface StartNotes {
  /** Active ones. */
  readonly notes: readonly StartNote[]
  /** Active notes of all layers, read or not. */
  readonly total: number
  readonly problems: readonly string[]
}

export interface StartNotesOptions {
  readonly files: NoteFiles
  /** Nearest first. */
  readonly layers: readonly Layer[]
  readonly isToolWritten: (path: string) => boolean
  /** Absolute path of the home, where the index lies that we keep of a layer in which we write nothing. */
  readonly home: string
}

/** Never throws: a layer that cannot be read becomes a problem. */
export async function loadStartNotes(options: StartNotesOptions): Promise<StartNotes> {
  const problems: string[] = []
  const loaded: LoadedLayer[] = []
  for (const layer of options.layers) {
    try {
      const read = await loadLayer(options, layer)
      loaded.push(read)
      if (read.vanished) problems.push(`The ${layer.name} notes in ${layer.directory} cannot be read.`)
    } catch (error) {
      problems.push(`The ${layer.name} notes in ${layer.directory} cannot be read: ${messageOf(error)}`)
    }
  }
  await readNamesakes(options, loaded)
  return {
    notes: loaded.flatMap(({ notes }) => notes),
    total: loaded.reduce((sum, { total }) => sum + total, 0),
    problems,
  }
}

interface LoadedLayer {
  readonly layer: Layer
  readonly notes: StartNote[]
  readonly total: number
  /** Files that were not read. */
  readonly unread: readonly NoteFileStat[]
  readonly vanished: boolean
}

async function loadLayer(options: StartNotesOptions, layer: Layer): Promise<LoadedLayer> {
  const { files, isToolWritten } = options
  const listing = await files.list(layer)
  const part = listing.files.length > WHOLE_LAYER_FILES ? await listedOrNewer(options, layer, listing) : null
  const scan = await scanLayer(files, layer, { isToolWritten, only: part?.files, listing })
  const active = scan.notes.filter((note) => note.status === 'active')
  // Archived notes among those that are not read are known by the index alone, which counts active ones.
  const known = part && part.omitted > 0 ? active.length + part.omitted : Number.POSITIVE_INFINITY
  const read = new Set(part?.files)
  return {
    layer,
    notes: await Promise.all(active.map((note) => toStartNote(files, layer, note))),
    total: Math.min(listing.files.length - (scan.notes.length - active.length), known),
    unread: part === null ? [] : listing.files.filter(({ file }) => !read.has(file)),
    vanished: listing.state === 'vanished',
  }
}

/** The files to read of a large layer, and how many more its index counts. */
async function listedOrNewer(
  options: StartNotesOptions,
  layer: Layer,
  { files: listed }: LayerListing,
): Promise<{ files: string[]; omitted: number }> {
  const indexes = [
    await indexOf(options.files, layer),
    isShared(layer) ? readSharedIndex(options.home, layer) : null,
  ].filter((each) => each !== null)
  if (indexes.length === 0) return { files: listed.slice(0, WHOLE_LAYER_FILES).map(({ file }) => file), omitted: 0 }
  const named = new Set(indexes.flatMap(({ text }) => parseIndexLines(text).map((line) => line.target)))
  const writtenMs = Math.max(...indexes.map(({ mtimeMs }) => mtimeMs))
  const newer = listed
    .filter(({ file, mtimeMs }) => !named.has(file) && mtimeMs >= writtenMs)
    .sort((one, other) => other.mtimeMs - one.mtimeMs)
    .slice(0, WHOLE_LAYER_FILES)
  const wanted = [...listed.filter(({ file }) => named.has(file)), ...newer]
  return { files: wanted.map(({ file }) => file), omitted: Math.max(...indexes.map(({ text }) => omittedIn(text))) }
}

async function indexOf(files: NoteFiles, layer: Layer): Promise<SharedIndex | null> {
  try {
    const index = await files.readIndex(layer)
    return index && { text: new TextDecoder().decode(index.bytes), mtimeMs: index.mtimeMs }
  } catch (error) {
    // An index that cannot be read hides no note; doctor names it.
    if (MemoryError.isInstance(error)) return null
    throw error
  }
}

/**
 * A note of a large layer that the index left out may still override one of a farther layer. Our own files are called
 * after their notes, so those few are found by the listing alone.
 */
async function readNamesakes(
  { files, isToolWritten }: StartNotesOptions,
  loaded: readonly LoadedLayer[],
): Promise<void> {
  for (const [place, { layer, notes, unread }] of loaded.entries()) {
    if (unread.length === 0) continue
    const farther = new Set(loaded.slice(place + 1).flatMap((each) => each.notes.map(({ name }) => slugify(name))))
    const only = unread.map(({ file }) => file).filter((file) => slugsOf(file).some((slug) => farther.has(slug)))
    if (only.length === 0) continue
    const scan = await scanLayer(files, layer, { isToolWritten, only: only.slice(0, WHOLE_LAYER_FILES) })
    const active = scan.notes.filter((note) => note.status === 'active')
    notes.push(...(await Promise.all(active.map((note) => toStartNote(files, layer, note)))))
  }
}

/** The slug in a file name of ours, with and without the number that a taken name got. */
function slugsOf(file: string): string[] {
  const base = baseName(file).replace(/\.md$/i, '')
  const type = typePrefix(file)
  const slug = type === null ? base : base.slice(type.length + 1)
  return [slug, slug.replace(/-\d{1,4}$/, '')]
}

async function toStartNote(files: NoteFiles, layer: Layer, note: ScannedNote): Promise<StartNote> {
  // The profile is the user's: what others pinned is a line like any other.
  const bytes = note.pinned && !isShared({ name: layerNameOf(layer.key) }) ? await files.read(layer, note.file) : null
  return { ...note, body: bytes ? readablePiece(parseNoteFile(bytes.bytes), 'body') : null }
}
