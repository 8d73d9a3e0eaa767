/** A note goes into the profile, out of it, or to another layer. Its words stay as they are. */
import { modeOf, type NoteSummary, profileStoreOf } from '../../domain/index.ts'
import { MemoryError } from '../../errors.ts'
import { entryOf } from '../entries-now.ts'
import { newEvidence } from '../evidence.ts'
import { closedLayer } from '../layer-mode.ts'
import { planMove, targetLayer } from '../move.ts'
import { type LoadedNote, readerOf } from '../read-layer.ts'
import { nameTaken, notEditable } from '../rejections.ts'
import type { Revision } from '../revise.ts'
import { wholeEntry } from './entries.ts'
import { duplicateNotice, type Located, locate } from './locate.ts'
import { draftRevision, type EditOf, type Outcome, refuse, type Stage, stepOf, summaryOf } from './stage.ts'

export async function planMoveTo(stage: Stage, edit: EditOf<'move'>): Promise<Outcome> {
  const found = await locate(stage, edit)
  if ('reason' in found) return found
  return edit.to === 'profile' || edit.to === 'note'
    ? pin(stage, found, edit.to === 'profile')
    : moveToLayer(stage, found, edit.to)
}

async function pin(stage: Stage, found: Located, pinned: boolean): Promise<Outcome> {
  const { note, layer } = found
  const closed = closedLayer(layer, stage.context.config)
  if (closed) return refuse(closed)
  const isThere = pinned ? profileStoreOf(note, layer.name) !== null : !note.pinned
  const entry = { ...entryOf(found, wholeEntry(note.body)), action: 'move' as const }
  if (isThere) return stepOf(found, { ...entry, outcome: 'unchanged' }, [])
  const confirmed = pinned && (stage.input.author ?? 'person') === 'person' ? personStandsBehind(found, stage.time) : {}
  const refused = await draftRevision(stage, found, { pinned, ...(pinned ? { status: 'active' } : {}), ...confirmed })
  if (refused) return refused
  const notices = pinned ? [] : ['It left the profile and stays as an ordinary note.']
  const after = { ...entry, note: await summaryOf(stage, found), outcome: 'merged' as const }
  return stepOf(found, after, [...notices, ...duplicateNotice(found)])
}

/** A person who pins says so: what he pinned is not offered when room is made. */
function personStandsBehind({ note }: LoadedNote, time: string): Revision {
  const word = { session: null, message: null, role: 'person' as const, time, quote: null, hash: null }
  const isSaid = note.source.some(({ role }) => role === 'person' || role === 'user')
  return isSaid || note.source.length === 0 ? {} : { source: [...note.source, ...newEvidence(note.source, [word])] }
}

/** Under one id, with the same bytes where they mean the same there. */
async function moveToLayer(stage: Stage, found: Located, to: 'global' | 'project'): Promise<Outcome> {
  const { context, drafts } = stage
  const { note, layer } = found
  const entry = { ...entryOf(found, wholeEntry(note.body)), action: 'move' as const }
  if (layer.name === to) return stepOf(found, { ...entry, outcome: 'unchanged' }, [])
  const target = await targetLayer(context, { layer: to })
  const closed = closedLayer(layer, context.config) ?? closedLayer(target, context.config)
  if (closed) return refuse(closed)
  if ([layer, target].some((each) => modeOf(each, context.config) === 'review'))
    return refuse(notEditable('A move between layers that wait for review has to be asked for alone.'))
  const plan = await planMove({
    source: { scanned: await scannedNote(stage, found), layer },
    target,
    fromReader: readerOf(context.files, layer, context),
    toReader: readerOf(context.files, target, context),
  })
  if (plan.kind === 'clash') return refuse(nameTaken(to), { entries: [clashEntry(plan.note)], omittedEntries: 0 })
  if (!plan.atTarget) await drafts.put(target, plan.file, plan.bytes)
  await drafts.put(layer, note.file, null)
  const moved = {
    ...entry,
    note: await summaryOf(stage, { layer: target, note: { file: plan.file } }),
    outcome: 'written' as const,
  }
  return { ...stepOf(found, moved, [`Moved from ${layer.name} to ${to}.`]), layer: target, file: plan.file }
}

async function scannedNote({ context }: Stage, { layer, note }: Located) {
  const notes = await readerOf(context.files, layer, context).scan()
  const scanned = notes.find(({ file }) => file === note.file)
  if (scanned) return scanned
  throw new MemoryError('NOTE_NOT_FOUND', `${note.file} is not there any more`, { data: { reference: note.file } })
}

function clashEntry(note: NoteSummary) {
  return { note, line: 1, text: note.description }
}
