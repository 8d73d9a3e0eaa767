/** Rows of the index, read back from their files in the order of the rows: what is no longer meant is left out. */
import { throwIfCancelled } from '../errors.ts'
import type { IndexedNoteRow } from '../store/search-index/search-index.ts'
import { NEUTRAL_TRUST } from './factors.ts'
import type { Entity } from './named-notes.ts'
import type { Wanted } from './note-wanted.ts'
import type { RecallDependencies, RecallNote } from './recall.ts'
import { isStillWanted, readNote } from './recall-notes.ts'

/** Files that are read at one time. */
const AT_ONCE = 16

export interface RowReading {
  readonly dependencies: Pick<RecallDependencies, 'readNote' | 'trustOf'>
  readonly wanted: Wanted
  readonly entities: readonly Entity[]
  readonly signal?: AbortSignal
}

/** Those that are trusted enough. */
export function trustedRows(
  rows: readonly IndexedNoteRow[],
  { dependencies, wanted: { minTrust } }: Pick<RowReading, 'dependencies' | 'wanted'>,
): readonly IndexedNoteRow[] {
  if (minTrust === 0) return rows
  const trust = dependencies.trustOf?.(rows.map(({ id }) => id))
  return rows.filter(({ id }) => (trust?.get(id) ?? NEUTRAL_TRUST) >= minTrust)
}

/** The first notes, and how many rows were not looked at. */
export async function readFirst(
  rows: readonly IndexedNoteRow[],
  limit: number,
  reading: RowReading,
): Promise<{ readonly notes: readonly RecallNote[]; readonly unread: number }> {
  const notes: RecallNote[] = []
  let read = 0
  while (read < rows.length && notes.length < limit) {
    throwIfCancelled(reading.signal)
    const batch = rows.slice(read, read + Math.min(AT_ONCE, limit - notes.length))
    read += batch.length
    const found = await Promise.all(batch.map((row) => readNote(reading.dependencies, row)))
    notes.push(...found.flatMap((note) => (note && isStillWanted(note, reading) ? [note] : [])))
  }
  return { notes, unread: rows.length - read }
}
