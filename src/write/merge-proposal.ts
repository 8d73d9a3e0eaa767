/**
 * A proposed change carried out on the bytes that are there now (spec W11): field by field in the front matter, line by
 * line in the text, from the bytes that it was made for. What both sides changed differently is for the person. Pure.
 *
 * Must stay true: a secret that was masked in the proposal keeps its real bytes, or the change is refused.
 */
import type { Evidence, Note, Proposal, ReviewRefusal } from '../domain/index.ts'
import { hasCode } from '../errors.ts'
import { redact } from '../guard/index.ts'
import { rebaseHunks } from '../store/notes/history-diff.ts'
import { bodyText, decodeStrictly, parseNoteText } from '../store/notes/note-document.ts'
import type { NewNoteFields } from '../store/notes/note-format.ts'
import { readNote } from '../store/notes/note-format.ts'
import { boundEvidence } from './bound-evidence.ts'
import { newEvidence } from './evidence.ts'
import { applyMasked, maskedLinesOf } from './masked-lines.ts'
import { type Revision, revise } from './revise.ts'

export type Merged =
  | { readonly state: 'ready' | 'rebased'; readonly bytes: Uint8Array }
  | { readonly state: 'stale'; readonly why: string }
  | { readonly state: 'refused'; readonly refusal: ReviewRefusal; readonly why: string }

export interface Current {
  readonly bytes: Uint8Array
  readonly hash: string
}

/** `approval` becomes part of the note's evidence. */
export function mergeProposal(proposal: Proposal, current: Current, approval: Evidence): Merged {
  const text = decodeStrictly(current.bytes)
  if (text === null) return unreadable(proposal.file)
  const isSame = current.hash === proposal.baseHash
  const masked = redact(text).text
  const base = proposal.base ?? (isSame ? masked : null)
  if (base === null) return { state: 'stale', why: 'The note has changed since this was proposed.' }
  const sides = {
    base,
    proposed: redact(proposal.proposed ?? '').text,
    // Of unchanged bytes the mask of then is the right one, whatever the rules have learned since.
    masked: isSame ? base : masked,
    real: text,
  }
  const fields = mergeFields(sides, proposal)
  if ('state' in fields) return fields
  const body = mergeBodies(sides)
  if (body !== null && typeof body === 'object') return body
  const real = noteOf(text, proposal)
  const brought = newEvidence(noteOf(sides.base, proposal).source, noteOf(sides.proposed, proposal).source)
  const source = boundEvidence([...real.source, ...newEvidence(real.source, [...brought, approval])])
  return written(proposal, current, {
    ...fields.set,
    ...(body === null ? {} : { body }),
    ...(real.idDerived && proposal.noteId ? { id: proposal.noteId } : {}),
    source,
  })
}

function written(proposal: Proposal, current: Current, revision: Revision): Merged {
  try {
    const bytes = revise(current.bytes, revision, proposal.file)
    return { state: current.hash === proposal.baseHash ? 'ready' : 'rebased', bytes }
  } catch (error) {
    if (!hasCode(error, 'NOTE_FORMAT_INVALID')) throw error
    return unreadable(proposal.file)
  }
}

interface Sides {
  /** Masked: what the change was made from, what it makes, what is there now. */
  readonly base: string
  readonly proposed: string
  readonly masked: string
  readonly real: string
}

const CHANGED_TOO = 'The note changed in the same place since this was proposed.'

/** The text after the merge; null when it stays as it is. */
function mergeBodies({ base, proposed, masked, real }: Sides): string | null | Merged {
  const [from, to, now] = [linesOfBody(base), linesOfBody(proposed), linesOfBody(masked)]
  const hunks = rebaseHunks({ base: from, next: to, current: now })
  if (hunks === null) return { state: 'stale', why: CHANGED_TOO }
  if (hunks.length === 0) return null
  const lines = applyMasked(maskedLinesOf(linesOfBody(real), now), hunks)
  return lines === null ? heldSecret() : lines.join('\n')
}

/** Ends of line are those of the file: they are no part of the change. */
function linesOfBody(text: string): string[] {
  return bodyText(parseNoteText(text).body).replace(/\r\n/g, '\n').replace(/\n+$/, '').split('\n')
}

type Fields = Partial<Omit<NewNoteFields, 'id' | 'source'>>

/** One of them changed on both sides, differently, is a conflict. */
const scalars = ['name', 'description', 'type', 'pinned', 'status', 'expires', 'appliesTo'] as const
/** Lists that only ever grow by a write of ours. */
const lists = ['tags', 'supersedes'] as const

function mergeFields(sides: Sides, place: Proposal): { readonly set: Fields } | Merged {
  const [base, proposed, now] = [sides.base, sides.proposed, sides.masked].map((text) => noteOf(text, place))
  const real = noteOf(sides.real, place)
  if (!isReadable(real)) return unreadable(place.file)
  if (!base || !proposed || !now || !isReadable(base) || !isReadable(proposed)) return heldSecret()
  const wanted = scalars.filter(
    (field) => !isSame(base[field], proposed[field]) && !isSame(now[field], proposed[field]),
  )
  if (wanted.some((field) => !isSame(base[field], now[field]))) return { state: 'stale', why: CHANGED_TOO }
  if (wanted.some((field) => !isSame(now[field], real[field]))) return heldSecret()
  const set: Fields = Object.fromEntries(wanted.map((field) => [field, proposed[field]]))
  const grown = lists.flatMap((field) => {
    const added = proposed[field].filter((each) => !base[field].includes(each) && !real[field].includes(each))
    return added.length === 0 ? [] : [[field, [...real[field], ...added]] as const]
  })
  const updated = isSame(base.updated, proposed.updated) ? null : proposed.updated
  const isLater = updated !== null && updated > (real.updated ?? '')
  return { set: { ...set, ...Object.fromEntries(grown), ...(isLater ? { updated } : {}) } }
}

function noteOf(text: string, { layer, file }: Proposal): Note {
  return readNote(new TextEncoder().encode(text), { layer, file })
}

function isReadable(note: Note): boolean {
  return note.problems.every(({ kind }) => kind === 'value-invalid')
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function heldSecret(): Merged {
  return {
    state: 'refused',
    refusal: 'secret',
    why: 'It changes words that hold a secret, and a proposal never holds one: edit the file by hand, then reject this.',
  }
}

function unreadable(file: string): Merged {
  return {
    state: 'refused',
    refusal: 'format',
    why: `${file} has front matter that cannot be read, so it is not edited: mend it by hand first.`,
  }
}
