/**
 * All edits of one call, judged as a whole (spec W2): drafted one after the other over what is on disk, then measured by
 * what the profile would hold at the end. Reads only; a refusal names the edit and shows what is there.
 */
import type { EditInput, EntriesNow, Layer, ProfileUsage, ProvenEdit, Rejection } from '../../domain/index.ts'
import type { LayerReader } from '../../store/notes/layer-reader.ts'
import type { WriteContext } from '../dependencies.ts'
import { timeSaid } from '../draft.ts'
import { isAttended } from '../profile/fit-profile.ts'
import { isPersons, ordinaryNotice, overfull, pinnedNotes, profileFull, usageOf } from '../profile/profile-room.ts'
import { readerOf } from '../read-layer.ts'
import { revise } from '../revise.ts'
import { createDraftLayers, type DraftedFile } from './draft-layers.ts'
import { type Located, locate } from './locate.ts'
import { planEdit } from './plan-edit.ts'
import { noteAt, type Stage, type Step } from './stage.ts'

export type EditPlan =
  | {
      readonly kind: 'planned'
      readonly steps: readonly Step[]
      readonly changes: readonly DraftedFile[]
      readonly profile: readonly ProfileUsage[]
      readonly notices: readonly string[]
    }
  | {
      readonly kind: 'refused'
      readonly reason: Rejection
      /** 1-based. */
      readonly edit: number
      readonly present: EntriesNow
    }

/** `readerFor` gives a layer as it is on disk: under its lock, or what can be read now. */
export async function planEdits(
  context: WriteContext,
  input: EditInput,
  readerFor: (layer: Layer) => LayerReader,
): Promise<EditPlan> {
  const stage = await stageOf(context, input, readerFor)
  const before = await pinnedIn(stage, readerFor)
  const steps: Step[] = []
  for (const [index, edit] of input.edits.entries()) {
    const outcome = await planEdit(stageFor(stage, edit), edit)
    if ('reason' in outcome) {
      const { entries, omittedEntries } = outcome.present ?? { entries: [], omittedEntries: 0 }
      const present = { entries, omittedEntries, profile: before.usage }
      return { kind: 'refused', reason: outcome.reason, edit: index + 1, present }
    }
    steps.push(outcome)
  }
  return settleProfile(stage, { before, steps })
}

/** Nothing drafted yet. */
async function stageOf(
  context: WriteContext,
  input: EditInput,
  readerFor: (layer: Layer) => LayerReader,
): Promise<Stage> {
  const drafts = createDraftLayers(readerFor, context.cache)
  const { global, project } = await context.currentLayers()
  return {
    context: { ...context, files: { ...context.files, ...drafts.files }, cache: drafts.cache },
    drafts,
    input,
    time: timeSaid(input.time, context.clock),
    layers: project ? [project, global] : [global],
  }
}

/** The words that prove an edit may be its own. */
function stageFor(stage: Stage, { evidence, time }: ProvenEdit): Stage {
  if (evidence === undefined && time === undefined) return stage
  const input = { ...stage.input, ...(evidence ? { evidence } : {}), ...(time ? { time } : {}) }
  return { ...stage, input, time: timeSaid(input.time, stage.context.clock) }
}

/** The note that one edit means, as it is now. */
export async function locateNow(
  context: WriteContext,
  input: EditInput,
  words: { readonly find?: string; readonly in?: string },
): Promise<Located | Extract<EditPlan, { kind: 'refused' }>> {
  const found = await locate(await stageOf(context, input, () => context.files), words)
  if (!('reason' in found)) return found
  const { entries, omittedEntries } = found.present ?? { entries: [], omittedEntries: 0 }
  const present = { entries, omittedEntries, profile: await profileNow(context) }
  return { kind: 'refused', reason: found.reason, edit: 1, present }
}

type Pinned = Awaited<ReturnType<typeof pinnedIn>>

/** The profile of all layers of here; a project that the edits brought into being counts too. */
async function pinnedIn({ context }: Pick<Stage, 'context'>, readerFor: (layer: Layer) => LayerReader) {
  const { global, project } = await context.currentLayers()
  const layers = project ? [project, global] : [global]
  const pinned = []
  for (const layer of layers) pinned.push(...(await pinnedNotes(readerOf(readerFor(layer), layer, context), layer)))
  return { pinned, usage: usageOf(pinned, layers, context.config) }
}

/** Live use of the profile of here. */
export async function profileNow(context: WriteContext): Promise<readonly ProfileUsage[]> {
  return (await pinnedIn({ context }, () => context.files)).usage
}

async function settleProfile(
  stage: Stage,
  { before, steps }: { readonly before: Pinned; readonly steps: readonly Step[] },
): Promise<EditPlan> {
  const { context, drafts, input } = stage
  const notices: string[] = []
  for (;;) {
    const after = await pinnedIn(stage, () => drafts.files)
    const full = overfull(before.usage, after.usage)
    if (full.length === 0) return { kind: 'planned', steps, changes: drafts.changes(), profile: after.usage, notices }
    const surplus = isAttended(input.author ?? 'person') ? null : await surplusIn(stage, steps, full)
    if (surplus === null) {
      const { reason, present } = profileFull(full, before, context.isToolWritten)
      return { kind: 'refused', reason, edit: lastIn(steps, full), present }
    }
    await drafts.put(surplus.layer, surplus.note.file, revise(surplus.bytes, { pinned: false }, surplus.note.file))
    notices.push(ordinaryNotice(full))
  }
}

/** The last note these edits touched that stands in a full store and that the person did not pin; null when none does. */
async function surplusIn(stage: Stage, steps: readonly Step[], full: readonly ProfileUsage[]) {
  for (const { layer, file, entry } of [...steps].reverse()) {
    if (entry.action === 'remove' || !full.some((usage) => usage.layer === layer.name)) continue
    const found = await noteAt(stage, { layer, note: { file } })
    if (found.note.pinned && !isPersons(found, stage.context.isToolWritten)) return found
  }
  return null
}

function lastIn(steps: readonly Step[], full: readonly ProfileUsage[]): number {
  return steps.findLastIndex(({ layer }) => full.some((usage) => usage.layer === layer.name)) + 1
}
