/** A change that waits for a person's yes (spec W11). Stored under `proposals/<id>.json`. */
import type { Evidence } from './evidence.ts'

export type ProposalOperation = 'create' | 'patch' | 'remove' | 'move'

export interface Proposal {
  readonly id: string
  /** Layer key. */
  readonly layer: string
  readonly operation: ProposalOperation
  /** Note concerned; null for `create`. */
  readonly noteId: string | null
  /** Hash of the bytes the change starts from; null for `create`. */
  readonly baseHash: string | null
  /** File (below the layer) and the whole proposed bytes, masked; null for `remove`. */
  readonly file: string
  readonly proposed: string | null
  readonly evidence: readonly Evidence[]
  readonly author: string
  readonly reason: string
  /** UTC ISO 8601. */
  readonly created: string
}
