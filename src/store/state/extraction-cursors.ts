/**
 * Port to how far a model has read each conversation (spec W12): places in sessions.db, no words. A conversation without
 * a cursor is not read by any model, so losing these rows never reads a message twice. Drivers:
 * `sqlite-extraction-cursors` (state.db) and the memory one beside it.
 */

/** Messages from the one ordinal to the other, both included. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

export interface ExtractionCursor {
  readonly session: string
  /** Place of the last message that was read, and its id: a place that holds another one is no place. -1 and null: none. */
  readonly ordinal: number
  readonly message: string | null
  /** Behind it, in order: turns in which the agent wrote memory itself. They are read by nobody. */
  readonly skipped: readonly Stretch[]
  /** Place of the last message about which it was decided whether a model is to be asked. */
  readonly seen: number
  /** Milliseconds: when a model last read; null when none did yet. */
  readonly readAt: number | null
  /** When the row was last changed. */
  readonly touchedAt: number
}

/** Turns that wait to be passed over; of more, the first two become one with what is between them. */
export const MAX_SKIPPED = 100
/** Rows in all; beyond that those go that were left alone for longest. */
export const MAX_CURSORS = 2_000

export interface ExtractionCursors {
  get(session: string): ExtractionCursor | null
  /** Reads, lets change and writes in one transaction. `change` gives null to leave it as it is. Returns what now holds. */
  change(session: string, change: (known: ExtractionCursor | null) => ExtractionCursor | null): ExtractionCursor | null
  /** Those that were touched last, newest first. */
  newest(limit: number): readonly ExtractionCursor[]
  remove(session: string): void
}
