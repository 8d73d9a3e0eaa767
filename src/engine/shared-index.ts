/** Makes our index of a large layer that others write (spec T1), after a refresh saw that something changed there. */
import { existsSync } from 'node:fs'
import type { Home, Layer } from '../domain/index.ts'
import { safeHead } from '../guard/index.ts'
import { WHOLE_LAYER_FILES } from '../inject/index.ts'
import { writeWholeFile } from '../store/notes/atomic-write.ts'
import { MAX_INDEX_LINES, renderIndex } from '../store/notes/index-file.ts'
import { scanLayer } from '../store/notes/layer-scan.ts'
import type { NoteFiles } from '../store/notes/note-files.ts'
import { readNote } from '../store/notes/note-format.ts'
import { readSharedIndex, sharedIndexFile } from '../store/notes/shared-index.ts'
import { type Earned, mostValuableFirst } from '../store/notes/value-order.ts'
import type { SyncReport } from '../store/sync.ts'

export interface SharedIndexTools {
  readonly home: Home
  readonly files: NoteFiles
  readonly isToolWritten: (path: string) => boolean
  readonly earned: (notes: readonly string[]) => ReadonlyMap<string, Earned>
}

export async function keepSharedIndex(
  layer: Layer,
  { listed, changed, removed }: Pick<SyncReport, 'listed' | 'changed' | 'removed'>,
  { home, files, isToolWritten, earned }: SharedIndexTools,
): Promise<void> {
  const file = sharedIndexFile(home.directory, layer)
  if (!home.writable || listed <= WHOLE_LAYER_FILES) return
  if (changed + removed === 0 && existsSync(file)) return
  const { state, notes } = await scanLayer(files, layer, { parse: readNote, isToolWritten })
  if (state !== 'ok') return
  const earnedBy = earned(notes.map(({ id }) => id))
  const active = notes
    .filter(({ status }) => status === 'active')
    .map((note) => ({ ...note, earned: earnedBy.get(note.id) }))
    .sort(mostValuableFirst)
  const listable = active.slice(0, MAX_INDEX_LINES).map((note) => ({ ...note, ...safeHead(note) }))
  const { text } = renderIndex(null, [...listable, ...active.slice(MAX_INDEX_LINES)])
  if (readSharedIndex(home.directory, layer)?.text === text) return
  await writeWholeFile(file, new TextEncoder().encode(text))
}
