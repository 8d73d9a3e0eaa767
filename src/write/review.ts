/**
 * A person's yes or no to what waits (spec W11). Everything is judged again under the lock of its layer, where the
 * proposal itself is read again too: of two people who decide at once one does it, and the other is told.
 *
 * Must stay true when killed anywhere: the note is written before its proposal goes, and a note that was written names
 * the proposal in its evidence, so a second yes finds it done. Nothing here is called for an agent.
 */
import type { Layer, Proposal } from '../domain/index.ts'
import { throwIfCancelled } from '../errors.ts'
import { readNote } from '../store/notes/note-format.ts'
import { approveAll } from './approve-proposals.ts'
import { askAboutFiles } from './ask-for-rule.ts'
import { type Decided, decidedAs, goneMeanwhile, refusedAs } from './decided.ts'
import type { Review, ReviewOptions, WriteContext } from './dependencies.ts'
import { assertEditable, editProposal } from './edit-proposal.ts'
import { judgeProposal, refusalOf } from './judge-proposal.ts'
import { layersNow } from './reviewed-layers.ts'

export function createReview(context: WriteContext): Review {
  return {
    judge() {
      const find = layersNow(context)
      return (proposal) => judgeProposal(context, proposal, find)
    },
    approve: (proposals, options) => approveAll(context, proposals, options),
    async reject(proposals, options) {
      const decided: Decided[] = []
      for (const proposal of proposals) {
        throwIfCancelled(options.signal)
        decided.push(await rejectOne(context, proposal, options))
      }
      return decided
    },
    async edit(proposal, words) {
      assertEditable(proposal)
      return lockedOn(context, proposal, words, () => editProposal(context, proposal, words))
    },
    askAboutFiles: (layer) => askAboutFiles(context, layer),
  }
}

async function rejectOne(context: WriteContext, proposal: Proposal, options: ReviewOptions): Promise<Decided> {
  if (options.dryRun) return decidedAs(proposal, 'rejected', 'It would be rejected.')
  return lockedOn(context, proposal, options, async () => {
    if (!(await context.proposals.get(proposal.id))) return goneMeanwhile(proposal)
    // First: what was refused must not come back by itself, whenever we die.
    await rememberRefusal(context, proposal)
    await context.proposals.remove(proposal.id)
    return decidedAs(proposal, 'rejected', 'Rejected; nothing was changed.')
  })
}

/** The words that were refused stay away like forgotten ones; a question is not asked again. */
async function rememberRefusal(context: WriteContext, proposal: Proposal): Promise<void> {
  const { id, asks, noteId, baseHash, layer, file, proposed } = proposal
  if ((asks === 'rule' || asks === 'lift') && noteId !== null) context.answers.record({ asks, noteId }, 'no')
  else if (asks === 'withheld' && baseHash !== null) context.answers.record({ asks, hash: baseHash }, 'no')
  else if (proposed !== null && proposal.operation !== 'move') {
    const { tombstones } = context
    const { body } = readNote(new TextEncoder().encode(proposed), { layer, file })
    // No note is gone: neither an id nor a name is said to be, and other notes from the same words are free.
    const keys = { nameKey: tombstones.nameKey(`proposal ${id}`), textKey: tombstones.textKey(body), evidenceKeys: [] }
    await tombstones.add({ noteId: id, ...keys })
  }
}

/** Under the lock of its layer, as an approval is. A layer that is gone has no lock, and nobody who could take it. */
async function lockedOn(
  context: WriteContext,
  proposal: Proposal,
  { signal }: { readonly signal?: AbortSignal },
  work: () => Promise<Decided>,
): Promise<Decided> {
  const layer = layerOf(context, proposal)
  try {
    return await (layer ? context.files.withLock(layer, { signal }, work) : work())
  } catch (error) {
    return refusedAs(proposal, refusalOf(error))
  }
}

function layerOf(context: WriteContext, { layer }: Proposal): Layer | undefined {
  return context.everyLayer().find(({ key }) => key === layer)
}
