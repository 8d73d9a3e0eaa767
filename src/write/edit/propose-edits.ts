/** Edits of a layer whose changes wait for review: one proposal for each file, each of them complete in itself. */
import type { EditInput, EditResult } from '../../domain/index.ts'
import { readNote } from '../../store/notes/note-format.ts'
import type { WriteContext } from '../dependencies.ts'
import { authorNameOf } from '../draft.ts'
import { approveHint, proposePlan } from '../propose.ts'
import type { EditPlan } from './plan-edits.ts'

export async function proposeEdits(
  context: WriteContext,
  input: EditInput,
  plan: Extract<EditPlan, { kind: 'planned' }>,
): Promise<EditResult> {
  const names = [...new Set(plan.changes.map(({ layer }) => layer.name))].join(' and ')
  const reason = input.asProposal ?? `Changes of the ${names} layer wait for review.`
  const draft = { authorName: authorNameOf(input), evidence: plan.steps.flatMap(({ evidence }) => evidence) }
  const proposalIds: string[] = []
  for (const { layer, file, before, bytes } of plan.changes) {
    // Moves to another layer are refused in a batch that waits, so no file goes.
    if (bytes === null) continue
    const change = { file, bytes, baseHash: before?.hash ?? null, ...(before ? { base: before.bytes } : {}) }
    const noteId = before ? readNote(before.bytes, { layer: layer.key, file }).id : null
    const kind = before ? ('patch' as const) : ('create' as const)
    const proposal = await proposePlan(context, layer, { plan: { kind, change, noteId, also: [] }, draft, reason })
    proposalIds.push(proposal.id)
  }
  return {
    outcome: 'proposed',
    proposalIds,
    reason,
    profile: plan.profile,
    similar: [],
    masked: [...new Set(plan.steps.flatMap(({ masked }) => masked))],
    notices: [...plan.steps.flatMap(({ notices }) => notices), ...proposalIds.map(approveHint)],
  }
}
