/** `memory.history`: what happened to the notes of here, what one change did, and taking it back. */
import { join } from 'node:path'
import type { FileDiff, HistoryAccess, HistoryDiff, Layer, UndoOptions, UndoResult } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import { safeText } from '../guard/index.ts'
import type { NoteHistory } from '../store/notes/history.ts'
import { findChange, type PlacedChange, readChanges } from '../store/notes/history-log.ts'
import type { ChangedFile, CommitQuery, Version } from '../store/notes/history-port.ts'
import { maskedDiff } from '../store/notes/masked-diff.ts'
import type { NoteFiles } from '../store/notes/note-files.ts'
import { boundedLimit, type Notes, offsetOf } from './notes.ts'
import { shownChange, shownPath } from './shown.ts'

export interface HistoryDependencies {
  readonly history: NoteHistory
  readonly files: NoteFiles
  readonly notes: Notes
  readonly layers: () => readonly Layer[]
  readonly undo: (reference: string | undefined, options: UndoOptions | undefined) => Promise<UndoResult>
}

const DEFAULT_LIMIT = 20
const MAX_DIFF_FILES = 50
const MAX_DIFF_LINES = 400

export function createHistoryAccess(dependencies: HistoryDependencies): HistoryAccess {
  const { history, layers } = dependencies
  return {
    async log({ note, limit = DEFAULT_LIMIT, cursor } = {}) {
      assertAvailable(history)
      const [offset, wanted] = [offsetOf(cursor), boundedLimit(limit)]
      const of = note === undefined ? undefined : (await findNote(dependencies, note)).of
      const found = await readChanges(history, layers(), { of, limit: offset + wanted + 1 })
      if (note !== undefined && found.length === 0) throw noSuchNote(note)
      const changes = found.slice(offset, offset + wanted).map(({ change }) => shownChange(change, layers()))
      return { changes, nextCursor: found.length > offset + wanted ? `o${offset + wanted}` : null }
    },
    async diff(reference) {
      assertAvailable(history)
      const placed = await changeCalled(dependencies, reference)
      if (placed) return diffOfChange(dependencies, placed)
      const { of, place } = await findNote(dependencies, reference)
      const unrecorded = place && (await unrecordedDiff(dependencies, place))
      if (unrecorded) return { change: null, files: [unrecorded], omittedFiles: 0 }
      const [last] = await readChanges(history, layers(), { of, limit: 1 })
      if (!last) throw noSuchNote(reference)
      return diffOfChange(dependencies, last)
    },
    undo: (id, options) => dependencies.undo(id, options),
  }
}

function assertAvailable(history: NoteHistory): void {
  const reason = history.unavailable()
  if (reason === null) return
  throw new MemoryError('HISTORY_UNAVAILABLE', `There is no history: ${reason}`, {
    hint: 'Install git, or set `history` to true; changes are kept from then on.',
    data: { reason },
  })
}

/** Null when no change is called so: it may be a note. */
async function changeCalled({ history, layers }: HistoryDependencies, reference: string): Promise<PlacedChange | null> {
  try {
    return await findChange(history, layers(), reference)
  } catch (error) {
    if (MemoryError.isInstance(error) && error.code === 'CHANGE_NOT_FOUND') return null
    throw error
  }
}

interface NotePlace {
  readonly layer: Layer
  readonly file: string
}

interface FoundNote {
  readonly of: (layer: Layer) => Omit<CommitQuery, 'limit'>
  /** Null for a note that is gone. */
  readonly place: NotePlace | null
}

/** A note that is there, else one that may have been: by its id or file name. */
async function findNote({ notes }: HistoryDependencies, reference: string): Promise<FoundNote> {
  const found = await notes.find(reference)
  if (found === null) return { of: () => ({ file: reference, noteId: reference }), place: null }
  const { layer, note } = found
  return {
    of: ({ key }) => (key === layer.key ? { file: note.file, noteId: note.id } : { noteId: note.id }),
    place: { layer, file: note.file },
  }
}

async function unrecordedDiff(dependencies: HistoryDependencies, { layer, file }: NotePlace): Promise<FileDiff | null> {
  const [now, last] = [
    await dependencies.files.read(layer, file),
    await dependencies.history.versions.latest(layer, file),
  ]
  if (!now || (last && Buffer.compare(now.bytes, last.bytes) === 0)) return null
  const after: Version = { bytes: now.bytes, mode: dependencies.history.modes.of(layer, file) ?? 0 }
  return fileDiff(dependencies.layers(), layer, { file, before: last, after })
}

async function diffOfChange(
  { history, layers }: HistoryDependencies,
  { change, parts }: PlacedChange,
): Promise<HistoryDiff> {
  const changed: { layer: Layer; file: ChangedFile }[] = []
  for (const { layer, commit } of parts)
    changed.push(...(await history.versions.versions(layer, commit.id)).map((file) => ({ layer, file })))
  const files = changed.slice(0, MAX_DIFF_FILES).map(({ layer, file }) => fileDiff(layers(), layer, file))
  return { change: shownChange(change, layers()), files, omittedFiles: changed.length - files.length }
}

function fileDiff(layers: readonly Layer[], layer: Layer, { file, before, after }: ChangedFile): FileDiff {
  const lines = maskedDiff(before, after)
  const { text } = safeText(lines.slice(0, MAX_DIFF_LINES).join('\n'), 'difference')
  return {
    layer: layer.name,
    file: shownPath(join(layer.directory, file), layers),
    change: before === null ? 'added' : after === null ? 'removed' : 'changed',
    text,
    omittedLines: Math.max(0, lines.length - MAX_DIFF_LINES),
  }
}

function noSuchNote(reference: string): MemoryError {
  return new MemoryError(
    'CHANGE_NOT_FOUND',
    `No change and no note is called ${JSON.stringify(reference.slice(0, 100))}`,
    {
      hint: 'See keepsake history, or keepsake list.',
      data: { reference },
    },
  )
}
