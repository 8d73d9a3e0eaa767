/** The derived index of a home: kept up to date from the files, and a scan of the files when it cannot be used. */
import { type Clock, isoSeconds, type Layer } from '../domain/index.ts'
import { redact, scanThreats } from '../guard/index.ts'
import type { RecallNote } from '../recall/index.ts'
import type { NoteFiles } from '../store/notes/note-files.ts'
import { createMemorySearchIndex } from '../store/search-index/memory-search-index.ts'
import type { SearchIndex } from '../store/search-index/search-index.ts'
import { createMemoryStateStore } from '../store/state/memory-state-store.ts'
import { createSync, type Sync } from '../store/sync.ts'
import { type GuardedText, readNote, toIndexedNote } from '../store/sync-rows.ts'
import type { Tombstones } from '../store/tombstones.ts'
import type { ToolWrites } from '../store/tool-writes.ts'
import type { Stores } from './stores.ts'

export interface IndexViewDependencies {
  readonly files: NoteFiles
  readonly stores: Stores
  readonly tombstones: Tombstones
  readonly toolWrites: ToolWrites
  readonly clock: Clock
  /** Keys of every layer that the caller can see. */
  readonly layers: () => readonly Layer[]
}

export interface IndexView {
  readonly sync: Sync
  /** An index in memory, filled from the files of these layers. */
  scan(layers: readonly Layer[]): Promise<SearchIndex>
  /** One note as it is on disk now, masked and scanned; null when it is gone. */
  readNote(layerKey: string, file: string): Promise<RecallNote | null>
}

export function createIndexView(dependencies: IndexViewDependencies): IndexView {
  const { files, stores, tombstones, toolWrites, clock, layers } = dependencies
  const withoutDatabase = createMemoryStateStore()
  const shared = {
    files,
    clock,
    guardText,
    textKey: (text: string) => tombstones.textKey(text),
    isToolWritten: (path: string) => toolWrites.has(path),
    otherLayers: () => layers().map((layer) => layer.key),
  }
  const sync = createSync({
    ...shared,
    index: () => stores.index(),
    state: () => stores.state() ?? withoutDatabase,
    addTombstone: async (note) => {
      await tombstones.add({ noteId: note.id, nameKey: '', textKey: note.textKey, evidenceKeys: [] })
    },
  })
  return {
    sync,
    async scan(wanted) {
      const index = createMemorySearchIndex()
      const scanning = createSync({
        ...shared,
        index: () => index,
        state: createMemoryStateStore,
        addTombstone: () => undefined,
      })
      for (const layer of wanted) await scanning.layer(layer)
      return index
    },
    async readNote(layerKey, file) {
      const layer = layers().find((each) => each.key === layerKey)
      const bytes = layer ? await files.read(layer, file) : null
      if (!layer || !bytes) return null
      const state = stores.state()
      return toIndexedNote(layer, readNote(layer, file, bytes), bytes, {
        guardText,
        textKey: shared.textKey,
        isToolWritten: shared.isToolWritten,
        firstSeen: (name, hash) => state?.peekFirstSeen(layer.key, name, hash) ?? clock.now(),
        now: () => clock.now(),
      })
    },
  }
}

/** What may reach the index: masked, and nothing in which a threat was found. */
export function guardText(text: string): GuardedText {
  const threats = scanThreats(text)
  if (threats.length > 0) return { text: '', withheld: [...new Set(threats.map(({ id }) => id))].join(', ') }
  return { text: redact(text).text, withheld: null }
}

/** For notices: `2026-11-29T20:24:00Z`. */
export function nowText(clock: Clock): string {
  return isoSeconds(clock.now())
}
