/** The one write path (spec W1): admit, draft, find the layer, then commit, propose or refuse. Outcomes are values. */
import {
  type EntriesNow,
  type Layer,
  modeOf,
  type NoteSummary,
  type Rejection,
  type RememberInput,
  type RememberResult,
} from '../domain/index.ts'
import { hasCode, throwIfCancelled } from '../errors.ts'
import { readNote } from '../store/notes/note-format.ts'
import { toSummary } from '../store/notes/summary.ts'
import { questionAfter } from './ask-for-rule.ts'
import { askToLift } from './ask-to-lift.ts'
import { commit, updateSearchIndex } from './commit.ts'
import type { WriteContext } from './dependencies.ts'
import { type Draft, draftOf } from './draft.ts'
import { findHome, type Home } from './find-home.ts'
import { nearNotesOf, withNear } from './find-near.ts'
import { closedLayer } from './layer-mode.ts'
import { type Plan, planWrite } from './plan-write.ts'
import { type Fitted, fitProfile } from './profile/fit-profile.ts'
import { approveHint, proposePlan } from './propose.ts'
import { readerOf } from './read-layer.ts'
import { forgottenBefore, homeNewer } from './rejections.ts'
import { standsForgotten } from './stands-forgotten.ts'

/** Near notes in an answer; more would be noise. */
const MAX_SIMILAR = 5

export async function remember(dependencies: WriteContext, input: RememberInput): Promise<RememberResult> {
  throwIfCancelled(input.signal)
  if (!dependencies.writable) return rejected(homeNewer())
  const drafted = draftOf(input, dependencies)
  if ('rejection' in drafted) return rejected(drafted.rejection)
  const draft = await withNear(dependencies, drafted.draft)
  const home = await findHome(dependencies, draft, input)
  const isForgotten = !home.holdsSameText && standsForgotten(dependencies.tombstones, draft)
  if (isForgotten && draft.author !== 'person') return rejected(forgottenBefore(), draft)
  const closed = closedLayer(home.layer, dependencies.config)
  if (closed) return rejected(closed, draft)
  const notices = [
    ...draft.notices,
    ...home.notices,
    ...(isForgotten ? ['This was forgotten before; because you said it again, it is kept.'] : []),
  ]
  const write = { dependencies, draft, home, notices, input }
  if (input.dryRun) return preview(write)
  return modeOf(home.layer, dependencies.config) === 'review' ? proposeOnly(write) : writeNow(write)
}

interface Write {
  readonly dependencies: WriteContext
  readonly draft: Draft
  readonly home: Home
  readonly notices: readonly string[]
  readonly input: RememberInput
}

async function writeNow(write: Write): Promise<RememberResult> {
  const { dependencies, draft, home } = write
  try {
    const committed = await commit(dependencies, home.layer, draft, write.input.signal)
    if (committed.state === 'refused') return full(write, committed)
    if (committed.state === 'undecided') return propose(write, committed.plan, committed.reason)
    const lagging = await updateSearchIndex(dependencies, changedLayers(committed.plan, home.layer))
    const { plan, change, notices } = committed
    const isAgents = draft.author === 'agent' && plan.kind !== 'unchanged'
    const question = isAgents ? await questionAfter(dependencies, home.layer, plan.change, draft.authorName) : []
    const lift = plan.kind === 'create' ? await askToLift(dependencies, home.layer, plan.change, draft.authorName) : []
    return told({ ...write, notices: [...write.notices, ...question, ...lift, ...notices, ...lagging] }, plan, change)
  } catch (error) {
    if (!hasCode(error, 'STORE_BUSY')) throw error
    return proposeOnly(write, 'Another process held the layer, so the text waits as a proposal.')
  }
}

async function proposeOnly(write: Write, why?: string): Promise<RememberResult> {
  const fitted = await planNow(write)
  if ('reason' in fitted) return full(write, fitted)
  const reason = why ?? `Writes to the ${write.home.layer.name} layer wait for review.`
  return propose(withNotices(write, fitted.notices), fitted.plan, reason)
}

async function preview(given: Write): Promise<RememberResult> {
  const fitted = await planNow(given)
  if ('reason' in fitted) return full(given, fitted)
  const { plan } = fitted
  const write = withNotices(given, fitted.notices)
  const inReview = modeOf(write.home.layer, write.dependencies.config) === 'review'
  if (plan.kind === 'unchanged') return told(write, plan)
  if (plan.kind !== 'blocked' && !inReview) return told(write, plan)
  const reason = plan.kind === 'blocked' ? plan.reason : 'It would wait for review.'
  return { outcome: 'proposed', proposalId: '', reason, ...asides(write, null) }
}

function withNotices(write: Write, notices: readonly string[]): Write {
  return { ...write, notices: [...write.notices, ...notices] }
}

function full(
  { draft }: Write,
  { reason, present }: { readonly reason: Rejection; readonly present: EntriesNow | null },
) {
  return { ...rejected(reason, draft), ...present }
}

/** The plan on what can be read now, without the lock. */
async function planNow({ dependencies, draft, home }: Write): Promise<Fitted> {
  const reader = home.exists
    ? readerOf(dependencies.files, home.layer, dependencies)
    : { scan: async () => [], load: async () => null }
  const plan = await planWrite(reader, draft, dependencies.ids)
  return fitProfile(reader, home.layer, { plan, draft }, dependencies)
}

async function propose(write: Write, plan: Plan, reason: string): Promise<RememberResult> {
  if (plan.kind === 'unchanged') return told(write, plan)
  const { dependencies, draft, home } = write
  const proposal = await proposePlan(dependencies, home.layer, { plan, draft, reason })
  const waiting = { ...write, notices: [...write.notices, approveHint(proposal.id)] }
  return { outcome: 'proposed', proposalId: proposal.id, reason, ...asides(waiting, null) }
}

async function told(
  write: Write,
  plan: Exclude<Plan, { kind: 'blocked' }>,
  change: string | null = null,
): Promise<RememberResult> {
  const { layer } = write.home
  if (plan.kind === 'unchanged') {
    const note = toSummary(plan.note, layer)
    return { outcome: 'unchanged', note, ...asides(write, note) }
  }
  const note = toSummary(readNote(plan.change.bytes, { layer: layer.key, file: plan.change.file }), layer)
  const takeBack = write.input.dryRun
    ? []
    : [`To take it back: keepsake ${change ? `undo ${change}` : `forget ${note.id}`}`]
  const outcome = plan.kind === 'create' ? 'written' : 'merged'
  return { outcome, note, ...asides({ ...write, notices: [...write.notices, ...takeBack] }, note) }
}

function asides({ draft, notices }: Write, note: NoteSummary | null) {
  const similar = nearNotesOf(draft).filter((each) => each.id !== note?.id)
  const renewed = similar.find(({ relation }) => relation === 'update')
  const hint = renewed ? [`It may renew "${renewed.name}". If so: keepsake forget ${renewed.id}`] : []
  return { similar: similar.slice(0, MAX_SIMILAR), masked: draft.masked, notices: [...notices, ...hint] }
}

function rejected(reason: Rejection, draft?: Draft): Extract<RememberResult, { outcome: 'rejected' }> {
  return { outcome: 'rejected', reason, similar: [], masked: draft?.masked ?? [], notices: draft?.notices ?? [] }
}

function changedLayers(plan: Plan, layer: Layer): readonly Layer[] {
  const isChanged =
    plan.kind === 'create' || plan.kind === 'patch' || (plan.kind === 'unchanged' && plan.also.length > 0)
  return isChanged ? [layer] : []
}
