/**
 * Which existing note a draft is about (spec W1, S3). Reads only. A name that the caller gave decides alone; a name
 * that was made up never replaces other words: it counts only where one text holds the other, the writer names the note
 * as replaced, or the same messages are read again.
 */
import type { Evidence } from '../domain/index.ts'
import { type Findable, findNotes } from '../store/notes/lookup.ts'
import { comparableName, normaliseForComparison, sameList } from '../util/index.ts'
import type { Draft } from './draft.ts'
import { isUsersWord, newEvidence } from './evidence.ts'
import { type LoadedNote, type NoteReader, type ReadNote, textKeyOf } from './read-layer.ts'

export interface Target {
  readonly scanned: ReadNote
  readonly loaded: LoadedNote
  /** Same words as the draft, apart from case and white space. */
  readonly sameText: boolean
  /** It says the same in other words, and perhaps more: its own words stay. */
  readonly isParaphrase?: boolean
}

export interface Finding {
  /** The note that the draft repeats or renews; null makes a new note. */
  readonly target: Target | null
  /** Notes that the draft takes the place of, by the references it names. */
  readonly superseded: readonly ReadNote[]
}

export async function findTarget(reader: NoteReader, notes: readonly ReadNote[], draft: Draft): Promise<Finding> {
  const superseded = distinctNotes(draft.supersedes.flatMap((reference) => uniqueMatch(reference, notes)))
  const target = draft.nameGiven
    ? await byGivenName(reader, notes, draft)
    : ((await bySameText(reader, notes, draft)) ??
      (await byMadeUpName(reader, notes, { draft, superseded })) ??
      (await byMeaning(reader, notes, draft)))
  return { target, superseded: superseded.filter((note) => note.file !== target?.scanned.file) }
}

async function byGivenName(reader: NoteReader, notes: readonly ReadNote[], draft: Draft): Promise<Target | null> {
  for (const scanned of named(notes, draft.name)) {
    const target = await load(reader, scanned, draft)
    if (target) return target
  }
  return null
}

async function bySameText(reader: NoteReader, notes: readonly ReadNote[], draft: Draft): Promise<Target | null> {
  const key = textKeyOf(draft.text)
  for (const scanned of notes.filter((note) => note.textKey === key)) {
    const target = await load(reader, scanned, draft)
    if (target?.sameText) return target
  }
  return null
}

async function byMadeUpName(
  reader: NoteReader,
  notes: readonly ReadNote[],
  { draft, superseded }: { readonly draft: Draft; readonly superseded: readonly ReadNote[] },
): Promise<Target | null> {
  for (const scanned of named(notes, draft.name)) {
    const target = await load(reader, scanned, draft)
    if (!target) continue
    const { body, source } = target.loaded.note
    if (holds(body, draft.text)) return { ...target, sameText: true }
    const isReplaced = superseded.some((note) => note.file === scanned.file)
    if (isReplaced || holds(draft.text, body) || proves(source, draft.evidence)) return target
  }
  return null
}

/** What a near note says already; judged on these very bytes. A note that this one replaces cannot stand for it. */
async function byMeaning(reader: NoteReader, notes: readonly ReadNote[], draft: Draft): Promise<Target | null> {
  if (draft.supersedes.length > 0) return null
  for (const { summary, hash, relation, isWhole } of draft.near) {
    if (relation !== 'merge') continue
    const scanned = notes.find((note) => note.id === summary.id && note.hash === hash && note.status === 'active')
    if (!scanned || !isAsWide(scanned, draft)) continue
    // Else one sentence of the user would make a rule of everything that somebody else put beside it.
    if (!isWhole && scanned.voice !== 'rule' && isUsersWord(draft.evidence)) continue
    const target = await load(reader, scanned, draft)
    if (target?.loaded.hash === hash) return { ...target, isParaphrase: true }
  }
  return null
}

/** It counts in the same places and as long. */
function isAsWide(note: ReadNote, draft: Draft): boolean {
  return sameList(note.appliesTo, draft.appliesTo ?? []) && (note.expires ?? '') === (draft.expires ?? '')
}

/** Active notes first: an archived one of the same name is not brought back before them. */
function named(notes: readonly ReadNote[], name: string): ReadNote[] {
  const key = comparableName(name)
  const same = notes.filter((note) => comparableName(note.name) === key)
  return [...same.filter((note) => note.status === 'active'), ...same.filter((note) => note.status !== 'active')]
}

async function load(reader: NoteReader, scanned: ReadNote, draft: Draft): Promise<Target | null> {
  const loaded = await reader.load(scanned.file)
  if (!loaded) return null
  return { scanned, loaded, sameText: textKeyOf(loaded.note.body) === textKeyOf(draft.text) }
}

/** The note came from these very messages; what became of it since is somebody's wish. */
function proves(source: readonly Evidence[], evidence: readonly Evidence[]): boolean {
  return newEvidence(source, evidence).length === 0
}

/** Whole sentences: "deploy on Fridays" is no part of "never deploy on Fridays", port 810 none of port 8104. */
function holds(text: string, part: string): boolean {
  const sentences = (words: string) =>
    `¶${words
      .split(/[\n.!?;。！？；]+/u)
      .map(normaliseForComparison)
      .filter(Boolean)
      .join('¶')}¶`
  const needle = sentences(part)
  return needle !== '¶¶' && sentences(text).includes(needle)
}

/** The one note that a reference names, or none. */
export function uniqueMatch<Found extends Findable>(reference: string, notes: readonly Found[]): Found[] {
  const found = findNotes(reference, notes)
  return found && 'match' in found ? [found.match] : []
}

function distinctNotes(notes: readonly ReadNote[]): ReadNote[] {
  return [...new Map(notes.map((note) => [note.file, note])).values()]
}
