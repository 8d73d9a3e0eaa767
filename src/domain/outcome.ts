/** Outcomes of a write are values (spec W1). */
import type { NoteSummary } from './note.ts'

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
    | 'gate'
    | 'home-newer'
    | 'name-taken'
  readonly message: string
  /** Id of the threat or gate rule that fired. */
  readonly rule: string | null
  readonly hint: string
}

interface WriteNotes {
  /** Notes that are near this one by name, subject or words: for the writer to look at, never merged silently. */
  readonly similar: readonly NoteSummary[]
  /** Kinds of secrets that were masked before anything was stored (`aws-access-key`, …). */
  readonly masked: readonly string[]
  /** Sentences for the person: where it went, what was marked undated, how to take it back. */
  readonly notices: readonly string[]
}

export type RememberResult =
  | (WriteNotes & { readonly outcome: 'written' | 'merged' | 'unchanged'; readonly note: NoteSummary })
  | (WriteNotes & { readonly outcome: 'proposed'; readonly proposalId: string; readonly reason: string })
  | (WriteNotes & { readonly outcome: 'rejected'; readonly reason: Rejection })

export type WriteOutcome = RememberResult['outcome']

export interface ForgetResult {
  /** `forgotten`: the file is gone and a tombstone stands. */
  readonly outcome: 'forgotten' | 'proposed' | 'rejected'
  readonly note: NoteSummary | null
  /** How to take it back, or why nothing was done. */
  readonly notices: readonly string[]
}
