/**
 * When a session note is written anew (spec F1). Pure: everything it asks is counted in the transcript behind the place
 * to which the note reads, so no counter can drift.
 */

/** tokenx tokens of what was said and answered, and calls of tools. */
export const NOTE_TRIGGERS = { firstTokens: 10_000, everyTokens: 5_000, toolCalls: 3 } as const

export interface ConversationGrowth {
  readonly hasNote: boolean
  /** Since the note was written; without one, since the beginning. */
  readonly tokens: number
  readonly toolCalls: number
  /** A natural break: the last turn ended without a tool call. */
  readonly turnEnded: boolean
  /** The conversation ended, or is about to be compacted: what the note does not know would be lost to who goes on. */
  readonly isClosing: boolean
}

export function isNoteDue({ hasNote, tokens, toolCalls, turnEnded, isClosing }: ConversationGrowth): boolean {
  if (!hasNote) return tokens >= NOTE_TRIGGERS.firstTokens
  if (isClosing && tokens > 0) return true
  return tokens >= NOTE_TRIGGERS.everyTokens && (toolCalls >= NOTE_TRIGGERS.toolCalls || turnEnded)
}
