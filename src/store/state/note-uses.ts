/**
 * Port to the uses of notes (spec I7): that one was cited or opened, in how many sessions, and when last. Ids and times
 * only. Losing it costs statistics, never a memory. Drivers: `sqlite-note-uses` and `memory-note-uses`.
 */
import type { NoteUse, UseCount } from '../../domain/index.ts'

/** Acts kept of one note; the oldest go. Far more than order and decay of notes rest on. */
export const MAX_USES = 1_000

/** What `inSession` gives at most. */
export const MAX_SESSION_USES = 1_000

/** A use as it is kept. */
export type KeptUse = Required<NoteUse>

export interface NoteUses {
  /** In one transaction. An act that is known for a note stays as it was first told. Returns those that are new. */
  record(uses: readonly NoteUse[]): KeptUse[]
  /** Notes that were never used are not in it. */
  of(notes: readonly string[]): Map<string, UseCount>
  /** By time, then by note. */
  inSession(session: string): KeptUse[]
  /** Those of these sessions in which some note was used. */
  sessionsWithUses(sessions: readonly string[]): Set<string>
  remove(notes: readonly string[]): void
  removeSession(session: string): void
}

export function actOf({ session, act }: NoteUse): string {
  return act ?? session
}
