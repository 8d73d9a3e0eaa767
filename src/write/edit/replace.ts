/** Exactly the words that were found become others. */
import { draftOf } from '../draft.ts'
import { entryOf } from '../entries-now.ts'
import { closedLayer } from '../layer-mode.ts'
import { emptyReplacement, forgottenBefore } from '../rejections.ts'
import { standsForgotten } from '../stands-forgotten.ts'
import { type EntryRange, entriesOf, wholeEntry } from './entries.ts'
import { asWritten } from './find-text.ts'
import { duplicateNotice, locate } from './locate.ts'
import { rewrite } from './rewrite.ts'
import { type EditOf, noteAt, type Outcome, refuse, type Stage } from './stage.ts'

export async function planReplace(stage: Stage, edit: EditOf<'replace'>): Promise<Outcome> {
  if (edit.text === undefined || edit.text.trim() === '') return refuse(emptyReplacement())
  const found = await locate(stage, edit)
  if ('reason' in found) return found
  const { context, input } = stage
  const closed = closedLayer(found.layer, context.config)
  if (closed) return refuse(closed)
  const { author, agent, evidence } = input
  const drafted = draftOf({ text: edit.text, author, agent, evidence, time: input.time }, context)
  if ('rejection' in drafted) return refuse(drafted.rejection)
  const { draft } = drafted
  if (draft.author !== 'person' && standsForgotten(context.tombstones, draft)) return refuse(forgottenBefore())
  const { note, place, layer } = found
  const asides = { layer, file: note.file, masked: draft.masked }
  if (asWritten(note.body.slice(place.start, place.end)) === draft.text) {
    const entry = { ...entryOf(found, found.entry), action: 'replace' as const, outcome: 'unchanged' as const }
    return { ...asides, entry, evidence: [], notices: draft.notices }
  }
  const refused = await rewrite(stage, found, {
    range: place,
    text: draft.text,
    evidence: draft.evidence,
    swap: { find: edit.find, text: draft.text },
  })
  if (refused) return refused
  const now = await noteAt(stage, found)
  const entry = entryOf(now, entryAt(now.note.body, place.start, now.note.pinned))
  const notices = [...draft.notices, ...duplicateNotice(found)]
  return { ...asides, entry: { ...entry, action: 'replace', outcome: 'merged' }, evidence: draft.evidence, notices }
}

/** The entry, as stored, in which the new words begin. */
function entryAt(body: string, start: number, isPinned: boolean): EntryRange {
  const whole = wholeEntry(body)
  if (isPinned) return whole
  return entriesOf(body).find((entry) => entry.start <= start && entry.end > start) ?? whole
}
