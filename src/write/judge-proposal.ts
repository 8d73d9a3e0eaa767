/**
 * What a yes to one proposal would do now, on what the layer holds now. Reads only; `review` carries it out under the
 * lock, lists show it. A proposal file is text from outside: its path, its words and its threats are looked at again.
 */
import { type Evidence, isoSeconds, type Note, type Proposal, type ReviewRefusal } from '../domain/index.ts'
import { MemoryError, type MemoryErrorCode, messageOf } from '../errors.ts'
import { redact, safePath, scanThreats } from '../guard/index.ts'
import { noteFileName } from '../store/notes/names.ts'
import { readNote } from '../store/notes/note-format.ts'
import { userSpokeLast } from '../store/notes/voice.ts'
import { comparableName } from '../util/index.ts'
import type { WriteContext } from './dependencies.ts'
import { closedLayer } from './layer-mode.ts'
import { type Merged, mergeProposal } from './merge-proposal.ts'
import type { FileChange } from './plan-write.ts'
import { overflowOf, profileFull } from './profile/profile-room.ts'
import { type LoadedNote, type ReadNote, textKeyOf } from './read-layer.ts'
import type { FindLayer, ReviewedLayer } from './reviewed-layers.ts'
import { revise } from './revise.ts'

type Possible = 'ready' | 'rebased'

/** What approving does, or why nothing is done. */
export type Judged =
  | {
      readonly state: Possible
      readonly act: 'write'
      readonly change: FileChange
      readonly threats: readonly string[]
    }
  | { readonly state: Possible; readonly act: 'remove'; readonly loaded: LoadedNote }
  | { readonly state: Possible; readonly act: 'move'; readonly from: ReviewedLayer; readonly scanned: ReadNote }
  /** The bytes stay; that the person wants them shown is recorded. */
  | { readonly state: 'ready'; readonly act: 'show'; readonly hash: string; readonly threats: readonly string[] }
  | { readonly state: 'done' | 'stale'; readonly why: string }
  | { readonly state: 'refused'; readonly refusal: ReviewRefusal; readonly why: string }

export async function judgeProposal(context: WriteContext, proposal: Proposal, find: FindLayer): Promise<Judged> {
  const reviewed = await find(proposal.layer)
  if (!reviewed || reviewed.isGone) return refused('layer-gone', 'The folder of its layer is gone or cannot be read.')
  if (!context.writable) return refused('home-newer', 'The home was written by a newer Keepsake and is only read.')
  const closed = closedLayer(reviewed.layer, context.config)
  if (closed) return refused(closed.code === 'layer-off' ? 'layer-off' : 'layer-read-only', closed.message)
  const judges = { create: judgeCreate, patch: judgePatch, remove: judgeRemove, move: judgeMove }
  try {
    const judged = await judges[proposal.operation](context, { proposal, reviewed, find })
    return (await withoutRoom(context, reviewed, judged)) ?? judged
  } catch (error) {
    return refusalOf(error)
  }
}

/** A yes does not make the profile larger than it may be (spec W3). */
async function withoutRoom({ config, isToolWritten }: WriteContext, reviewed: ReviewedLayer, judged: Judged) {
  if (!('act' in judged) || judged.act !== 'write') return null
  const reader = { scan: async () => reviewed.notes(), load: reviewed.load }
  const found = await overflowOf(reader, reviewed.layer, judged.change, config)
  return found && refused('profile-full', profileFull(found.full, found, isToolWritten).reason.message)
}

/** What stands in the way of this one and not of the others; anything else is thrown on. */
export function refusalOf(error: unknown): Extract<Judged, { state: 'refused' }> {
  const codes: Partial<Record<MemoryErrorCode, ReviewRefusal>> = {
    PATH_OUTSIDE_STORE: 'path',
    INPUT_INVALID: 'path',
    NOTE_FORMAT_INVALID: 'format',
    STORE_BUSY: 'busy',
    STORE_FULL: 'store',
    STORE_READ_ONLY: 'store',
    STORE_UNREADABLE: 'store',
  }
  const refusal = MemoryError.isInstance(error) ? codes[error.code] : undefined
  if (refusal === undefined) throw error
  return refused(refusal, `${messageOf(error)}.`)
}

interface Case {
  readonly proposal: Proposal
  readonly reviewed: ReviewedLayer
  readonly find: FindLayer
}

async function judgeCreate(context: WriteContext, { proposal, reviewed }: Case): Promise<Judged> {
  const { layer } = reviewed
  const notes = reviewed.notes()
  safePath(layer.directory, proposal.file)
  const bytes = new TextEncoder().encode(redact(proposal.proposed ?? '').text)
  const note = readNote(bytes, { layer: layer.key, file: proposal.file })
  if (note.body.trim() === '') return refused('empty', 'It proposes a note without words.')
  const known = notes.find(({ id }) => id === note.id)
  if (known) return { state: 'done', why: 'It was approved already; the note is there.' }
  if (forgottenSince(context, proposal, note)) return forgotten()
  if (notes.some(({ textKey }) => textKey === textKeyOf(note.body)))
    return { state: 'done', why: 'A note says the same already.' }
  if (notes.some(({ name }) => comparableName(name) === comparableName(note.name)))
    return { state: 'stale', why: 'The layer has another note of this name by now.' }
  const taken = new Set([...notes.map(({ file }) => file), ...reviewed.occupied])
  const isTaken = taken.has(proposal.file)
  const file = isTaken ? noteFileName(note.type, note.name, taken) : proposal.file
  const revision = { source: [...note.source, approvalOf(context, proposal)] }
  const change = { file, bytes: revise(bytes, revision, file), baseHash: null }
  return { state: isTaken ? 'rebased' : 'ready', act: 'write', change, threats: threatsIn(note) }
}

async function judgePatch(context: WriteContext, { proposal, reviewed }: Case): Promise<Judged> {
  const loaded = await noteOf(proposal, reviewed)
  if (!loaded) return { state: 'stale', why: 'The note is not there any more.' }
  if (proposal.asks === 'withheld') return judgeWithheld(context, proposal, loaded)
  const approval = approvalOf(context, proposal)
  if (loaded.note.source.some(({ message }) => message === approval.message))
    return { state: 'done', why: 'It was approved already.' }
  const now = readNote(new TextEncoder().encode(redact(proposal.proposed ?? '').text), loaded.note)
  if (proposal.asks === 'rule' && userSpokeLast(loaded.note.source))
    return { state: 'done', why: 'The user said it since; it is a rule already.' }
  if (proposal.asks === 'rule' && !saysTheSame(now, loaded.note))
    return { state: 'stale', why: 'The note has other words by now.' }
  if (forgottenSince(context, proposal, now)) return forgotten()
  const merged: Merged = mergeProposal({ ...proposal, file: loaded.note.file }, loaded, approval)
  if (!('bytes' in merged)) return merged
  const change = { file: loaded.note.file, bytes: merged.bytes, baseHash: loaded.hash }
  const before = new Set(threatsIn(loaded.note))
  const after = threatsIn(readNote(merged.bytes, loaded.note))
  return { state: merged.state, act: 'write', change, threats: after.filter((id) => !before.has(id)) }
}

/** A yes is about exactly these bytes: other bytes were never read by the person. */
function judgeWithheld({ answers }: WriteContext, proposal: Proposal, { note, hash }: LoadedNote): Judged {
  if (answers.answerTo({ asks: 'withheld', hash }) === 'yes')
    return { state: 'done', why: 'You said yes to this text already.' }
  if (hash !== proposal.baseHash) return { state: 'stale', why: 'The file has changed since it was withheld.' }
  const threats = threatsIn(note)
  if (threats.length === 0) return { state: 'done', why: 'Nothing in the file is withheld any more.' }
  return { state: 'ready', act: 'show', hash, threats }
}

async function judgeRemove(_context: WriteContext, { proposal, reviewed }: Case): Promise<Judged> {
  const loaded = await noteOf(proposal, reviewed)
  if (!loaded) return { state: 'done', why: 'The note is gone already.' }
  if (loaded.hash !== proposal.baseHash) return { state: 'stale', why: 'The note has other words by now.' }
  return { state: 'ready', act: 'remove', loaded }
}

/** The words do not matter to a move; a note that changed meanwhile moves as it is. */
async function judgeMove(context: WriteContext, { proposal, reviewed, find }: Case): Promise<Judged> {
  const from = proposal.from === null ? null : await find(proposal.from)
  const closed = from && closedLayer(from.layer, context.config)
  if (closed) return refused(closed.code === 'layer-off' ? 'layer-off' : 'layer-read-only', closed.message)
  const scanned = from?.notes().find(({ id }) => id === proposal.noteId)
  const there = reviewed.notes().find(({ id }) => id === proposal.noteId)
  if (!from || !scanned)
    return there
      ? { state: 'done', why: 'The note is there already.' }
      : { state: 'stale', why: 'The note is not there any more.' }
  const isTaken = reviewed.notes().some(({ id, name }) => id !== scanned.id && sameName(name, scanned.name))
  if (isTaken) return refused('name-taken', `The ${reviewed.layer.name} layer has another note of this name.`)
  return { state: scanned.hash === proposal.baseHash ? 'ready' : 'rebased', act: 'move', from, scanned }
}

async function noteOf({ noteId, file }: Proposal, { notes, load }: ReviewedLayer): Promise<LoadedNote | null> {
  const isIt = (note: ReadNote) => (noteId === null ? note.file === file : note.id === noteId)
  const scanned = notes().find(isIt)
  return scanned ? load(scanned.file) : null
}

/** The person's word, as it stands in the note: which proposal they said yes to, and when. */
function approvalOf({ clock }: Pick<WriteContext, 'clock'>, { id }: Proposal): Evidence {
  const time = isoSeconds(clock.now())
  return { session: null, message: `proposal:${id}`, role: 'person', time, quote: null, hash: null }
}

/** Forget wins: what was forgotten or refused after this was proposed is said again, not approved. */
function forgottenSince({ tombstones }: WriteContext, proposal: Proposal, note: Note): boolean {
  const textKey = tombstones.textKey(note.body)
  return tombstones
    .since(0)
    .filter(({ id, time }) => id > proposal.id || time > proposal.created)
    .some((each) => each.textKey === textKey || each.noteId === note.id)
}

function saysTheSame(one: Note, other: Note): boolean {
  const words = ({ name, description, type, body }: Note) =>
    JSON.stringify([name, description, type, body].map((text) => redact(text.replace(/\r\n/g, '\n')).text))
  return words(one) === words(other)
}

export function threatsIn({ name, description, tags, body }: Note): string[] {
  return [...new Set(scanThreats([name, description, ...tags, body].join('\n')).map(({ id }) => id))]
}

function sameName(one: string, other: string): boolean {
  return comparableName(one) === comparableName(other)
}

function forgotten(): Judged {
  return refused('forgotten', 'It was forgotten or rejected after it was proposed: say it again to have it.')
}

function refused(refusal: ReviewRefusal, why: string) {
  return { state: 'refused' as const, refusal, why }
}
