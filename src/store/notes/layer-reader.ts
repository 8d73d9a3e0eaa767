/** Reading a layer file by file, through either port: what the scan of heads and the write path do alike. */
import type { Layer } from '../../domain/index.ts'
import { throwIfCancelled } from '../../errors.ts'
import { compareUnits } from '../../util/index.ts'
import { derivedId } from './names.ts'
import type { LayerListing, LockedLayer, NoteFileStat, NoteFiles } from './note-files.ts'

/** Either port: all layers, or one under its lock. */
export type LayerReader = Pick<NoteFiles, 'list' | 'read'> | Pick<LockedLayer, 'layer' | 'list' | 'read'>

/** One layer, whichever port it is read through. */
export function boundTo(layer: Layer, reader: LayerReader): Pick<LockedLayer, 'list' | 'read'> {
  if ('layer' in reader) return reader
  return { list: () => reader.list(layer), read: (file) => reader.read(layer, file) }
}

/** When a file may last have changed, in any way that the listing knows. */
export function changedMsOf({ changedMs, mtimeMs }: NoteFileStat): number {
  return changedMs ?? mtimeMs
}

/** Listings that are taken once, for a look at layers that takes milliseconds. */
export function listOnce(files: Pick<NoteFiles, 'list'>): (layer: Layer) => Promise<LayerListing> {
  const taken = new Map<string, Promise<LayerListing>>()
  return (layer) => {
    const listing = taken.get(layer.key) ?? files.list(layer)
    taken.set(layer.key, listing)
    return listing
  }
}

/** Files open at one time. */
const READS_AT_ONCE = 32

/** The results of `work` in the order of `items`, of which a few are under way at a time. */
export async function readInBatches<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result[]> {
  const results: Result[] = []
  for (let start = 0; start < items.length; start += READS_AT_ONCE) {
    throwIfCancelled(signal)
    results.push(...(await Promise.all(items.slice(start, start + READS_AT_ONCE).map(work))))
  }
  return results
}

interface Identified {
  readonly id: string
  readonly idDerived: boolean
  readonly layer: string
  readonly file: string
}

/** The first path keeps a repeated id; the others get the one of their path, and are told to `onRepeated`. */
export function onePerId<Note extends Identified>(
  found: readonly Note[],
  onRepeated?: (note: Note, holder: string) => void,
): Note[] {
  const holders = new Map<string, string>()
  return [...found]
    .sort((one, other) => compareUnits(one.file, other.file))
    .map((note) => {
      const holder = holders.get(note.id)
      if (holder === undefined) {
        holders.set(note.id, note.file)
        return note
      }
      onRepeated?.(note, holder)
      return { ...note, id: derivedId(note.layer, note.file), idDerived: true }
    })
}
