/**
 * Reads what the start block needs from the files of the layers, without SQLite and without YAML. A large layer is not
 * read whole: the notes that MEMORY.md lists (the most valuable ones) and those that changed since it was written.
 */

import { type Layer, layerNameOf } from '../domain/index.ts'
import { messageOf } from '../errors.ts'
import { omittedIn, parseIndexLines } from '../store/notes/index-file.ts'
import { type ScannedNote, scanLayer } from '../store/notes/layer-scan.ts'
import { parseNoteFile, readablePiece } from '../store/notes/note-document.ts'
import type { NoteFiles } from '../store/notes/note-files.ts'
import type { StartNote } from './start-note.ts'

/** A layer with more files than this is read by its index. */
const WHOLE_LAYER_FILES = 400

export interface StartNotes {
  readonly notes: readonly StartNote[]
  readonly total: number
  readonly problems: readonly string[]
}

export interface StartNotesOptions {
  readonly files: NoteFiles
  readonly layers: readonly Layer[]
  readonly isToolWritten: (path: string) => boolean
}

/** Never throws: a layer that cannot be read becomes a problem. */
export async function loadStartNotes({ files, layers, isToolWritten }: StartNotesOptions): Promise<StartNotes> {
  const notes: StartNote[] = []
  const problems: string[] = []
  let total = 0
  for (const layer of layers) {
    try {
      const loaded = await loadLayer(files, layer, isToolWritten)
      notes.push(...loaded.notes)
      total += loaded.total
      if (loaded.vanished) problems.push(`The ${layer.name} notes in ${layer.directory} cannot be read.`)
    } catch (error) {
      problems.push(`The ${layer.name} notes in ${layer.directory} cannot be read: ${messageOf(error)}`)
    }
  }
  return { notes, total, problems }
}

async function loadLayer(files: NoteFiles, layer: Layer, isToolWritten: (path: string) => boolean) {
  const listing = await files.list(layer)
  const part = listing.files.length > WHOLE_LAYER_FILES ? await listedOrNewer(files, layer, listing.files) : null
  const scan = await scanLayer(files, layer, { isToolWritten, only: part?.files, listing })
  const active = scan.notes.filter((note) => note.status === 'active')
  // Archived notes among those that are not read are known by the index alone, which counts active ones.
  const known = part && part.omitted > 0 ? active.length + part.omitted : Number.POSITIVE_INFINITY
  const total = Math.min(listing.files.length - (scan.notes.length - active.length), known)
  const notes = await Promise.all(active.map((note) => toStartNote(files, layer, note)))
  return { notes, total, vanished: listing.state === 'vanished' }
}

/** The files to read of a large layer, and how many more the index counts. */
async function listedOrNewer(
  files: NoteFiles,
  layer: Layer,
  listed: readonly { file: string; mtimeMs: number }[],
): Promise<{ files: string[]; omitted: number }> {
  const index = await files.readIndex(layer)
  if (!index) return { files: listed.slice(0, WHOLE_LAYER_FILES).map(({ file }) => file), omitted: 0 }
  const text = new TextDecoder().decode(index.bytes)
  const named = new Set(parseIndexLines(text).map((line) => line.target))
  const wanted = listed.filter(({ file, mtimeMs }) => named.has(file) || mtimeMs >= index.mtimeMs)
  return { files: wanted.map(({ file }) => file), omitted: omittedIn(text) }
}

async function toStartNote(files: NoteFiles, layer: Layer, note: ScannedNote): Promise<StartNote> {
  const bytes = note.pinned ? await files.read(layer, note.file) : null
  return {
    id: note.id,
    name: note.name,
    description: note.description,
    type: note.type,
    voice: note.voice,
    pinned: note.pinned,
    layer: layerNameOf(layer.key),
    updated: note.updated,
    appliesTo: note.appliesTo,
    body: bytes ? readablePiece(parseNoteFile(bytes.bytes), 'body') : null,
  }
}
