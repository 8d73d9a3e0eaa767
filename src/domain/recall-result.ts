/** What recall answers (spec R3, R6, R7, R9). */
import type { NoteType } from './note.ts'
import type { Standing } from './standing.ts'

export type RecallTarget = 'notes' | 'sessions' | 'all'

/** Every part of a score, for `--explain`. Parts multiply or add as named. */
export interface ScoreParts {
  readonly lexical: number
  readonly phrase: number
  readonly coverage: number
  readonly recency: number
  readonly confidence: number
  readonly final: number
}

/** Freshness and checks of one result, worded for a reader. */
export interface RecallHit {
  readonly kind: 'note' | 'message'
  readonly id: string
  /** Note name, or session title. */
  readonly name: string
  readonly type: NoteType | null
  /** `global` or `project` for notes, `session` for messages. */
  readonly layer: string
  /** Absolute path of the note, or null for a message. */
  readonly file: string | null
  readonly description: string
  readonly score: number
  /** `today`, `yesterday`, `12 days ago`, or `undated`. */
  readonly age: string
  /** Checks made at read time; empty until anchors are verified (spec I5). */
  readonly verdicts: readonly string[]
  /** Cut around the match, on a grapheme. */
  readonly snippet: string
  /** True when it matched a rare word but lies below the floor (spec R7). */
  readonly weak: boolean
  /** For a note: whether it counts in this place (spec S5). */
  readonly standing?: Standing
  readonly session: string | null
  readonly role: string | null
  readonly explain?: ScoreParts
}

export interface RecallResult {
  readonly results: readonly RecallHit[]
  /** How many more matched than were returned. */
  readonly omitted: number
  /**
   * `ok`: searched in the index. `scan`: the index could not be used, files were scanned instead (`reason` says why).
   * "No match" is `results: []` with `ok` or `scan`; a broken index is never an empty answer.
   */
  readonly searched: 'ok' | 'scan'
  readonly reason: string | null
}
