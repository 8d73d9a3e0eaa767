/**
 * Carries out what a pass decided, through the ordinary write path. What must stay true: doing it again after a kill
 * changes nothing that is done; all direct changes are one change of the history, all or none; what a person wrote is only
 * proposed, and so is every removal.
 */
import type { EditInput, ProvenEdit } from '../../domain/index.ts'
import { hasCode } from '../../errors.ts'
import { safeText } from '../../guard/index.ts'
import type { PlannedChange, Room } from '../sandbox/index.ts'
import { PASS_AUTHOR } from './changes-since.ts'
import { findNote } from './known-notes.ts'
import type { PassPlace } from './types.ts'

export interface Applied {
  readonly changed: number
  readonly proposed: number
  readonly refused: readonly string[]
}

const unattended = { author: 'extractor', agent: PASS_AUTHOR } as const

interface Wanted {
  readonly edit: ProvenEdit
  readonly about: string
}

/** Throws STORE_BUSY and what a broken store throws; then it is done again the next time. */
export async function applyPlan(
  place: PassPlace,
  room: Room,
  { changes, signal }: { readonly changes: readonly PlannedChange[]; readonly signal: AbortSignal },
): Promise<Applied> {
  const refused: string[] = []
  const direct: Wanted[] = []
  let proposed = 0
  for (const change of changes) {
    if (change.kind === 'write') {
      direct.push({ edit: editOf(change, place), about: change.name })
      continue
    }
    const note = await findNote(place, room, change.note)
    if ('problem' in note) {
      refused.push(`${change.note}: ${note.problem}`)
      continue
    }
    if (change.kind === 'remove') {
      const asProposal = `The notes were tidied. ${safeText(change.why, 'reason').text}`
      const { outcome, notices } = await place.writer.forget(note.id, { agent: PASS_AUTHOR, asProposal, signal })
      if (outcome === 'proposed') proposed++
      else refused.push(`${note.name}: ${notices[0] ?? 'it cannot be proposed'}`)
    } else if (isDone(note.body, change)) continue
    else if (change.isPersons || note.isPersons)
      proposed += await propose(place, change, { about: note.name, refused, signal })
    else direct.push({ edit: editOf(change, place), about: note.name })
  }
  const written = await writeDirect(place, direct, { refused, signal })
  return { changed: written.changed, proposed: proposed + written.proposed, refused }
}

/** A kill came between the change and the record that it was made. */
function isDone(body: string, { find, text }: Extract<PlannedChange, { kind: 'edit' }>): boolean {
  return body.includes(text) && (!body.includes(find) || text.includes(find))
}

/** One batch; a change that is refused leaves it, and the others are tried again. */
async function writeDirect(
  { writer }: PassPlace,
  wanted: readonly Wanted[],
  { refused, signal }: { readonly refused: string[]; readonly signal: AbortSignal },
): Promise<{ readonly changed: number; readonly proposed: number }> {
  let left = wanted
  while (left.length > 0) {
    const result = await writer.edit({ edits: left.map(({ edit }) => edit), ...unattended, signal })
    if (result.outcome === 'proposed') return { changed: 0, proposed: result.proposalIds.length }
    if (result.outcome !== 'rejected')
      return { changed: result.entries.filter(({ outcome }) => outcome !== 'unchanged').length, proposed: 0 }
    const at = result.edit - 1
    refused.push(`${left[at]?.about ?? 'a change'}: ${result.reason.message}`)
    left = left.filter((_, index) => index !== at)
  }
  return { changed: 0, proposed: 0 }
}

async function propose(
  { writer, ...place }: PassPlace,
  change: PlannedChange,
  { about, refused, signal }: { readonly about: string; readonly refused: string[]; readonly signal: AbortSignal },
): Promise<number> {
  const asProposal = 'The notes were tidied, and this one was written or pinned by you.'
  const input: EditInput = { edits: [editOf(change, place)], asProposal, ...unattended, signal }
  const result = await writer.edit(input)
  if (result.outcome === 'proposed') return result.proposalIds.length
  if (result.outcome === 'rejected') refused.push(`${about}: ${result.reason.message}`)
  return 0
}

/** Also what is judged before, as a dry run. A change that goes is no edit. */
export function editOf(change: PlannedChange, { roots }: Pick<PassPlace, 'roots'>): ProvenEdit {
  if (change.kind === 'remove') return { action: 'remove', in: change.note }
  const { text, evidence, time } = change
  const proof = { evidence, ...(time === null ? {} : { time }) }
  if (change.kind === 'edit') return { action: 'replace', in: change.note, find: change.find, text, ...proof }
  const { type, name, description } = change
  // Outside any project there is one layer only.
  const layer = roots.some((root) => root.name === 'project') ? {} : { layer: 'global' as const }
  return { action: 'add', type, name, description, text, ...layer, ...proof }
}

/** Why the write path would not do it, or null. Changes nothing. */
export async function refusalOf(place: PassPlace, change: PlannedChange, signal: AbortSignal): Promise<string | null> {
  if (change.kind === 'remove') return null
  try {
    const result = await place.writer.edit({ edits: [editOf(change, place)], ...unattended, dryRun: true, signal })
    if (result.outcome === 'rejected') return result.reason.message
    return result.outcome === 'unchanged' ? 'a note says that already' : null
  } catch (error) {
    if (hasCode(error, 'NOTE_NOT_FOUND') || hasCode(error, 'NOTE_AMBIGUOUS') || hasCode(error, 'INPUT_INVALID'))
      return error.message
    throw error
  }
}
