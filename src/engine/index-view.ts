/** The derived index of a home: kept up to date from the files, and a scan of the files when it cannot be used. */
import type { Clock, Layer } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import { guardText } from '../guard/index.ts'
import type { RecallNote } from '../recall/index.ts'
import type { Answers } from '../store/answers.ts'
import type { NoteHistory } from '../store/notes/history.ts'
import type { NoteFiles } from '../store/notes/note-files.ts'
import { readNote } from '../store/notes/note-format.ts'
import { createMemorySearchIndex } from '../store/search-index/memory-search-index.ts'
import type { SearchIndex } from '../store/search-index/search-index.ts'
import { createSync, type Sync } from '../store/sync.ts'
import { toIndexedNote } from '../store/sync-rows.ts'
import type { Tombstones } from '../store/tombstones.ts'
import type { ToolWrites } from '../store/tool-writes.ts'
import { lastChangeMs } from './last-change.ts'
import type { Stores } from './stores.ts'

export interface IndexViewDependencies {
  readonly files: NoteFiles
  readonly stores: Stores
  readonly tombstones: Tombstones
  readonly toolWrites: ToolWrites
  readonly history: NoteHistory
  readonly answers: Pick<Answers, 'answerTo' | 'generation'>
  readonly clock: Clock
  /** The layers that the caller can see. */
  readonly layers: () => readonly Layer[]
  /** Every layer of the home: a note that left one may have arrived in any other. */
  readonly everyLayer: () => readonly Layer[]
}

export interface IndexView {
  readonly sync: Sync
  /** An index in memory, filled from the files of these layers. */
  scan(layers: readonly Layer[]): Promise<SearchIndex>
  /** One note as it is on disk now, masked and scanned; null when it is gone, or not in a layer that the caller sees. */
  readNote(layerKey: string, file: string): Promise<RecallNote | null>
  /** When this content of a file was first seen, for files that say no date; null when nobody looked. */
  firstSeenMs(layerKey: string, file: string, hash: string): number | null
  /** The same of any layer, for upkeep. */
  readNoteIn(layer: Layer, file: string): Promise<RecallNote | null>
}

export function createIndexView(dependencies: IndexViewDependencies): IndexView {
  const { files, stores, tombstones, toolWrites, clock, layers } = dependencies
  const isConfirmed = (hash: string) => dependencies.answers.answerTo({ asks: 'withheld', hash }) === 'yes'
  const shared = {
    files,
    clock,
    guardText,
    isConfirmed,
    tombstones,
    toolWrites,
    otherLayers: () => dependencies.everyLayer().map((layer) => layer.key),
  }
  // What is only read back or scanned needs no keyed hashes, so a lost key hides no note.
  const keyless = { ...tombstones, textKey: () => '', nameKey: () => '', evidenceKey: () => '' }
  const sync = createSync({
    ...shared,
    index: () => stores.index(),
    state: () => stores.state(),
    lastChangeMs: (layer, note) => lastChangeMs(dependencies.history.versions, layer, note),
    generation: () => `${toolWrites.generation()} ${dependencies.answers.generation()}`,
  })
  // Without it a bare file has no date; that is no reason to hide a note that was found.
  const usableState = () => {
    try {
      return stores.state()
    } catch (error) {
      if (MemoryError.isInstance(error)) return null
      throw error
    }
  }
  const readNoteIn: IndexView['readNoteIn'] = async (layer, file) => {
    const bytes = await files.read(layer, file)
    if (!bytes) return null
    const state = usableState()
    const note = readNote(bytes.bytes, { layer: layer.key, file, hash: bytes.hash })
    const row = toIndexedNote(layer, note, bytes, {
      guardText,
      isConfirmed,
      tombstones: keyless,
      toolWrites,
      clock,
      firstSeen: (each) => state?.peekFirstSeen(layer.key, each.file, each.hash) ?? null,
    })
    return { ...row, source: note.source, supersedes: note.supersedes }
  }
  return {
    sync,
    async scan(wanted) {
      const index = createMemorySearchIndex()
      const scanning = createSync({ ...shared, tombstones: keyless, index: () => index, state: () => null })
      for (const layer of wanted) await scanning.layer(layer)
      return index
    },
    async readNote(layerKey, file) {
      const layer = layers().find((each) => each.key === layerKey)
      return layer ? readNoteIn(layer, file) : null
    },
    readNoteIn,
    firstSeenMs: (layerKey, file, hash) => usableState()?.peekFirstSeen(layerKey, file, hash) ?? null,
  }
}
