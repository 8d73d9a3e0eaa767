/**
 * The one note that a person or agent means, over all layers of here (spec S3, BL-32): exact or unique, else an error
 * with candidates and nothing done.
 */
import { isShared, type Layer, type NoteSummary } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import type { ScannedNote } from '../store/notes/layer-scan.ts'
import { findNotes, MIN_ID_PREFIX } from '../store/notes/lookup.ts'
import { toSummary } from '../store/notes/summary.ts'
import { oneLine } from '../util/index.ts'
import type { WriteContext } from './dependencies.ts'
import { readerOf } from './read-layer.ts'

/** Candidates that an error names; the rest is counted. */
const MAX_CANDIDATES = 20

export interface PlacedNote {
  readonly scanned: ScannedNote
  readonly layer: Layer
}

export interface Looked {
  readonly match: PlacedNote
  /** The same id in another layer: what a move leaves when it is killed between its two steps. */
  readonly copies: readonly PlacedNote[]
}

/** Throws INPUT_INVALID for an empty reference, NOTE_NOT_FOUND, NOTE_AMBIGUOUS. */
export async function lookUp(dependencies: WriteContext, reference: string): Promise<Looked> {
  if (typeof reference !== 'string' || reference.trim() === '')
    throw new MemoryError('INPUT_INVALID', 'Say which note: an id, a file name or a name.', {
      hint: 'keepsake list shows them.',
      data: { field: 'reference' },
    })
  const placed = await allNotes(dependencies)
  const found = findNotes(
    reference,
    placed.map(({ scanned, layer }) => ({ ...scanned, placed: { scanned, layer } })),
  )
  if (found === null) throw notFound(reference)
  if ('match' in found) return { match: found.match.placed, copies: [] }
  const candidates = found.candidates.map((candidate) => candidate.placed)
  const [first, ...others] = candidates
  if (first && others.every((other) => isCopy(first, other)))
    // A note that was given to the team too is another file, which stays.
    return { match: first, copies: others.filter(({ layer }) => !isShared(layer)) }
  throw ambiguous(reference, candidates)
}

/** Nearest layer first. Team notes are among them, so that a write to one is refused for what it is. */
async function allNotes(dependencies: WriteContext): Promise<PlacedNote[]> {
  const { global, project, team } = await dependencies.currentLayers()
  const placed: PlacedNote[] = []
  for (const layer of [project, team, global]) {
    if (!layer) continue
    const notes = await readerOf(dependencies.files, layer, dependencies).scan()
    placed.push(...notes.map((scanned) => ({ scanned, layer })))
  }
  return placed
}

function isCopy(one: PlacedNote, other: PlacedNote): boolean {
  return one.layer.key !== other.layer.key && one.scanned.id === other.scanned.id && !one.scanned.idDerived
}

function notFound(reference: string): MemoryError {
  const isShort = reference.trim().length < MIN_ID_PREFIX
  return new MemoryError('NOTE_NOT_FOUND', `No note is called ${JSON.stringify(oneLine(reference).slice(0, 100))}`, {
    hint: isShort
      ? `The start of an id needs at least ${MIN_ID_PREFIX} characters; keepsake list shows what there is.`
      : 'keepsake list shows what there is. Nothing was changed.',
    data: { reference },
  })
}

function ambiguous(reference: string, placed: readonly PlacedNote[]): MemoryError {
  const candidates: NoteSummary[] = placed
    .slice(0, MAX_CANDIDATES)
    .map(({ scanned, layer }) => toSummary(scanned, layer))
  return new MemoryError(
    'NOTE_AMBIGUOUS',
    `${placed.length} notes match ${JSON.stringify(oneLine(reference).slice(0, 100))}; nothing was done`,
    {
      hint: 'Use the id of the one you mean.',
      data: { reference, candidates, omitted: Math.max(0, placed.length - MAX_CANDIDATES) },
    },
  )
}
