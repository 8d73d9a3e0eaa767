/**
 * What a draft does to a layer, decided on the bytes that are there now. Reads only: `commit` carries it out under the
 * lock, `propose` keeps it for a person. A file whose front matter cannot be read is never edited.
 */
import type { Evidence, IdSource, Note, Rejection } from '../domain/index.ts'
import { hasCode } from '../errors.ts'
import type { ScannedNote } from '../store/notes/layer-scan.ts'
import { noteFileName } from '../store/notes/names.ts'
import { createNoteFile, type NewNoteFields } from '../store/notes/note-format.ts'
import { codePoints, comparableName, sameList } from '../util/index.ts'
import { boundEvidence } from './bound-evidence.ts'
import type { Draft } from './draft.ts'
import { findPlaceholder } from './edit/placeholders.ts'
import { isUsersWord, newEvidence } from './evidence.ts'
import { findTarget, type Target } from './find-target.ts'
import { freeName } from './free-name.ts'
import { losesTooMuch } from './loss.ts'
import type { NoteReader } from './read-layer.ts'
import { placeholderFound, tooMuchLost, undecided } from './rejections.ts'
import { type Revision, revise } from './revise.ts'

/** One file to write. `baseHash` null = it must not exist. */
export interface FileChange {
  readonly file: string
  readonly bytes: Uint8Array
  readonly baseHash: string | null
  /** The bytes that `baseHash` names, where a person may have to compare. */
  readonly base?: Uint8Array
}

export type Plan =
  | { readonly kind: 'unchanged'; readonly file: string; readonly note: Note; readonly also: readonly FileChange[] }
  | {
      readonly kind: 'create' | 'patch'
      readonly change: FileChange
      /** Id of the note that is changed; null for a new one. */
      readonly noteId: string | null
      /** Notes that this one takes the place of: marked `superseded` after it is written. */
      readonly also: readonly FileChange[]
    }
  /** Not without a person: `change` is what would be proposed. `refusal`: the writer can mend it, so nobody is asked. */
  | {
      readonly kind: 'blocked'
      readonly change: FileChange
      readonly noteId: string | null
      readonly reason: string
      readonly refusal: Rejection | null
    }

export async function planWrite(reader: NoteReader, draft: Draft, ids: IdSource): Promise<Plan> {
  const notes = await reader.scan()
  const { target, superseded } = await findTarget(reader, notes, draft)
  const also = await retire(reader, superseded)
  const taken = new Set([...notes.map((note) => note.file), ...(reader.occupied?.() ?? [])])
  if (!target) return { ...planCreate(notes, draft, { superseded, taken, ids }), also }
  const revision = reviseFor(target, target.isParaphrase ? withoutWords(draft) : draft, superseded)
  if (revision === null) return { kind: 'unchanged', file: target.scanned.file, note: target.loaded.note, also }
  return planPatch(notes, { target, revision, draft, also, taken, ids })
}

/** A new, unpinned note beside whatever the draft is about. */
export async function planOrdinary(reader: NoteReader, draft: Draft, ids: IdSource): Promise<Plan> {
  const notes = await reader.scan()
  const taken = new Set([...notes.map((note) => note.file), ...(reader.occupied?.() ?? [])])
  return { ...planCreate(notes, { ...draft, pinned: undefined }, { superseded: [], taken, ids }), also: [] }
}

function planCreate(
  notes: readonly ScannedNote[],
  draft: Draft,
  {
    superseded,
    taken,
    ids,
  }: { readonly superseded: readonly ScannedNote[]; readonly taken: ReadonlySet<string>; readonly ids: IdSource },
) {
  const name = freeName(draft.name, new Set(notes.map((note) => comparableName(note.name))))
  const file = noteFileName(draft.type, name, taken)
  const known = references(superseded)
  const bytes = createNoteFile(
    {
      id: ids.next(),
      name,
      description: draft.description,
      type: draft.type,
      created: draft.time,
      updated: draft.time,
      source: draft.evidence,
      pinned: draft.pinned,
      tags: draft.tags,
      supersedes: known.length > 0 ? known : draft.supersedes,
      expires: draft.expires,
      appliesTo: draft.appliesTo,
    },
    draft.text,
  )
  return { kind: 'create' as const, change: { file, bytes, baseHash: null }, noteId: null }
}

interface PatchPlan {
  readonly target: Target
  readonly revision: Revision
  readonly draft: Draft
  readonly also: readonly FileChange[]
  /** File names that a new note cannot have. */
  readonly taken: ReadonlySet<string>
  readonly ids: IdSource
}

function planPatch(notes: readonly ScannedNote[], { target, revision, draft, also, taken, ids }: PatchPlan): Plan {
  const { note, bytes, hash } = target.loaded
  try {
    const change = { file: note.file, bytes: revise(bytes, revision, note.file), baseHash: hash, base: bytes }
    const doubt = doubtAbout(note, revision, draft)
    if (doubt === null) return { kind: 'patch', change, noteId: note.id, also }
    return {
      kind: 'blocked',
      change,
      noteId: note.id,
      reason: doubt.message,
      refusal: draft.author === 'agent' ? doubt : null,
    }
  } catch (error) {
    if (!hasCode(error, 'NOTE_FORMAT_INVALID')) throw error
    const beside = planCreate(notes, draft, { superseded: [], taken, ids })
    const reason = `${note.file} has front matter that cannot be read, so it was not edited (${error.message}).`
    return { kind: 'blocked', change: beside.change, noteId: null, reason, refusal: null }
  }
}

/** Why a new version needs a person, or null. A person's own new version never does. */
function doubtAbout(note: Note, { body }: Revision, draft: Draft): Rejection | null {
  if (draft.author === 'person' || body === undefined) return null
  if (draft.author === 'extractor' && (note.updated ?? '') > draft.time)
    return undecided(`"${note.name}" was changed after these words were said.`)
  const placeholder = findPlaceholder(body, note.body)
  if (placeholder !== null) return placeholderFound(placeholder)
  return losesTooMuch(note.body, body) ? tooMuchLost(note.name, codePoints(note.body.trim())) : null
}

/** A paraphrase brings its settings and its evidence; name, type and words stay those that are there. */
function withoutWords(draft: Draft): Draft {
  return { ...draft, typeGiven: false, descriptionGiven: false }
}

/** What of the note changes; null when the draft says nothing new. */
function reviseFor(target: Target, draft: Draft, superseded: readonly ScannedNote[]): Revision | null {
  const { note } = target.loaded
  const evidence = newEvidence(note.source, draft.evidence)
  // An extractor that brings only known evidence reads the same message again: what became of the note since stands.
  if (draft.author === 'extractor' && evidence.length === 0) return null
  const { body, ...words } = wordsFor(target, draft)
  const revived = note.status === 'active' ? {} : { status: 'active' as const }
  const set = { ...words, ...settingsFor(note, draft, references(superseded)), ...revived }
  const isSame = body === undefined && Object.keys(set).length === 0
  if (isSame && !isConfirmed(target, evidence)) return null
  // An agent that pins or tags says nothing: the words stay those of whoever said them.
  const isSaid = draft.author !== 'agent' || body !== undefined || 'description' in words || 'type' in set
  const source = evidence.length === 0 || !isSaid ? {} : { source: boundEvidence([...note.source, ...evidence]) }
  const updated = note.updated !== null && note.updated > draft.time ? note.updated : draft.time
  return { ...set, ...source, body, updated, ...(note.idDerived ? { id: note.id } : {}) }
}

function wordsFor(
  { loaded: { note }, sameText, isParaphrase = false }: Target,
  draft: Draft,
): { readonly body?: string; readonly description?: string } {
  // A given name may be remembered again only to mend case or spacing; a made-up one is about other words.
  const sameBody = draft.nameGiven ? exact(note.body) === exact(draft.text) : sameText || isParaphrase
  const body = sameBody ? {} : { body: draft.text }
  const description = !sameBody || (isChosen(draft) && draft.descriptionGiven) ? draft.description : note.description
  return { ...body, ...(description === note.description ? {} : { description }) }
}

function settingsFor(note: Note, draft: Draft, replaced: readonly string[]): Partial<NewNoteFields> {
  const tags = [...new Set([...note.tags, ...(draft.tags ?? [])])]
  const supersedes = [...new Set([...note.supersedes, ...replaced])]
  return {
    ...(isChosen(draft) && draft.typeGiven && draft.type !== note.type ? { type: draft.type } : {}),
    ...(draft.pinned !== undefined && draft.pinned !== note.pinned ? { pinned: draft.pinned } : {}),
    ...(tags.length > note.tags.length ? { tags } : {}),
    ...(supersedes.length > note.supersedes.length ? { supersedes } : {}),
    ...(draft.expires !== undefined && draft.expires !== note.expires ? { expires: draft.expires } : {}),
    ...(draft.appliesTo && !sameList(draft.appliesTo, note.appliesTo) ? { appliesTo: draft.appliesTo } : {}),
  }
}

/** True when somebody chose the fields; an extractor only makes them up and leaves those of a known note alone. */
function isChosen(draft: Draft): boolean {
  return draft.author === 'person' || draft.author === 'agent'
}

function references(notes: readonly ScannedNote[]): string[] {
  return notes.map((note) => (note.idDerived ? note.name : note.id))
}

/** The user's own word turns what an agent wrote into a rule, even when the text stays the same. */
function isConfirmed({ scanned }: Target, evidence: readonly Evidence[]): boolean {
  const isWay = scanned.type === 'feedback' || scanned.type === 'user'
  return isWay && scanned.voice !== 'rule' && isUsersWord(evidence)
}

/** Marks the notes that a new one takes the place of. */
export async function retire(
  reader: Pick<NoteReader, 'load'>,
  superseded: readonly Pick<ScannedNote, 'file' | 'status'>[],
): Promise<FileChange[]> {
  const changes: FileChange[] = []
  for (const { file, status } of superseded) {
    const loaded = status === 'superseded' ? null : await reader.load(file)
    if (!loaded) continue
    try {
      const bytes = revise(loaded.bytes, { status: 'superseded' }, file)
      changes.push({ file, bytes, baseHash: loaded.hash })
    } catch (error) {
      // A note that cannot be edited stays as it is; the new one names it, and doctor reports the file.
      if (!hasCode(error, 'NOTE_FORMAT_INVALID')) throw error
    }
  }
  return changes
}

function exact(text: string): string {
  return text.replace(/\r\n?/g, '\n').normalize('NFC').trim()
}
