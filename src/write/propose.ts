/** Keeps a change for a person (spec W11): whole bytes, masked, with the evidence and the reason. */
import type { Evidence, Layer, Proposal, ProposalOperation } from '../domain/index.ts'
import { redact } from '../guard/index.ts'
import { decodeStrictly } from '../store/notes/note-document.ts'
import type { WriterDependencies } from './dependencies.ts'
import type { Draft } from './draft.ts'
import type { Plan } from './plan-write.ts'

/** Proposes what `plan` would write. An `unchanged` plan has nothing to propose. */
export function proposePlan(
  dependencies: { readonly proposals: Pick<WriterDependencies['proposals'], 'put'> },
  layer: Layer,
  {
    plan,
    draft,
    reason,
  }: {
    readonly plan: Exclude<Plan, { kind: 'unchanged' }>
    readonly draft: Pick<Draft, 'evidence' | 'authorName'>
    readonly reason: string
  },
): Promise<Proposal> {
  return dependencies.proposals.put({
    layer: layer.key,
    asks: 'change',
    operation: plan.change.baseHash === null ? 'create' : 'patch',
    noteId: plan.noteId,
    baseHash: plan.change.baseHash,
    base: plan.change.base === undefined ? null : maskedText(plan.change.base),
    from: null,
    file: plan.change.file,
    proposed: maskedText(plan.change.bytes),
    evidence: draft.evidence,
    author: draft.authorName,
    reason,
  })
}

/** Proposes to take a note away, or to move it here. */
export function proposeFile(
  dependencies: Pick<WriterDependencies, 'proposals'>,
  layer: Layer,
  change: {
    readonly operation: Extract<ProposalOperation, 'remove' | 'move'>
    readonly noteId: string
    readonly baseHash: string
    readonly file: string
    readonly proposed: Uint8Array | null
    /** The layer that a moved note leaves. */
    readonly from?: Layer
    readonly author: string
    readonly evidence: readonly Evidence[]
    readonly reason: string
  },
): Promise<Proposal> {
  const { proposed, from, ...rest } = change
  return dependencies.proposals.put({
    ...rest,
    layer: layer.key,
    asks: 'change',
    base: null,
    from: from?.key ?? null,
    proposed: proposed === null ? null : maskedText(proposed),
  })
}

/** What a person wrote by hand in the same file may hold a secret. A byte order mark stays. */
export function maskedText(bytes: Uint8Array): string {
  return redact(decodeStrictly(bytes) ?? new TextDecoder().decode(bytes)).text
}

/** Said wherever a change waits, so that the person knows the next step. */
export function approveHint(id: string): string {
  return `To see it: keepsake review show ${id}. To say yes: keepsake review approve ${id}`
}
