/**
 * Live edits (spec W2): judged on what can be read now, so that what is refused takes no lock; then judged again under
 * the locks of the layers they touch, and written, all or none. A layer in review gets proposals instead.
 */
import {
  type EditedEntry,
  type EditInput,
  type EditResult,
  type EntriesNow,
  editActions,
  type Layer,
  MAX_EDITS,
  modeOf,
  moveTargets,
  type RememberResult,
} from '../../domain/index.ts'
import { MemoryError, throwIfCancelled } from '../../errors.ts'
import { questionAfter } from '../ask-for-rule.ts'
import type { WriteContext } from '../dependencies.ts'
import { authorNameOf } from '../draft.ts'
import { entryOf } from '../entries-now.ts'
import { lookUp } from '../lookup.ts'
import { move } from '../move.ts'
import { readerOf } from '../read-layer.ts'
import { homeNewer } from '../rejections.ts'
import { remember } from '../remember.ts'
import { commitEdits } from './commit-edits.ts'
import { wholeEntry } from './entries.ts'
import { type EditPlan, locateNow, planEdits, profileNow } from './plan-edits.ts'
import { proposeEdits } from './propose-edits.ts'

/** Throws INPUT_INVALID, NOTE_NOT_FOUND, NOTE_AMBIGUOUS, STORE_BUSY, NOTE_CHANGED_ON_DISK; then nothing was changed. */
export async function edit(context: WriteContext, input: EditInput): Promise<EditResult> {
  throwIfCancelled(input.signal)
  checkEdits(input)
  if (!context.writable) return refused(homeNewer(), 1, { entries: [], omittedEntries: 0, profile: [] })
  const alone = await editAlone(context, input)
  if (alone) return alone
  const plan = await planEdits(context, input, () => context.files)
  if (plan.kind === 'refused') return refused(plan.reason, plan.edit, plan.present)
  if (plan.changes.length === 0) return done(plan, [])
  if (input.dryRun) return done(plan, [])
  const layers = distinctLayers(plan)
  if (input.asProposal !== undefined || layers.some((layer) => modeOf(layer, context.config) === 'review'))
    return proposeEdits(context, input, plan)
  const committed = await commitEdits(context, input, layers)
  if (committed.plan.kind === 'refused')
    return refused(committed.plan.reason, committed.plan.edit, committed.plan.present)
  return done(committed.plan, [...committed.notices, ...(await questionsAfter(context, input, committed.plan))])
}

/** What an agent wrote by itself is a fact; where it could be a rule, the user is asked once (spec I11). */
async function questionsAfter(context: WriteContext, input: EditInput, { changes }: Planned): Promise<string[]> {
  if (input.author !== 'agent') return []
  const questions: string[] = []
  for (const { layer, file, bytes } of changes)
    if (bytes !== null) questions.push(...(await questionAfter(context, layer, { file, bytes }, authorNameOf(input))))
  return questions
}

type Planned = Extract<EditPlan, { kind: 'planned' }>

/** One new memory, and one move to another layer, have a way of their own with the same outcomes. */
async function editAlone(context: WriteContext, input: EditInput): Promise<EditResult | null> {
  const [only, ...more] = input.edits
  if (!only || more.length > 0 || input.dryRun || input.asProposal !== undefined) return null
  const { author, agent, signal } = input
  const { evidence = input.evidence, time = input.time } = only
  if (only.action === 'add') {
    const { action, ...memory } = only
    const write = { ...memory, author, agent, evidence, time, signal }
    return asEdit(context, action, await remember(context, write))
  }
  if (only.action !== 'move' || (only.to !== 'global' && only.to !== 'project')) return null
  const found = only.find === undefined ? null : await locateNow(context, input, only)
  if (found && 'kind' in found) return refused(found.reason, found.edit, found.present)
  const reference = found?.note.id ?? only.in ?? ''
  return asEdit(context, only.action, await move(context, { reference, layer: only.to, author, agent, signal }))
}

async function asEdit(
  context: WriteContext,
  action: EditedEntry['action'],
  result: RememberResult,
): Promise<EditResult> {
  const profile = await profileNow(context)
  if (result.outcome === 'proposed') return { ...result, proposalIds: [result.proposalId], profile }
  if (result.outcome === 'rejected') return { entries: [], omittedEntries: 0, ...result, edit: 1, profile }
  const { note, outcome, similar, masked, notices } = result
  const { match } = await lookUp(context, note.id)
  const loaded = await readerOf(context.files, match.layer, context).load(match.scanned.file)
  const place = loaded && { ...loaded, note: { ...loaded.note, id: note.id }, layer: match.layer }
  const entry = place ? entryOf(place, wholeEntry(place.note.body)) : { note, line: 1, text: '' }
  return { outcome, similar, masked, notices, profile, entries: [{ ...entry, action, outcome }] }
}

function done(plan: Planned, notices: readonly string[]): EditResult {
  const entries = plan.steps.map(({ entry }) => entry)
  const [only, ...more] = entries
  const isUnchanged = entries.every(({ outcome }) => outcome === 'unchanged')
  return {
    outcome: isUnchanged ? 'unchanged' : only && more.length === 0 ? only.outcome : 'written',
    entries,
    profile: plan.profile,
    similar: [],
    masked: [...new Set(plan.steps.flatMap(({ masked }) => masked))],
    notices: [...plan.steps.flatMap((step) => step.notices), ...plan.notices, ...notices],
  }
}

function refused(
  reason: Extract<EditResult, { outcome: 'rejected' }>['reason'],
  edit: number,
  present: EntriesNow,
): EditResult {
  return { outcome: 'rejected', reason, edit, ...present, similar: [], masked: [], notices: [] }
}

export function distinctLayers(plan: Planned): readonly Layer[] {
  return [...new Map(plan.changes.map(({ layer }) => [layer.key, layer])).values()]
}

function checkEdits({ edits }: EditInput): void {
  if (!Array.isArray(edits) || edits.length === 0 || edits.length > MAX_EDITS)
    throw invalid('edits', `Give 1 to ${MAX_EDITS} edits.`)
  for (const [index, each] of edits.entries()) {
    const place = edits.length === 1 ? '' : ` (edit ${index + 1})`
    if (!editActions.includes(each.action))
      throw invalid(
        'action',
        `There is no action "${String(each.action)}"${place}; it is one of ${editActions.join(', ')}.`,
      )
    if (each.action === 'add') continue
    for (const field of ['find', 'in'] as const)
      if (each[field] !== undefined && typeof each[field] !== 'string')
        throw invalid(field, `\`${field}\` must be a text${place}.`)
    if (each.action === 'replace' && each.text !== undefined && typeof each.text !== 'string')
      throw invalid('text', `\`text\` must be a text${place}.`)
    if (each.action === 'replace' ? each.find === undefined : each.find === undefined && each.in === undefined)
      throw invalid('find', `Say which entry: \`find\` is a part of it, word for word${place}.`)
    if (each.action === 'move' && !moveTargets.includes(each.to))
      throw invalid(
        'to',
        `There is no place "${String(each.to)}" to move to${place}; it is one of ${moveTargets.join(', ')}.`,
      )
  }
}

function invalid(field: string, message: string): MemoryError {
  return new MemoryError('INPUT_INVALID', message, { hint: 'Nothing was changed.', data: { field } })
}
