/**
 * Layers as they would be after the edits so far: what was drafted lies over what is on disk, for reading only. So each
 * edit of a batch sees the ones before it, and nothing is written until all of them are judged.
 */
import type { Layer } from '../../domain/index.ts'
import { boundTo, type LayerReader } from '../../store/notes/layer-reader.ts'
import type { NoteBytes, NoteFileStat, NoteFiles } from '../../store/notes/note-files.ts'
import { sha256 } from '../../util/index.ts'
import type { NoteCache } from '../read-layer.ts'

/** One file of a layer before and after the edits. */
export interface DraftedFile {
  readonly layer: Layer
  readonly file: string
  /** Null: it does not exist. */
  readonly before: NoteBytes | null
  /** Null: it goes. */
  readonly bytes: Uint8Array | null
}

export interface DraftLayers {
  /** Reads through the drafts; takes the place of `files` in what plans a write. */
  readonly files: Pick<NoteFiles, 'list' | 'read'>
  /** A cache that knows nothing of drafts must not be filled with them. */
  readonly cache: NoteCache
  put(layer: Layer, file: string, bytes: Uint8Array | null): Promise<void>
  /** What differs from the disk, in the order of drafting. */
  changes(): readonly DraftedFile[]
}

/** `readerFor` gives the disk: a layer under its lock, or the port itself. */
export function createDraftLayers(readerFor: (layer: Layer) => LayerReader, known: NoteCache): DraftLayers {
  const drafts = new Map<string, DraftedFile>()
  const cache: NoteCache = new Map(known)
  const drafted = (layer: Layer, file: string) => drafts.get(`${layer.key}\n${file}`)
  return {
    cache,
    files: {
      async list(layer) {
        const listing = await boundTo(layer, readerFor(layer)).list()
        const kept = listing.files.filter(({ file }) => !drafted(layer, file))
        const added = [...drafts.values()].filter((draft) => draft.layer.key === layer.key).flatMap(statOf)
        const state = listing.state === 'empty' && added.length > 0 ? 'ok' : listing.state
        return { ...listing, state, files: [...kept, ...added] }
      },
      async read(layer, file) {
        const draft = drafted(layer, file)
        if (!draft) return boundTo(layer, readerFor(layer)).read(file)
        const [stat] = statOf(draft)
        return draft.bytes && stat ? { ...stat, bytes: draft.bytes, hash: sha256(draft.bytes) } : null
      },
    },
    async put(layer, file, bytes) {
      const before = drafted(layer, file)?.before ?? (await boundTo(layer, readerFor(layer)).read(file))
      drafts.set(`${layer.key}\n${file}`, { layer, file, before, bytes })
      cache.delete(`${layer.key}\n${file}`)
    },
    changes: () => [...drafts.values()].filter(isChange),
  }
}

function isChange({ before, bytes }: DraftedFile): boolean {
  if (!before || !bytes) return before !== null || bytes !== null
  return Buffer.compare(before.bytes, bytes) !== 0
}

/** No file on disk has this inode, so a draft is never taken for what a cache knows. */
function statOf({ file, bytes }: DraftedFile): NoteFileStat[] {
  return bytes ? [{ file, size: bytes.length, mtimeMs: 0, inode: -1 }] : []
}
