/** The layers that proposals are about, each read once; what review itself writes is kept in view. */
import type { Layer } from '../domain/index.ts'
import type { LayerReader } from '../store/notes/layer-reader.ts'
import type { NoteBytes } from '../store/notes/note-files.ts'
import type { WriteContext } from './dependencies.ts'
import { type NoteReader, type ReadNote, readerOf, toReadNote } from './read-layer.ts'

export interface ReviewedLayer {
  readonly layer: Layer
  /** True when the folder held notes and is gone or unreadable. */
  readonly isGone: boolean
  notes(): readonly ReadNote[]
  /** Names that no new note can have, beside those of the notes. */
  readonly occupied: readonly string[]
  readonly load: NoteReader['load']
  keep(file: string, written: NoteBytes): void
  forget(file: string): void
}

/** Null for a layer that the home does not know. */
export type FindLayer = (key: string) => Promise<ReviewedLayer | null>

/** As they are now, without any lock. */
export function layersNow(context: WriteContext): FindLayer {
  const known = new Map<string, Promise<ReviewedLayer | null>>()
  const look = async (key: string) => {
    const layer = context.everyLayer().find((each) => each.key === key)
    return layer ? readLayer(context, context.files, layer) : null
  }
  return (key) => {
    const found = known.get(key) ?? look(key)
    known.set(key, found)
    return found
  }
}

/** `source`: the files, or the layer under its lock. */
export async function readLayer(context: WriteContext, source: LayerReader, layer: Layer): Promise<ReviewedLayer> {
  const { state } = await context.files.list(layer)
  const reader = readerOf(source, layer, context)
  const scanned = state === 'ok' ? await reader.scan() : []
  const notes = new Map(scanned.map((note) => [note.file, note]))
  return {
    layer,
    isGone: state === 'vanished',
    notes: () => [...notes.values()],
    occupied: reader.occupied?.() ?? [],
    load: reader.load,
    keep: (file, written) => notes.set(file, toReadNote(written, { layer, file }, context)),
    forget: (file) => notes.delete(file),
  }
}
