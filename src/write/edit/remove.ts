/** The entry in which the words stand goes: a part of a note is cut out, a whole note is archived. */

import { entryOf } from '../entries-now.ts'
import { closedLayer } from '../layer-mode.ts'
import { wholeEntry, withoutEntry } from './entries.ts'
import { duplicateNotice, type Located, locate } from './locate.ts'
import { rewrite } from './rewrite.ts'
import {
  draftRevision,
  type EditOf,
  later,
  type Outcome,
  type Refused,
  refuse,
  type Stage,
  stepOf,
  summaryOf,
} from './stage.ts'

export async function planRemove(stage: Stage, edit: EditOf<'remove'>): Promise<Outcome> {
  const found = await locate(stage, edit)
  if ('reason' in found) return found
  const closed = closedLayer(found.layer, stage.context.config)
  if (closed) return refuse(closed)
  const { note, entry } = found
  const whole = wholeEntry(note.body)
  const isWhole = entry.start <= whole.start && entry.end >= whole.end
  const refused = isWhole ? await archive(stage, found) : await takeOut(stage, found)
  if (refused) return refused
  const notices = isWhole
    ? [`Archived, not deleted: it is shown and found no more. keepsake forget ${note.id} deletes it.`]
    : []
  const removed = { ...entryOf(found, entry), note: await summaryOf(stage, found) }
  return stepOf(found, { ...removed, action: 'remove', outcome: 'merged' }, [...notices, ...duplicateNotice(found)])
}

/** The file stays: what an agent takes for wrong may be right, and the person can look. */
function archive(stage: Stage, found: Located): Promise<Refused | null> {
  const updated = later(found.note.updated, stage.time)
  return draftRevision(stage, found, { status: 'archived', pinned: false, updated })
}

function takeOut(stage: Stage, found: Located): Promise<Refused | null> {
  const range = withoutEntry(found.note.body, found.entry)
  return rewrite(stage, found, { range, text: '', evidence: [], swap: null })
}
