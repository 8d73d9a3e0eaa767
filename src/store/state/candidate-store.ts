/**
 * Port to tentative statements (spec W8): "I may learn Rust" is no note yet. Words here are masked; messages are keyed
 * hashes. Losing it costs a sighting, never a memory. Drivers: `sqlite-candidate-store` and `memory-candidate-store`.
 */
import type { NoteType } from '../../domain/index.ts'

/** One message in which it was said. */
export interface Sighting {
  readonly session: string
  /** The message's own calendar day. */
  readonly day: string
  /** Keyed hash of the message. */
  readonly message: string
  /** Milliseconds at which it was said. */
  readonly at: number
}

export interface Candidate {
  readonly id: string
  /** Layer key of the project it was said in, or `global`. */
  readonly layer: string
  readonly type: NoteType
  /** The words as they were last said. */
  readonly text: string
  /** Keyed hash of the words, as tombstones have it. */
  readonly textKey: string
  /** Oldest first; at least one. */
  readonly sightings: readonly Sighting[]
}

/** Rows that are kept; the ones that were seen longest ago go. */
export const MAX_CANDIDATES = 500
/** Sightings of one candidate: two are enough to promote it. */
export const MAX_SIGHTINGS = 10

export interface CandidateStore {
  /** Adds the candidate, or gives the one of this id these words and one sighting more. The same message counts once. */
  see(candidate: Omit<Candidate, 'sightings'>, sighting: Sighting): void
  /** Those of the layers, seen last first, at most `limit`. */
  list(layers: readonly string[], limit: number): Candidate[]
  remove(ids: readonly string[]): void
  /** Removes those that say this, and sightings in these messages; what nobody has seen any more goes. */
  bury(buried: { readonly textKey: string; readonly messages: readonly string[] }): void
  removeSession(session: string): void
  /** Removes those that were last seen before `ms`. */
  expire(ms: number): void
  /** Those last seen at or after `ms`. */
  count(ms: number): number
}
