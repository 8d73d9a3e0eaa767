/** The deferred pipeline (spec W14): idle conversations are read one by one, then an agent tidies the notes with what they taught. */

/** Where a run is, for whoever watches it. */
export type DeferredProgress =
  | { readonly stage: 'one'; readonly session: string; readonly number: number; readonly of: number }
  /** `layer`: whose notes. `turn`: counted from 1. */
  | { readonly stage: 'two'; readonly layer: string; readonly turn: number }

export interface StageOneReport {
  /** Conversations that gave something, and that gave nothing; the second is a success. */
  readonly memories: number
  readonly nothing: number
  /** Tried again later. */
  readonly failed: number
  /** Idle conversations that are not read yet. */
  readonly waiting: number
  /** Why it did not begin, or went no further; null when all that was due is done. */
  readonly stopped: string | null
}

/** What became of the notes of one layer. */
export interface PassReport {
  readonly layer: string
  readonly outcome: 'done' | 'failed'
  /** Conversations whose memories it saw. */
  readonly memories: number
  readonly turns: number
  readonly changed: number
  readonly proposed: number
  /** Changes that the model wanted and that were refused, one sentence each, at most 20. */
  readonly refused: readonly string[]
  readonly omittedRefused: number
  /** Whether memory_summary.md was written. */
  readonly summary: boolean
  /** Why it failed. */
  readonly problem: string | null
}

export interface StageTwoReport {
  readonly passes: readonly PassReport[]
  /** Layers with memories that no pass has seen. */
  readonly waiting: number
  readonly stopped: string | null
}

export interface DeferredReport {
  readonly one: StageOneReport
  readonly two: StageTwoReport
}

/** What `status` says of it. */
export interface DeferredStatus {
  /** Conversations that gave something, gave nothing, and could not be read at their last try. */
  readonly memories: number
  readonly nothing: number
  readonly failed: number
  /** UTC ISO 8601 of the last pass over notes that succeeded, in any layer; null before the first. */
  readonly lastPass: string | null
  /** When the next pass may begin: a time, or null while nothing waits for one. */
  readonly nextPass: string | null
  /** Why the last try of a pass failed, where no success came after it. */
  readonly problem: string | null
}
