/** Which notes are asked for, by what a note says of itself (spec R9): one rule for the index, for files and for lists. */
import { isoSeconds, type Note, type NoteNarrowing, type NoteStatus } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import type { NoteFilter } from '../store/search-index/search-index.ts'
import { timeBounds } from './time-bounds.ts'

export interface Wanted extends NoteFilter {
  /** 0..1; 0 = any. */
  readonly minTrust: number
}

/** Throws INPUT_INVALID for a time or a trust that makes no sense. */
export function wantedFrom(
  { type, tag, status = 'active', since, until, minTrust = 0 }: NoteNarrowing,
  nowMs: number,
): Wanted {
  const { fromMs, toMs } = timeBounds({ since, until }, nowMs)
  if (!(minTrust >= 0 && minTrust <= 1))
    throw new MemoryError('INPUT_INVALID', 'minTrust must be a number from 0 to 1', {
      hint: 'A note that nobody tried has 0.5.',
      data: { field: 'minTrust' },
    })
  return {
    status: status === 'all' ? undefined : status,
    type,
    tag,
    changedFrom: fromMs === null ? undefined : isoSeconds(fromMs),
    changedBefore: toMs === null ? undefined : isoSeconds(toMs),
    minTrust,
  }
}

/** Trust is not looked at: it is no part of the note. What has no date is in no time. */
export function isWanted(
  note: Pick<Note, 'type' | 'tags' | 'updated'> & { readonly status: NoteStatus },
  { status, type, tag, changedFrom, changedBefore }: NoteFilter,
): boolean {
  return (
    (status === undefined || note.status === status) &&
    (type === undefined || note.type === type) &&
    (tag === undefined || note.tags.includes(tag)) &&
    (changedFrom === undefined || (note.updated !== null && note.updated >= changedFrom)) &&
    (changedBefore === undefined || (note.updated !== null && note.updated < changedBefore))
  )
}
