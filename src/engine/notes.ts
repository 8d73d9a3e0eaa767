/** Lists and reads: files are asked, never the index, so what is shown is what is on disk now. */
import { join } from 'node:path'
import {
  ageOf,
  type Clock,
  freshnessWarning,
  type Layer,
  type ListInput,
  type ListResult,
  type Note,
  type ReadResult,
} from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import { safeText } from '../guard/index.ts'
import { newestFirst, type ScannedNote, scanLayer } from '../store/notes/layer-scan.ts'
import { findNotes } from '../store/notes/lookup.ts'
import type { NoteFiles } from '../store/notes/note-files.ts'
import { readNote } from '../store/notes/note-format.ts'
import { toSummary } from '../store/notes/summary.ts'
import { voiceOf } from '../store/notes/voice.ts'
import { oneLine } from '../util/index.ts'
import { shown, shownError, shownNote } from './shown.ts'

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 500
const CURSOR = /^o(\d{1,9})$/

export interface NotesDependencies {
  readonly files: NoteFiles
  readonly layers: () => readonly Layer[]
  readonly isToolWritten: (path: string) => boolean
  readonly clock: Clock
}

export interface Notes {
  scan(): Promise<readonly { note: ScannedNote; layer: Layer }[]>
  list(input: ListInput): Promise<ListResult>
  read(reference: string): Promise<ReadResult | null>
}

export function createNotes(dependencies: NotesDependencies): Notes {
  const { files, layers, isToolWritten } = dependencies
  const scan = async () => {
    const found: { note: ScannedNote; layer: Layer }[] = []
    for (const layer of layers()) {
      const { notes } = await scanLayer(files, layer, { parse: readNote, isToolWritten })
      found.push(...notes.map((note) => ({ note, layer })))
    }
    return found.sort((one, other) => newestFirst(one.note, other.note))
  }
  return {
    scan,
    async list(input) {
      const wanted = (await scan()).filter(({ note, layer }) => isWanted(note, layer, input))
      const start = offsetOf(input.cursor)
      const end = start + boundedLimit(input.limit)
      const notes = wanted.slice(start, end).map(({ note, layer }) => shown(toSummary(note, layer), layers()))
      return { notes, nextCursor: end < wanted.length ? `o${end}` : null, total: wanted.length }
    },
    async read(reference) {
      const all = await scan()
      const found = findNotes(
        reference,
        all.map(({ note }) => note),
      )
      if (found === null) return null
      if ('candidates' in found) throw shownError(ambiguous(reference, found.candidates), layers())
      const layer = all.find(({ note }) => note === found.match)?.layer
      const bytes = layer ? await files.read(layer, found.match.file) : null
      if (!layer || !bytes) return null
      const note = readNote(bytes.bytes, { layer: layer.key, file: found.match.file, hash: bytes.hash })
      return present({ ...note, id: found.match.id }, layer, dependencies)
    },
  }
}

function present(note: Note, layer: Layer, { clock, isToolWritten }: NotesDependencies): ReadResult {
  const nowMs = clock.now()
  const safe = safeText(note.body, `note ${oneLine(note.name)}`)
  return {
    note: { ...shownNote(note), body: safe.text },
    summary: shown(toSummary(note, layer), [layer]),
    text: safe.text,
    age: ageOf(note.updated, nowMs),
    warning: freshnessWarning(note.updated, nowMs),
    voice: voiceOf(note, { toolWritten: isToolWritten(join(layer.directory, note.file)), layer: layer.key }),
  }
}

function isWanted(note: ScannedNote, layer: Layer, input: ListInput): boolean {
  const status = input.status ?? 'active'
  return (
    (status === 'all' || note.status === status) &&
    (input.layer === undefined || layer.name === input.layer) &&
    (input.type === undefined || note.type === input.type) &&
    (input.tag === undefined || note.tags.includes(input.tag))
  )
}

export function boundedLimit(limit: number | undefined): number {
  return Math.min(MAX_LIMIT, Math.max(1, Math.trunc(limit ?? DEFAULT_LIMIT)))
}

export function offsetOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0
  const match = CURSOR.exec(cursor)
  if (match) return Number(match[1])
  throw new MemoryError('INPUT_INVALID', `The cursor ${JSON.stringify(cursor)} is not one of ours`, {
    hint: 'Take nextCursor from the last page, or leave it out to begin at the start.',
    data: { field: 'cursor' },
  })
}

export function ambiguous(reference: string, candidates: readonly ScannedNote[]): MemoryError {
  return new MemoryError(
    'NOTE_AMBIGUOUS',
    `${candidates.length} notes match ${JSON.stringify(reference)}; nothing was done`,
    {
      hint: 'Use the id.',
      data: { reference, candidates: candidates.slice(0, 10).map(({ id, name, file }) => ({ id, name, file })) },
    },
  )
}
