/** Notes of a layer as the write path reads them: whole, by bytes, with the hash that a later write must meet. */
import type { Layer, Note } from '../domain/index.ts'
import { type LayerReader, type ScannedNote, scanLayer } from '../store/notes/layer-scan.ts'
import { readNote } from '../store/notes/note-format.ts'

/** Reads one layer, while nobody holds its lock or inside it. */
export interface NoteReader {
  /** Newest first. */
  scan(): Promise<readonly ScannedNote[]>
  /** Null when the file is gone. */
  load(file: string): Promise<LoadedNote | null>
}

export interface LoadedNote {
  readonly note: Note
  readonly bytes: Uint8Array
  readonly hash: string
}

export function readerOf(source: LayerReader, layer: Layer, isToolWritten: (path: string) => boolean): NoteReader {
  return {
    scan: async () => (await scanLayer(source, layer, { isToolWritten, parse: readNote })).notes,
    load: async (file) => {
      const found = 'layer' in source ? await source.read(file) : await source.read(layer, file)
      if (!found) return null
      const { bytes, hash } = found
      return { note: readNote(bytes, { layer: layer.key, file, hash }), bytes, hash }
    },
  }
}
