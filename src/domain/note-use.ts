/** That a note was used (spec I7): an agent cited or opened it. Being shown is no use. */

export const useKinds = ['cited', 'opened'] as const
export type UseKind = (typeof useKinds)[number]

/** Counted once per note and session. */
export interface NoteUse {
  /** Id of the note. */
  readonly note: string
  /** `<agent>:<native id>` */
  readonly session: string
  readonly kind: UseKind
  /** Milliseconds. */
  readonly at: number
  /**
   * What was done: a call of a tool, an answer. The same act counts for the session in which it was first seen, so that a
   * fork or a replay that holds it again counts nothing. Default: the session itself.
   */
  readonly act?: string
}

export interface UseCount {
  /** Sessions in which the note was used. */
  readonly count: number
  /** UTC ISO 8601; null when it never was. */
  readonly lastUsed: string | null
}

/** An answer of the model, as a host got it. */
export interface AnsweredInput {
  /** The conversation: its own id, or `<agent>:<id>`; as in `context`. */
  readonly session: string
  /** Name of the host; default `plain`. */
  readonly agent?: string
  readonly text: string
  /** Id of the answer: the same one counts once, also in a fork. */
  readonly message?: string
}

export interface AnsweredResult {
  /** What to show and to keep: without citation blocks. */
  readonly text: string
  /** Ids of the notes that it cites. */
  readonly used: readonly string[]
  /** How many of them were not counted for this answer or conversation before. */
  readonly counted: number
  /** What it cites and is no note of this place, or could be two. */
  readonly unknown: readonly string[]
  /** References beyond the first 100. */
  readonly omitted: number
  /** Why nothing was counted; null when it was. */
  readonly reason: string | null
}

export const UNUSED: UseCount = { count: 0, lastUsed: null }
