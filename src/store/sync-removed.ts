/**
 * What becomes of notes whose file is gone (spec S14). The row leaves the index at once; the removal counts as a forget
 * only when a look 10 minutes later still misses the note and few went at the same time. Until then a missing row in
 * state.db, which holds keyed hashes and no words, waits. A note that turns up again, here or elsewhere, was moved.
 */
import type { IndexedNoteRow } from './search-index/search-index.ts'
import type { MissingNote, StateStore } from './state/state-store.ts'
import type { SyncDependencies, SyncReport } from './sync-report.ts'

export const LOOKS_APART_MS = 10 * 60_000

/** What is alive: by path, id, or text, in this layer or in another. */
export interface LiveNotes {
  readonly count: number
  hasFile(file: string): boolean
  has(note: { id: string; textKey: string }): boolean
}

export type Settled = Pick<SyncReport, 'returned' | 'moved' | 'forgotten' | 'removedTogether'>

/** Recorded before the rows leave the index, so that a crash between the two forgets no removal. */
export function recordMissing(
  state: StateStore,
  gone: readonly IndexedNoteRow[],
  { tombstones, clock }: Pick<SyncDependencies, 'tombstones' | 'clock'>,
): void {
  const missedAt = clock.now()
  const missing = gone.map(({ layer, file, hash, id, name, textKey }): MissingNote => {
    const kept = state.noteKeys(layer, file)
    // Without kept keys (state.db was lost) the row still says enough to recognise the text.
    return {
      ...(kept ?? { nameKey: tombstones.nameKey(name), evidenceKeys: [] }),
      layer,
      file,
      hash,
      id,
      textKey,
      missedAt,
    }
  })
  state.putMissing(missing)
}

interface SettleInput extends Pick<SyncDependencies, 'tombstones'> {
  readonly state: StateStore
  readonly layer: string
  readonly live: LiveNotes
  readonly now: number
}

/** Clears what is alive again, then decides on what has been missing for long enough. */
export async function settleMissing({ state, layer, live, now, tombstones }: SettleInput): Promise<Settled> {
  let [returned, moved, forgotten, removedTogether] = [0, 0, 0, 0]
  for (const note of state.missing(layer)) {
    const isBack = live.hasFile(note.file)
    if (!isBack && !live.has(note)) continue
    state.removeMissing(layer, note.file)
    if (isBack) returned++
    else moved++
  }
  const pending = state.missing(layer)
  const few = isFew(pending.length, live.count)
  for (const note of pending) {
    if (now - note.missedAt < LOOKS_APART_MS) continue
    if (few) await bury(tombstones, note)
    state.removeMissing(layer, note.file)
    if (few) forgotten++
    else removedTogether++
  }
  return { returned, moved, forgotten, removedTogether }
}

/** Less than a fifth of the layer; in a small layer one note is always few. */
function isFew(missing: number, alive: number): boolean {
  return missing === 1 || missing * 5 < missing + alive
}

/** A second tombstone for the same words would outlive the lifting of the first. */
async function bury(tombstones: SyncDependencies['tombstones'], note: MissingNote): Promise<void> {
  const { id, nameKey, textKey, evidenceKeys } = note
  if (!tombstones.has({ textKey, evidenceKeys })) await tombstones.add({ noteId: id, nameKey, textKey, evidenceKeys })
}
