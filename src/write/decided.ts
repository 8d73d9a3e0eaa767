/** What became of one proposal, as the write room says it. */
import type { Proposal, ReviewRefusal } from '../domain/index.ts'
import type { Judged } from './judge-proposal.ts'

export interface Decided {
  readonly proposal: Proposal
  readonly outcome: 'applied' | 'rebased' | 'edited' | 'rejected' | 'stale' | 'refused' | 'not-found'
  readonly refusal: ReviewRefusal | null
  readonly message: string
  /** What `undo` takes. */
  readonly undo: string | null
}

export function decidedAs(proposal: Proposal, outcome: Decided['outcome'], message: string): Decided {
  return { proposal, outcome, refusal: null, message, undo: null }
}

export function goneMeanwhile(proposal: Proposal): Decided {
  return decidedAs(proposal, 'not-found', 'It was decided meanwhile, or is too old.')
}

export function refusedAs(proposal: Proposal, { refusal, why }: { refusal: ReviewRefusal; why: string }): Decided {
  return { proposal, outcome: 'refused', refusal, message: why, undo: null }
}

/** What was not done, and why; null when it can be done. */
export function notDone(proposal: Proposal, judged: Judged): Decided | null {
  if (judged.state === 'refused') return refusedAs(proposal, judged)
  if (judged.state === 'stale') return decidedAs(proposal, 'stale', `${judged.why} Nothing was changed; it waits on.`)
  return null
}

/** Words that read like an attack need a yes of their own, given to this one text. */
export function threatened(
  proposal: Proposal,
  judged: Judged,
  { confirmThreat }: { readonly confirmThreat?: boolean },
): Decided | null {
  const threats = 'threats' in judged ? judged.threats : []
  if (threats.length === 0 || confirmThreat) return null
  const why = `It reads like an instruction that should not reach a prompt (${threats.join(', ')}).`
  return refusedAs(proposal, { refusal: 'threat', why })
}
