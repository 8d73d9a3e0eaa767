/**
 * Reads what the start block needs from the files of the layers, without SQLite and without YAML. A layer that holds more
 * than a block can show is not read whole: the notes that its index lists first (the most valuable ones), those that
 * changed since it was written, and those whose name is like that of a note of a farther layer that they may override.
 */

import { isShared, type Layer, layerNameOf } from '../domain/index.ts'
import { MemoryError, messageOf } from '../errors.ts'
import { type IndexLine, omittedIn, parseIndexLines } from '../store/notes/index-file.ts'
import { changedMsOf } from '../store/notes/layer-reader.ts'
import { type ScannedNote, scanLayer } from '../store/notes/layer-scan.ts'
import { parseNoteFile, readablePiece } from '../store/notes/note-document.ts'
import type { LayerListing, NoteFileStat, NoteFiles } from '../store/notes/note-files.ts'
import { readSharedIndex, type SharedIndex } from '../store/notes/shared-index.ts'
import { placedByIndex } from '../store/notes/value-order.ts'
import { slugify } from '../util/index.ts'
import type { StartNote } from './start-note.ts'

/** Up to here each file that no index lists is read; in a larger layer those that changed since, and no more than this. */
export const WHOLE_LAYER_FILES = 400

/** A note as a layer's scan gives it. */
export interface LoadedNote extends StartNote, ScannedNote {}

export interface StartNotes {
  /** Active ones. */
  readonly notes: readonly LoadedNote[]
  /** Active notes of all layers, read or not. */
  readonly total: number
  /** Of each index of which not every line was read: the notes that it places before all the others, in its order. */
  readonly leading: readonly (readonly StartNote[])[]
  readonly problems: readonly string[]
}

export interface StartNotesOptions {
  readonly files: NoteFiles
  readonly listingOf: (layer: Layer) => Promise<LayerListing>
  /** Nearest first. */
  readonly layers: readonly Layer[]
  readonly isToolWritten: (path: string) => boolean
  /** Absolute path of the home, where the index lies that we keep of a layer in which we write nothing. */
  readonly home: string
  /** How many lines of an index are followed. What a person wrote around them is, too. */
  readonly maxLines: number
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
    leading: loaded.flatMap(({ leading }) => leading),
    problems,
  }
}

interface LoadedLayer {
  readonly layer: Layer
  readonly notes: LoadedNote[]
  readonly total: number
  /** Files that were not read. */
  readonly unread: readonly NoteFileStat[]
  /** What the indexes call them. */
  readonly names: ReadonlyMap<string, string>
  readonly leading: readonly (readonly StartNote[])[]
  readonly vanished: boolean
}

async function loadLayer(options: StartNotesOptions, layer: Layer): Promise<LoadedLayer> {
  const { files, isToolWritten } = options
  const listing = await options.listingOf(layer)
  const part = listing.files.length > options.maxLines ? await valuableFiles(options, layer, listing) : null
  const scan = await scanLayer(files, layer, { isToolWritten, only: part?.files, listing })
  const active = scan.notes.filter((note) => note.status === 'active')
  const read = await Promise.all(active.map((note) => toStartNote(files, layer, note)))
  const notes = placedByIndex(read, part?.placing ?? (await placingLines(options, layer)))
  const byFile = new Map(notes.map((note) => [note.file, note]))
  const opened = new Set(part?.files)
  const unread = part === null ? [] : listing.files.filter(({ file }) => !opened.has(file))
  const listed = unread.filter(({ file }) => part?.names.has(file)).length
  // Archived notes among those that are not read are known by the index alone, which counts active ones.
  const known = part && part.omitted > 0 ? active.length + listed + part.omitted : Number.POSITIVE_INFINITY
  return {
    layer,
    notes,
    total: Math.min(listing.files.length - (scan.notes.length - active.length), known),
    unread,
    names: part?.names ?? new Map(),
    leading: (part?.leading ?? []).map((leading) => leading.flatMap((file) => byFile.get(file) ?? [])),
    vanished: listing.state === 'vanished',
  }
}

interface ValuableFiles {
  readonly files: readonly string[]
  /** What the indexes say of files: their notes' names. */
  readonly names: ReadonlyMap<string, string>
  readonly leading: readonly (readonly string[])[]
  /** The lines that we wrote, most valuable first. */
  readonly placing: readonly IndexLine[]
  /** How many more notes an index counts than it lists. */
  readonly omitted: number
}

/**
 * The files to read: those that the indexes of the layer list first, and those that changed since. An index places the
 * most valuable notes first; a line that a person wrote may stand anywhere.
 */
async function valuableFiles(
  options: StartNotesOptions,
  layer: Layer,
  { files: listed }: LayerListing,
): Promise<ValuableFiles> {
  const ours = await ourIndex(options, layer)
  const indexes = [isShared(layer) ? await indexOf(options.files, layer) : null, ours].filter((each) => each !== null)
  if (indexes.length === 0) {
    const files = listed.slice(0, WHOLE_LAYER_FILES).map(({ file }) => file)
    return { files, names: new Map(), leading: [], placing: [], omitted: 0 }
  }
  const lines = indexes.map(({ text }) => parseIndexLines(text))
  const changed = changedSince(
    listed,
    indexes.map(({ mtimeMs }, place) => ({ mtimeMs, lines: lines[place] ?? [] })),
  )
  const names = new Map(lines.flat().map(({ target, name }) => [target, name]))
  const cuts = lines.map((each) => cutLines(each, options.maxLines))
  const first = new Set(cuts.flatMap(({ first }) => first))
  const isSmall = listed.length <= WHOLE_LAYER_FILES
  const others = listed
    .filter(({ file }) => !first.has(file) && (changed.has(file) || (isSmall && !names.has(file))))
    .sort((one, other) => changedMsOf(other) - changedMsOf(one))
    .slice(0, WHOLE_LAYER_FILES)
  const wanted = [...listed.filter(({ file }) => first.has(file)), ...others]
  return {
    files: wanted.map(({ file }) => file),
    names,
    leading: cuts.flatMap(({ generated, isCut }) => (isCut ? [generated.filter((file) => !changed.has(file))] : [])),
    placing: ours === null ? [] : writtenByUs(lines.at(-1) ?? []),
    omitted: Math.max(...indexes.map(({ text }) => omittedIn(text))),
  }
}

/** Files that changed since the oldest index that lists them was written; of the others, since the newest index was. */
function changedSince(
  listed: readonly NoteFileStat[],
  indexes: readonly { readonly mtimeMs: number; readonly lines: readonly IndexLine[] }[],
): ReadonlySet<string> {
  const newestMs = Math.max(...indexes.map(({ mtimeMs }) => mtimeMs))
  const writtenMs = new Map<string, number>()
  for (const { mtimeMs, lines } of indexes)
    for (const { target } of lines) writtenMs.set(target, Math.min(mtimeMs, writtenMs.get(target) ?? mtimeMs))
  const changed = listed.filter((stat) => changedMsOf(stat) >= (writtenMs.get(stat.file) ?? newestMs))
  return new Set(changed.map(({ file }) => file))
}

/** `generated`: the files of the lines that Keepsake wrote, as far as they are followed. */
function cutLines(lines: readonly IndexLine[], maxLines: number) {
  const generated = lines.filter((line) => line.generated).map(({ target }) => target)
  const written = lines.filter((line) => !line.generated).map(({ target }) => target)
  const followed = generated.slice(0, maxLines)
  return { first: [...written, ...followed], generated: followed, isCut: generated.length > maxLines }
}

/** The index that we keep of the layer: its order knows what notes earned. That of a layer of others lies in the home. */
async function ourIndex({ files, home }: StartNotesOptions, layer: Layer): Promise<SharedIndex | null> {
  return isShared(layer) ? readSharedIndex(home, layer) : indexOf(files, layer)
}

async function placingLines(options: StartNotesOptions, layer: Layer): Promise<readonly IndexLine[]> {
  const index = await ourIndex(options, layer)
  return index === null ? [] : writtenByUs(parseIndexLines(index.text))
}

function writtenByUs(lines: readonly IndexLine[]): IndexLine[] {
  return lines.filter(({ generated }) => generated)
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
 * A note of a large layer that was not read may still override one of a farther layer. The index has its name, and our
 * own files are called after their notes, so those few are found without opening any other.
 */
async function readNamesakes(
  { files, listingOf, isToolWritten }: StartNotesOptions,
  loaded: readonly LoadedLayer[],
): Promise<void> {
  for (const [place, { layer, notes, unread, names }] of loaded.entries()) {
    if (unread.length === 0) continue
    const farther = new Set(loaded.slice(place + 1).flatMap((each) => each.notes.map(({ name }) => slugify(name))))
    if (farther.size === 0) continue
    const only = unread
      .map(({ file }) => file)
      .filter((file) => slugsOf(file, names.get(file)).some((slug) => farther.has(slug)))
    if (only.length === 0) continue
    const scan = await scanLayer(files, layer, {
      isToolWritten,
      only: only.slice(0, WHOLE_LAYER_FILES),
      listing: await listingOf(layer),
    })
    const active = scan.notes.filter((note) => note.status === 'active')
    notes.push(...(await Promise.all(active.map((note) => toStartNote(files, layer, note)))))
  }
}

/**
 * The slugs that a file name may hold, with and without the type in front and the number that a taken name got, and that
 * of the name in the index. Rather one too many: the file itself decides.
 */
function slugsOf(file: string, name: string | undefined): string[] {
  const stem = file.slice(file.lastIndexOf('/') + 1).replace(/(?:-\d{1,4})?\.md$/i, '')
  return [stem, stem.slice(stem.indexOf('_') + 1), ...(name === undefined ? [] : [slugify(name)])]
}

async function toStartNote(files: NoteFiles, layer: Layer, note: ScannedNote): Promise<LoadedNote> {
  // The profile is the user's: what others pinned is a line like any other.
  const bytes = note.pinned && !isShared({ name: layerNameOf(layer.key) }) ? await files.read(layer, note.file) : null
  return { ...note, body: bytes ? readablePiece(parseNoteFile(bytes.bytes), 'body') : null }
}
