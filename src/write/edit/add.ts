/** A new note, or a new version of one, by the rules of `remember`. */
import { draftOf } from '../draft.ts'
import { entryOf } from '../entries-now.ts'
import { findHome } from '../find-home.ts'
import { withNear } from '../find-near.ts'
import { closedLayer } from '../layer-mode.ts'
import { planWrite } from '../plan-write.ts'
import { readerOf } from '../read-layer.ts'
import { forgottenBefore, undecided } from '../rejections.ts'
import { standsForgotten } from '../stands-forgotten.ts'
import { wholeEntry } from './entries.ts'
import { type EditOf, noteAt, type Outcome, refuse, type Stage } from './stage.ts'

export async function planAdd(stage: Stage, { action, ...memory }: EditOf<'add'>): Promise<Outcome> {
  const { context, drafts, input } = stage
  const { author, agent, evidence, time, dryRun } = input
  const drafted = draftOf({ ...memory, author, agent, evidence, time }, context)
  if ('rejection' in drafted) return refuse(drafted.rejection)
  const draft = await withNear(context, drafted.draft)
  const home = await findHome(context, draft, { layer: memory.layer, dryRun })
  const isForgotten = !home.holdsSameText && standsForgotten(context.tombstones, draft)
  if (isForgotten && draft.author !== 'person') return refuse(forgottenBefore())
  const { layer } = home
  const closed = closedLayer(layer, context.config)
  if (closed) return refuse(closed)
  const reader = home.exists
    ? readerOf(context.files, layer, context)
    : { scan: async () => [], load: async () => null }
  const plan = await planWrite(reader, draft, context.ids)
  if (plan.kind === 'blocked') return refuse(plan.refusal ?? undecided(plan.reason))
  const changes = [...(plan.kind === 'unchanged' ? [] : [plan.change]), ...plan.also]
  for (const { file, bytes } of changes) await drafts.put(layer, file, bytes)
  const file = plan.kind === 'unchanged' ? plan.file : plan.change.file
  const outcome = ({ create: 'written', patch: 'merged', unchanged: 'unchanged' } as const)[plan.kind]
  const now = await noteAt(stage, { layer, note: { file } })
  const entry = { ...entryOf(now, wholeEntry(now.note.body)), action, outcome }
  const notices = [...draft.notices, ...home.notices]
  return { entry, layer, file, evidence: draft.evidence, masked: draft.masked, notices }
}
