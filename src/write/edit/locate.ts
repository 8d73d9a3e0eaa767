/**
 * The one entry that an edit means (spec W2): found by words that stand nowhere else, where a whole entry wins over a
 * part of another. Entries that are the same to the letter count as one: the pinned one, the nearest layer, the first in
 * its file is taken, and it is said. Anything else that is not unique is refused with previews; nothing is guessed.
 */
import type { Entry, Layer } from '../../domain/index.ts'
import { readInBatches } from '../../store/notes/layer-reader.ts'
import type { ScannedNote } from '../../store/notes/layer-scan.ts'
import { decodeStrictly } from '../../store/notes/note-document.ts'
import { cutGraphemes, oneLine } from '../../util/index.ts'
import { boundEntries, entryOf } from '../entries-now.ts'
import { lookUp } from '../lookup.ts'
import { type LoadedNote, readerOf } from '../read-layer.ts'
import { emptyFind, noMatch, severalMatches } from '../rejections.ts'
import { type EntryRange, entriesOf, wholeEntry } from './entries.ts'
import { asWritten, findText } from './find-text.ts'
import { type Refused, refuse, type Stage } from './stage.ts'

export interface Located extends LoadedNote {
  readonly layer: Layer
  /** The words that were found; without any the whole body. */
  readonly place: EntryRange
  /** The entry, or entries, they stand in. */
  readonly entry: EntryRange
  /** Other entries that are the same to the letter. */
  readonly duplicates: number
}

/** Notes that are near the words that no entry holds. */
const MAX_NEAR_NOTES = 5
const PREVIEW_GRAPHEMES = 80
/** Units of an entry shown before the words in question. */
const PREVIEW_LEAD = 24

interface Candidate extends LoadedNote {
  readonly layer: Layer
}

/** Throws INPUT_INVALID, NOTE_NOT_FOUND, NOTE_AMBIGUOUS for what `in` names. */
export async function locate(
  stage: Stage,
  { find, in: reference }: { readonly find?: string; readonly in?: string },
): Promise<Located | Refused> {
  if (find !== undefined && find.trim() === '') return refuse(emptyFind(), await whatIsThere(stage, '', null))
  if (find === undefined) return wholeNote(stage, reference ?? '')
  const candidates = reference === undefined ? await notesHolding(stage, find) : [await namedNote(stage, reference)]
  const hits = candidates.flatMap((candidate) => hitsIn(candidate, find))
  const wholes = hits.filter(({ note, entry }) => isSame(note.body.slice(entry.start, entry.end), find))
  const [first, ...others] = wholes.length > 0 ? wholes : hits
  if (!first) return refuse(noMatch(reference ?? null), await whatIsThere(stage, find, reference ? candidates : null))
  if (others.some((other) => !isDuplicate(first, other)))
    return refuse(severalMatches(others.length + 1), boundEntries([first, ...others].map(previewOf)))
  return { ...first, duplicates: others.length }
}

async function wholeNote(stage: Stage, reference: string): Promise<Located> {
  const found = await namedNote(stage, reference)
  const entry = wholeEntry(found.note.body)
  return { ...found, place: entry, entry, duplicates: 0 }
}

async function namedNote(stage: Stage, reference: string): Promise<Candidate> {
  const { match } = await lookUp(stage.context, reference)
  const reader = readerOf(stage.context.files, match.layer, stage.context)
  const loaded = await reader.load(match.scanned.file)
  // Gone between the scan and now: then nobody is called so.
  if (!loaded) return namedNote(stage, reference)
  return { ...loaded, note: { ...loaded.note, id: match.scanned.id }, layer: match.layer }
}

/** Pinned ones first, then the nearest layer. Only notes that `isWanted` are parsed: in a large layer that costs most. */
async function activeNotes(
  { context, layers }: Stage,
  isWanted: (note: ScannedNote, layer: Layer) => Promise<boolean>,
): Promise<readonly Candidate[]> {
  const found: Candidate[] = []
  for (const layer of layers) {
    const reader = readerOf(context.files, layer, context)
    const active = (await reader.scan()).filter(({ status }) => status === 'active')
    const loaded = await readInBatches(active, async (scanned) => {
      const read = (await isWanted(scanned, layer)) ? await reader.load(scanned.file) : null
      return read && { ...read, note: { ...read.note, id: scanned.id }, layer }
    })
    found.push(...loaded.filter((each) => each !== null))
  }
  return [...found.filter(({ note }) => note.pinned), ...found.filter(({ note }) => !note.pinned)]
}

/** Notes whose file holds the words anywhere; where in it is looked at next. */
function notesHolding(stage: Stage, find: string): Promise<readonly Candidate[]> {
  return activeNotes(stage, async ({ file }, layer) => {
    const read = await stage.context.files.read(layer, file)
    const text = read && decodeStrictly(read.bytes)
    return text !== null && findText(text, find).length > 0
  })
}

function hitsIn(candidate: Candidate, find: string): Located[] {
  const { note } = candidate
  const places = findText(note.body, find)
  if (places.length === 0) return []
  const entries = note.pinned ? [wholeEntry(note.body)] : entriesOf(note.body)
  return places.map((place) => ({ ...candidate, place, entry: around(place, entries), duplicates: 0 }))
}

function around(place: EntryRange, entries: readonly EntryRange[]): EntryRange {
  const touched = entries.filter(({ start, end }) => start < place.end && end > place.start)
  return { start: touched[0]?.start ?? place.start, end: touched.at(-1)?.end ?? place.end }
}

/** The same place of another entry that is the same to the letter. */
function isDuplicate(one: Located, other: Located): boolean {
  const isSameEntry =
    one.note.file === other.note.file && one.layer === other.layer && one.entry.start === other.entry.start
  const text = ({ note, entry }: Located) => note.body.slice(entry.start, entry.end)
  return !isSameEntry && isSame(text(one), text(other))
}

function isSame(one: string, other: string): boolean {
  return asWritten(one).trim() === asWritten(other).trim()
}

function previewOf(hit: Located): Entry {
  const { note, place, entry } = hit
  const from = place.start - entry.start > PREVIEW_LEAD ? place.start - PREVIEW_LEAD : entry.start
  const text = oneLine(note.body.slice(from, entry.end).toWellFormed())
  return { ...entryOf(hit, place), text: cutGraphemes(text, PREVIEW_GRAPHEMES) }
}

/** What a writer may have meant: the entries of the note that was named, else the profile and the nearest notes. */
async function whatIsThere(stage: Stage, find: string, named: readonly Candidate[] | null) {
  if (named) {
    const entries = named.flatMap((each) => entriesOf(each.note.body).map((range) => entryOf(each, range)))
    return boundEntries(entries)
  }
  const { context, layers } = stage
  const keys = layers.map(({ key }) => key)
  const near = find === '' ? [] : await context.nearest(find, keys, MAX_NEAR_NOTES)
  const wanted = new Set(near.map(({ id }) => id))
  const notes = await activeNotes(stage, async ({ id, pinned }) => pinned || wanted.has(id))
  const nearFirst = [
    ...notes.filter(({ note }) => wanted.has(note.id)),
    ...notes.filter(({ note }) => !wanted.has(note.id)),
  ]
  return boundEntries(nearFirst.map((each) => entryOf(each, wholeEntry(each.note.body))))
}

export function duplicateNotice({ duplicates }: Located): readonly string[] {
  if (duplicates === 0) return []
  return [`The same words also stand in ${duplicates === 1 ? 'one other entry' : `${duplicates} other entries`}.`]
}
