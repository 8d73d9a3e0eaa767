/**
 * MEMORY.md of a layer (spec S4), under its lock: a line that a person or agent changed becomes the note's description,
 * then the generated part is made anew. Derived: when it cannot be written now, the next write or refresh does it.
 */
import type { Layer } from '../domain/index.ts'
import { hasCode } from '../errors.ts'
import {
  type IndexedHead,
  indexPressure,
  MAX_INDEX_LINES,
  reconcileIndex,
  renderIndex,
} from '../store/notes/index-file.ts'
import type { ScannedNote } from '../store/notes/layer-scan.ts'
import { decodeStrictly } from '../store/notes/note-document.ts'
import type { LockedLayer } from '../store/notes/note-files.ts'
import { type Earned, mostValuableFirst } from '../store/notes/value-order.ts'
import { oneLine } from '../util/index.ts'
import { admitField } from './admit.ts'
import { type NoteCache, type ReadNote, readerOf } from './read-layer.ts'
import { retryWhenChanged } from './retry-when-changed.ts'
import { revise } from './revise.ts'

const MAX_PROBLEMS = 10

export interface RegenerateOptions {
  readonly isToolWritten: (path: string) => boolean
  /** By id of the note; default: nobody tried any. */
  readonly earned?: (notes: readonly string[]) => ReadonlyMap<string, Earned>
  /** Given by a caller that regenerates often. */
  readonly cache?: NoteCache
}

export interface Regenerated {
  readonly changed: boolean
  /** Sentences; the notes themselves are never at risk here. */
  readonly problems: readonly string[]
  /** Said when a note is added while there is hardly room for its line. */
  readonly pressure: string | null
}

const untouched = { changed: false, pressure: null } as const

export async function regenerateIndex(
  locked: LockedLayer,
  layer: Layer,
  options: RegenerateOptions,
): Promise<Regenerated> {
  try {
    return await retryWhenChanged(() => regenerateOnce(locked, layer, options))
  } catch (error) {
    if (!hasCode(error, 'NOTE_CHANGED_ON_DISK')) throw error
    return { ...untouched, problems: ['MEMORY.md keeps changing on disk; the next refresh brings it up to date.'] }
  }
}

async function regenerateOnce(
  locked: LockedLayer,
  layer: Layer,
  { isToolWritten, earned = () => new Map(), cache = new Map() }: RegenerateOptions,
) {
  const existing = await locked.readIndex()
  const text = existing === null ? null : decodeStrictly(existing.bytes)
  if (existing !== null && text === null)
    return { ...untouched, problems: ['MEMORY.md is not UTF-8, so it was left as it is.'] }
  const reader = readerOf(locked, layer, { isToolWritten, cache })
  const first = await reader.scan()
  const { taken, problems } = await takeDescriptions(locked, text ?? '', first)
  const notes = taken > 0 ? await reader.scan() : first
  const rendered = renderIndex(text, asShown(notes, earned(notes.map(({ id }) => id))))
  const pressure = indexPressure(rendered)
  if (rendered.text === text) return { changed: false, problems, pressure }
  await locked.writeIndex(new TextEncoder().encode(rendered.text), existing?.hash ?? null)
  return { changed: true, problems, pressure }
}

/**
 * Notes that people wrote stay as they are; what we copy from them into our own file is masked. Only the most valuable
 * ones can get a line: of 200 lines each may be a person's own about one of them.
 */
function asShown(notes: readonly ReadNote[], earned: ReadonlyMap<string, Earned>): IndexedHead[] {
  const active = notes
    .filter((note) => note.status === 'active')
    .map((note) => ({ ...note, earned: earned.get(note.id) }))
    .sort(mostValuableFirst)
  const shown = active.slice(0, MAX_INDEX_LINES * 2).map((note) => ({ ...note, ...note.shown() }))
  return [...shown, ...active.slice(MAX_INDEX_LINES * 2)]
}

async function takeDescriptions(locked: LockedLayer, text: string, notes: readonly ScannedNote[]) {
  const problems: string[] = []
  let taken = 0
  for (const edit of reconcileIndex(text, notes).descriptionEdits) {
    const admission = admitField('description', edit.description)
    const description = 'rejection' in admission ? '' : oneLine(admission.admitted.text)
    if (description !== '' && (await describeNote(locked, edit.file, description))) taken++
    else problems.push(`A line of MEMORY.md about ${edit.file} could not become its description.`)
  }
  return { taken, problems: problems.slice(0, MAX_PROBLEMS) }
}

async function describeNote(locked: LockedLayer, file: string, description: string): Promise<boolean> {
  const found = await locked.read(file)
  if (!found) return false
  try {
    await locked.write(file, revise(found.bytes, { description }, file), found.hash)
    return true
  } catch (error) {
    // A note that we may not edit keeps its own description; the index shows that one.
    if (hasCode(error, 'NOTE_FORMAT_INVALID')) return false
    throw error
  }
}
