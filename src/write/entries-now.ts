/** Entries as a refusal or an answer shows them: bounded, with the line of the file, and saying what was left out. */
import type { EntriesNow, Entry, Layer, Note } from '../domain/index.ts'
import { decodeStrictly } from '../store/notes/note-document.ts'
import { toSummary } from '../store/notes/summary.ts'
import { codePoints, cutCodePoints } from '../util/index.ts'
import type { EntryRange } from './edit/entries.ts'

/** Entries of one answer; a full profile has fewer. */
const MAX_ENTRIES = 40
/** Code points of all entries of one answer: both profiles whole, and room for a few notes. */
const MAX_CHARACTERS = 8_000
/** Code points of one entry, so that one long note does not hide the others. */
const MAX_ENTRY_CHARACTERS = 2_200

export interface PlacedBody {
  readonly note: Note
  readonly bytes: Uint8Array
  readonly layer: Layer
}

export function entryOf({ note, bytes, layer }: PlacedBody, { start, end }: EntryRange): Entry {
  const text = note.body.slice(start, end).replace(/\r\n/g, '\n').trim()
  const cut = cutCodePoints(text, MAX_ENTRY_CHARACTERS)
  return {
    note: toSummary(note, layer),
    line: lineOf(bytes, note.body, start),
    text: cut === text ? text : `${cut}…`,
  }
}

/** 1-based line of the file at which a place of the body lies. The body is the end of the file. */
function lineOf(bytes: Uint8Array, body: string, start: number): number {
  const text = decodeStrictly(bytes) ?? ''
  return text.slice(0, Math.max(0, text.length - body.length) + start).split('\n').length
}

export function boundEntries(entries: readonly Entry[]): Pick<EntriesNow, 'entries' | 'omittedEntries'> {
  let used = 0
  const kept: Entry[] = []
  for (const entry of entries) {
    used += codePoints(entry.text)
    if (kept.length === MAX_ENTRIES || (used > MAX_CHARACTERS && kept.length > 0)) break
    kept.push(entry)
  }
  return { entries: kept, omittedEntries: entries.length - kept.length }
}
