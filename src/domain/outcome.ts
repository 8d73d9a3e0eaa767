/** Outcomes of a write are values (spec W1). */
import type { NearNote, NoteSummary } from './note.ts'
import type { ProfileUsage } from './profile.ts'

/** Why a write was refused. `code` is stable; `message` is for people. */
export interface Rejection {
  readonly code:
    | 'threat'
    | 'secret-only'
    | 'sensitive'
    | 'own-block'
    | 'forgotten'
    | 'empty'
    | 'too-large'
    | 'layer-off'
    | 'layer-read-only'
    | 'home-newer'
    | 'name-taken'
    | 'no-match'
    | 'ambiguous'
    | 'placeholder'
    | 'loss'
    | 'profile-full'
    | 'not-editable'
    | 'undecided'
  readonly message: string
  /** Id of the threat or gate rule that fired. */
  readonly rule: string | null
  readonly hint: string
  /** True for the third equal refusal in a row: trying again will not help. */
  readonly final?: boolean
}

export interface WriteNotes {
  /** Notes that are near this one by name, subject or words: for the writer to look at. */
  readonly similar: readonly NearNote[]
  /** Kinds of secrets that were masked before anything was stored (`aws-access-key`, …). */
  readonly masked: readonly string[]
  /** Sentences for the person: where it went, what was marked undated, how to take it back. */
  readonly notices: readonly string[]
}

/** An entry: a pinned note whole; of any other note one paragraph, list item or block of code. */
export interface Entry {
  readonly note: NoteSummary
  /** 1-based line of the file. */
  readonly line: number
  /** As it may be shown; cut where it is long. */
  readonly text: string
}

/** What stands there now, so that a refused writer can mend it in the same turn. */
export interface EntriesNow {
  readonly entries: readonly Entry[]
  readonly omittedEntries: number
  /** Live use of the profile. */
  readonly profile: readonly ProfileUsage[]
}

export type RememberResult =
  | (WriteNotes & { readonly outcome: 'written' | 'merged' | 'unchanged'; readonly note: NoteSummary })
  | (WriteNotes & { readonly outcome: 'proposed'; readonly proposalId: string; readonly reason: string })
  | (WriteNotes & { readonly outcome: 'rejected'; readonly reason: Rejection } & Partial<EntriesNow>)

export type WriteOutcome = RememberResult['outcome']

export interface ForgetResult {
  /** `forgotten`: the file is gone and a tombstone stands. */
  readonly outcome: 'forgotten' | 'proposed' | 'rejected'
  readonly note: NoteSummary | null
  /** How to take it back, or why nothing was done. */
  readonly notices: readonly string[]
}
