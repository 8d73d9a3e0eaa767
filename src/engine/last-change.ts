/** When the words of a file became what they are, as the history of its layer says (spec I4). */
import type { Layer, Note } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import { wordsKey } from '../store/first-seen.ts'
import type { History } from '../store/notes/history-port.ts'
import { readNote } from '../store/notes/note-format.ts'

/** Commits that are looked through: those that changed nothing but marks and white space are few. */
const MAX_COMMITS = 10

/** Milliseconds; null when the history does not hold these words, or cannot be read. */
export async function lastChangeMs(history: History, layer: Layer, note: Note): Promise<number | null> {
  if (history.unavailable() !== null) return null
  const key = wordsKey(note)
  const { file } = note
  const holdsThem = (version: { readonly bytes: Uint8Array } | null | undefined) =>
    version ? wordsKey(readNote(version.bytes, { layer: layer.key, file })) === key : false
  let changedMs: number | null = null
  try {
    for (const { id, timeMs } of await history.log(layer, { file, limit: MAX_COMMITS })) {
      const changed = (await history.versions(layer, id)).find((each) => each.file === file)
      if (!holdsThem(changed?.after)) break
      changedMs = timeMs
      if (!holdsThem(changed?.before)) break
    }
  } catch (error) {
    if (!MemoryError.isInstance(error)) throw error
    // Without its history a file is as old as our first look at it.
    return null
  }
  return changedMs
}
