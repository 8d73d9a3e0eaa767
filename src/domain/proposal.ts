/** A change that waits for a person's yes (spec W11). Stored under `proposals/<id>.json`. */
import type { Evidence } from './evidence.ts'

export const proposalOperations = ['create', 'patch', 'remove', 'move'] as const
export type ProposalOperation = (typeof proposalOperations)[number]

/**
 * What a yes means. `change`: do it. `rule`: the note stands as it is and becomes the user's own rule (spec I11).
 * `withheld`: a file in which a threat was found may be shown, fenced and marked (spec W4). `lift`: a rule that stands in
 * more than one project becomes global (spec W21).
 */
export const proposalQuestions = ['change', 'rule', 'withheld', 'lift'] as const
export type ProposalQuestion = (typeof proposalQuestions)[number]

export interface Proposal {
  readonly id: string
  /** Layer key. */
  readonly layer: string
  readonly asks: ProposalQuestion
  readonly operation: ProposalOperation
  /** Note concerned; null for `create`. */
  readonly noteId: string | null
  /** Hash of the bytes the change starts from; null for `create`. */
  readonly baseHash: string | null
  /**
   * The text that `baseHash` names, masked: what the change is told from when the file has changed meanwhile. Null for
   * `create`, `remove` and `move`, and in proposals of 0.1.0, which apply to unchanged bytes only.
   */
  readonly base: string | null
  /** File (below the layer) and the whole proposed bytes, masked; null for `remove`. */
  readonly file: string
  readonly proposed: string | null
  /** `move`: key of the layer that the note leaves. */
  readonly from: string | null
  readonly evidence: readonly Evidence[]
  readonly author: string
  readonly reason: string
  /** UTC ISO 8601. */
  readonly created: string
}
