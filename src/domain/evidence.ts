/** Where a claim comes from, with the original words (spec W7, decision 12). */

/** Who said it. `person` = typed into our own CLI, web or library by the user; `agent` = a tool call of an agent. */
export const evidenceRoles = ['user', 'person', 'agent', 'assistant', 'tool', 'file'] as const
export type EvidenceRole = (typeof evidenceRoles)[number]

export interface Evidence {
  /** `<agent>:<native id>`, or null when it was not said in a captured session. */
  readonly session: string | null
  /** The agent's own message id, or null. */
  readonly message: string | null
  readonly role: EvidenceRole
  /** UTC ISO 8601 time at which it was said. */
  readonly time: string | null
  /** The words, masked, at most 300 characters. */
  readonly quote: string | null
  /** SHA-256 (hex) of the whole masked message; never of raw text, which would let short secrets be guessed. */
  readonly hash: string | null
}

/**
 * The three voices of spec I11. It follows from the evidence and the type, never from the note's text.
 * `rule`: the user's standing instruction. `fact`: recalled, to verify. `quoted`: words of tools and files.
 */
export type Voice = 'rule' | 'fact' | 'quoted'
