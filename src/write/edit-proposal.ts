/** Other words for what waits (spec W11): a person's, admitted like every text. It waits on under the same id. */
import type { Evidence, Proposal, Rejection, ReviewRefusal } from '../domain/index.ts'
import { hasCode, MemoryError } from '../errors.ts'
import { describe } from '../store/notes/names.ts'
import { readNote } from '../store/notes/note-format.ts'
import { admitText } from './admit.ts'
import { type Decided, decidedAs, goneMeanwhile, refusedAs } from './decided.ts'
import type { EditedWords, WriteContext } from './dependencies.ts'
import { evidenceOf } from './evidence.ts'
import { refusalOf } from './judge-proposal.ts'
import { maskedText } from './propose.ts'
import { revise } from './revise.ts'

/** Throws INPUT_INVALID for a proposal that has no text. */
export function assertEditable({ operation }: Proposal): void {
  if (operation === 'create' || operation === 'patch') return
  throw new MemoryError('INPUT_INVALID', `A proposal to ${operation} a note has no text to edit`, {
    hint: 'Approve or reject it.',
    data: { field: 'id' },
  })
}

/** Called under the lock of its layer. */
export async function editProposal(context: WriteContext, asked: Proposal, words: EditedWords): Promise<Decided> {
  const proposal = await context.proposals.get(asked.id)
  if (!proposal) return goneMeanwhile(asked)
  const admission = admitText(words.text, context.config.sensitive, {
    threats: words.confirmThreat ? 'kept' : 'refused',
  })
  if ('rejection' in admission) {
    const { code, message, hint } = admission.rejection
    return refusedAs(proposal, { refusal: refusals[code] ?? 'format', why: `${message} ${hint}` })
  }
  try {
    const edited = withText(context, proposal, admission.admitted.text)
    await context.proposals.replace(edited)
    const masked = admission.admitted.notices.join(' ')
    return decidedAs(edited, 'edited', `It waits with the new text. ${masked}`.trim())
  } catch (error) {
    if (!hasCode(error, 'NOTE_FORMAT_INVALID')) throw error
    return refusedAs(proposal, refusalOf(error))
  }
}

const refusals: Partial<Record<Rejection['code'], ReviewRefusal>> = {
  threat: 'threat',
  'secret-only': 'secret',
  sensitive: 'sensitive',
  'own-block': 'own-block',
  empty: 'empty',
  'too-large': 'too-large',
}

function withText(context: WriteContext, proposal: Proposal, text: string): Proposal {
  const bytes = new TextEncoder().encode(proposal.proposed ?? '')
  const note = readNote(bytes, proposal)
  const [said] = evidenceOf({ author: 'person', given: [], text, time: null, sensitive: context.config.sensitive })
  const evidence: readonly Evidence[] = said ? [...proposal.evidence, said] : proposal.evidence
  // A description that nobody wrote follows the text that it was made from.
  const description = note.description === describe(note.body) ? { description: describe(text) } : {}
  const source = said ? [...note.source, said] : note.source
  const changed = maskedText(revise(bytes, { ...description, body: text, source }, proposal.file))
  return { ...proposal, asks: 'change', proposed: changed, evidence }
}
