/** A person's word on a note: it helped, or it misled (spec R10). One step a day, as every session has one. */
import { type Clock, isoSeconds, type NoteSummary, type ReviewNote } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import type { Notes } from './notes.ts'
import type { TrustBook } from './trust.ts'

export interface JudgeNoteDependencies {
  readonly notes: Pick<Notes, 'find' | 'read'>
  readonly trust: Pick<TrustBook, 'record'>
  readonly clock: Clock
}

/** Throws NOTE_NOT_FOUND, NOTE_AMBIGUOUS, SQLITE_UNAVAILABLE; then nothing was recorded. */
export async function judgeNote(
  { notes, trust, clock }: JudgeNoteDependencies,
  { action, note: reference }: ReviewNote,
): Promise<NoteSummary> {
  const found = await notes.find(reference)
  if (found) {
    const at = clock.now()
    trust.record({ note: found.note.id, session: `person:${isoSeconds(at).slice(0, 10)}`, signal: action, at })
  }
  const read = found && (await notes.read(found.note.id))
  if (read) return read.summary
  throw new MemoryError('NOTE_NOT_FOUND', `No note is called ${JSON.stringify(reference)}`, {
    hint: "See 'keepsake list', or find it with 'keepsake recall'.",
    data: { reference },
  })
}
