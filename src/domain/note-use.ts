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

export const UNUSED: UseCount = { count: 0, lastUsed: null }
