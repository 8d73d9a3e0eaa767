/** What a note names that can be looked up in a working tree, and what the look said (spec I5). */

export const anchorKinds = ['path', 'line', 'symbol', 'command', 'config', 'version', 'ref'] as const
/** `line` is `file:line`; `config` a key of a settings file; `version` of a dependency; `ref` of git. */
export type AnchorKind = (typeof anchorKinds)[number]

export const verdicts = ['holds', 'changed', 'gone', 'not checkable', 'not checked'] as const
/** `not checkable`: nothing here can say. `not checked`: there was no time. Neither speaks against the note. */
export type Verdict = (typeof verdicts)[number]

export interface AnchorVerdict {
  readonly kind: AnchorKind
  /** As it stands in the note. */
  readonly anchor: string
  readonly verdict: Verdict
  /** What is there now ("moved to src/auth.ts", "line 57 now", "4.1.12 now"), or null. Words of the working tree. */
  readonly detail: string | null
}

export interface NoteToVerify {
  readonly id: string
  /** Masked. */
  readonly body: string
  /** UTC ISO 8601: what was true then is what is compared. */
  readonly updated: string | null
}

/**
 * Looks what notes name up in the working tree. Bounded: at most `maxAnchors` anchors and `maxMs` milliseconds for all notes
 * together; the rest is `not checked`. Runs nothing that a note names, never throws, an abort gives what is known so far.
 * The verdicts of one note stand in the order of its text.
 */
export type VerifyNotes = (
  notes: readonly NoteToVerify[],
  options: { readonly maxMs: number; readonly maxAnchors?: number; readonly signal?: AbortSignal },
) => Promise<ReadonlyMap<string, readonly AnchorVerdict[]>>
