/**
 * Notes for a question, best first. Candidates come from the index; every one is read back from its file before it is
 * returned, so a note that was deleted, archived or withheld meanwhile is never served, and one that was edited is
 * judged by its new text.
 */
import type { Clock, Layer, NoteType, ScoreParts } from '../domain/index.ts'
import { MemoryError, throwIfCancelled } from '../errors.ts'
import type { IndexedNoteRow, IndexHit, IndexQuery, SearchIndex } from '../store/search-index/search-index.ts'
import { scoreParts } from './factors.ts'
import type { Judged } from './floor.ts'
import type { RecallDependencies, RecallNote } from './recall.ts'

/** Read back beyond what was asked for, because factors that need the text may still change the order. */
const SPARE_READS = 8

export interface NoteSearch {
  readonly query: IndexQuery
  readonly layers: readonly Layer[]
  readonly limit: number
  /** Rows of the index that are looked at; what matched beyond them is not counted. */
  readonly candidates: number
  readonly type?: NoteType
  readonly tag?: string
  /** Candidates for which this is false are left out and not counted. */
  readonly accepts: (hit: Judged) => boolean
  readonly signal?: AbortSignal
}

export interface FoundNote extends Judged {
  readonly note: RecallNote
  readonly layer: Layer
  readonly parts: ScoreParts
}

type Tools = Pick<RecallDependencies, 'readNote'> & { readonly clock: Clock }

export async function findNotes(
  index: SearchIndex,
  tools: Tools,
  search: NoteSearch,
): Promise<{ found: FoundNote[]; omitted: number }> {
  const scopes = search.layers.map((layer) => layer.key)
  const { type, tag } = search
  const hits = index
    .searchNotes(search.query, scopes, search.candidates, { status: 'active', type, tag })
    .filter(search.accepts)
    .map((hit) => ({ hit, before: preliminary(hit, search, tools).final }))
    .sort((left, right) => right.before - left.before)
    .map(({ hit }) => hit)
  const found: FoundNote[] = []
  let read = 0
  while (read < hits.length && found.length < search.limit + SPARE_READS) {
    throwIfCancelled(search.signal)
    const hit = hits[read++]
    const fresh = hit ? await readBack(index, tools, search, hit) : null
    if (fresh && search.accepts(fresh)) found.push(fresh)
  }
  found.sort((left, right) => right.parts.final - left.parts.final)
  const returned = found.slice(0, search.limit)
  return { found: returned, omitted: found.length - returned.length + (hits.length - read) }
}

function preliminary(hit: IndexHit<IndexedNoteRow>, { query }: NoteSearch, { clock }: Tools): ScoreParts {
  const { updated, confidence } = hit.reference
  return scoreParts({ ...hit, updated, confidence, text: null, query, nowMs: clock.now() })
}

async function readBack(
  index: SearchIndex,
  tools: Tools,
  search: NoteSearch,
  hit: IndexHit<IndexedNoteRow>,
): Promise<FoundNote | null> {
  const { reference } = hit
  const layer = search.layers.find((each) => each.key === reference.layer)
  if (!layer) return null
  const note = await readNote(tools, reference)
  if (!note || !isWanted(note, search)) return null
  const judged =
    note.hash === reference.hash
      ? hit
      : index.judgeNote(
          search.query,
          search.layers.map((each) => each.key),
          note,
        )
  if (!judged) return null
  const { score, coverage, rarity, matched } = judged
  const { updated, confidence } = note
  const text = `${note.name}\n${note.description}\n${note.body}`
  const parts = scoreParts({
    score,
    coverage,
    updated,
    confidence,
    text,
    query: search.query,
    nowMs: tools.clock.now(),
  })
  return { note, layer, parts, coverage, rarity, matched }
}

async function readNote({ readNote: read }: Tools, { layer, file }: IndexedNoteRow): Promise<RecallNote | null> {
  try {
    return await read(layer, file)
  } catch (error) {
    // A file that cannot be read now cannot be served, and one such file must not hide the others; doctor names it.
    if (MemoryError.isInstance(error)) return null
    throw error
  }
}

function isWanted(note: RecallNote, { type, tag }: NoteSearch): boolean {
  return (
    note.withheld === null &&
    note.status === 'active' &&
    (type === undefined || note.type === type) &&
    (tag === undefined || note.tags.includes(tag))
  )
}
