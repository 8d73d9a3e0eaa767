/** Sizes of transactions: each is to stay under 50 ms, so that no other process waits long for the write lock. */
import type { NoteFileStat } from './notes/note-files.ts'

const BATCH_NOTES = 20
const BATCH_BYTES = 64_000
/** Taking rows out costs far less than putting them in. */
const BATCH_REMOVALS = 200

/** In order; a file larger than a batch goes alone. */
export function* batchesOf(files: readonly NoteFileStat[]): Generator<NoteFileStat[]> {
  let batch: NoteFileStat[] = []
  let bytes = 0
  for (const stat of files) {
    if (batch.length > 0 && (batch.length === BATCH_NOTES || bytes + stat.size > BATCH_BYTES)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(stat)
    bytes += stat.size
  }
  if (batch.length > 0) yield batch
}

export function* chunksOf<T>(items: readonly T[], size = BATCH_REMOVALS): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size)
}
