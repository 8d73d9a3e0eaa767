/** What the checks of all kinds share. */
import type { Verdict } from '../../domain/index.ts'
import type { Look, PastLook } from './look.ts'

export interface Answer {
  readonly verdict: Verdict
  /** Words of the working tree. */
  readonly detail: string | null
}

export interface Check {
  readonly look: Look
  /** When the note was written; now, for a note without a date. */
  readonly past: PastLook
  /** The sentence around the anchor, as it stands in the note. */
  readonly sentence: string
  /** What can be said already: it stands if the time runs out. */
  tell(answer: Answer): void
}

/** What a check says of words that turned out to be none: they are left out. */
export const NO_ANCHOR = 'no anchor'
export type Outcome = Answer | typeof NO_ANCHOR

export const holds = (detail: string | null = null): Answer => ({ verdict: 'holds', detail })
export const changed = (detail: string | null): Answer => ({ verdict: 'changed', detail })
export const gone = (detail: string | null = null): Answer => ({ verdict: 'gone', detail })
export const notCheckable = (detail: string | null = null): Answer => ({ verdict: 'not checkable', detail })
export const notChecked: Answer = { verdict: 'not checked', detail: null }
