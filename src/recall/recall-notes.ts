/**
 * Notes for a question, best first. Candidates come from the index; every one is read back from its file before it is
 * returned, so a note that was deleted, archived or withheld meanwhile is never served, and one that was edited is
 * judged by its new text.
 */
import type { Clock, Layer } from '../domain/index.ts'
import { MemoryError, throwIfCancelled } from '../errors.ts'
import type { IndexedNoteRow, IndexQuery, SearchIndex } from '../store/search-index/search-index.ts'
import { type Candidate, isGoodEnough, type SemanticStep } from './candidates.ts'
import { NEUTRAL_TRUST, type NoteParts, noteParts } from './factors.ts'
import type { Judged } from './floor.ts'
import { type Entity, isNamedIn, placeOf, rowsNaming } from './named-notes.ts'
import { isWanted, type Wanted } from './note-wanted.ts'
import type { RecallDependencies, RecallNote } from './recall.ts'

/** Read back beyond what was asked for, because factors that need the text may still change the order. */
const SPARE_READS = 8

const NARROWED_CANDIDATES = 2_000
const ACTIVE: Wanted = { status: 'active', minTrust: 0 }

export interface NoteSearch {
  /** The question as it was asked. */
  readonly text: string
  readonly query: IndexQuery
  readonly layers: readonly Layer[]
  readonly limit: number
  /** Rows of the index that are looked at; what matched beyond them is not counted. */
  readonly candidates: number
  /** Default: active notes. */
  readonly wanted?: Wanted
  /** Only notes that name each of these. */
  readonly entities?: readonly Entity[]
  /** Notes that are left out whatever they hold. */
  readonly isLeftOut?: (note: Pick<RecallNote, 'tags'>) => boolean
  /** Candidates for which this is false are left out and not counted. */
  readonly accepts: (hit: Judged) => boolean
  /** How much the time of a note (ISO 8601, null = undated) counts for the question. Default: not at all. */
  readonly timeFactor?: (updated: string | null) => number
  /** Hits for which this is true are returned before others, whatever their score. Default: all alike. */
  readonly comesFirst?: (hit: Judged) => boolean
  readonly signal?: AbortSignal
}

/** A note as it is on disk now, judged by its words of now. */
export interface FoundNote extends Omit<Candidate<unknown>, 'reference'> {
  readonly note: RecallNote
  readonly layer: Layer
  readonly parts: NoteParts
  /** 0..1 */
  readonly trust: number
}

type Tools = Pick<RecallDependencies, 'readNote' | 'trustOf'> & {
  readonly clock: Clock
  /** Default: words alone. */
  readonly meaning?: SemanticStep
}

export async function findNotes(
  index: SearchIndex,
  tools: Tools,
  search: NoteSearch,
): Promise<{ found: FoundNote[]; omitted: number }> {
  const candidates = await findCandidates(index, tools, search)
  const accepted = candidates.filter((hit) => search.accepts(hit) && !search.isLeftOut?.(hit.reference))
  const trust = tools.trustOf?.(accepted.map(({ reference }) => reference.id)) ?? new Map<string, number>()
  const { minTrust } = search.wanted ?? ACTIVE
  const wanted = accepted.filter(({ reference }) => (trust.get(reference.id) ?? NEUTRAL_TRUST) >= minTrust)
  const place = (hit: Judged) => (search.comesFirst?.(hit) ? 0 : 1)
  const judging = { search, trust, nowMs: tools.clock.now() }
  const hits = wanted
    .map((hit) => ({ hit, before: judge(hit, hit.reference, { ...judging, text: null }).parts.final }))
    .sort((left, right) => place(left.hit) - place(right.hit) || right.before - left.before)
    .map(({ hit }) => hit)
  const found: FoundNote[] = []
  let read = 0
  while (read < hits.length && found.length < search.limit + SPARE_READS) {
    throwIfCancelled(search.signal)
    const hit = hits[read++]
    const fresh = hit ? await readBack(index, tools, judging, hit) : null
    if (fresh && search.accepts(fresh)) found.push(fresh)
  }
  found.sort((left, right) => place(left) - place(right) || right.parts.final - left.parts.final)
  const returned = found.slice(0, search.limit)
  return { found: returned, omitted: found.length - returned.length + (hits.length - read) }
}

/** By words; where none holds what was asked, by meaning too. */
async function findCandidates(
  index: SearchIndex,
  { meaning }: Tools,
  { text, query, layers, candidates, wanted: filter = ACTIVE, entities = [], signal }: NoteSearch,
): Promise<readonly Candidate<IndexedNoteRow>[]> {
  const scopes = layers.map((layer) => layer.key)
  const naming = entities.map(({ names }) => new Set(rowsNaming(index, scopes, names, filter).map(placeOf)))
  // What is narrowed by more than the index knows needs more rows to choose from.
  const limit = naming.length > 0 || filter.minTrust > 0 ? Math.max(candidates, NARROWED_CANDIDATES) : candidates
  const isNamed = ({ reference }: Candidate<IndexedNoteRow>) => naming.every((rows) => rows.has(placeOf(reference)))
  const byWords = index.searchNotes(query, scopes, limit, filter)
  if (!meaning || isGoodEnough(byWords)) return byWords.filter(isNamed)
  const found = await meaning.notes(byWords, { text, query, scopes, limit, filter, signal })
  return found.filter(isNamed)
}

interface Judging {
  readonly search: NoteSearch
  /** By id; an untried note is not in it. */
  readonly trust: ReadonlyMap<string, number>
  readonly nowMs: number
}

function judge(
  candidate: Omit<Candidate<unknown>, 'reference'>,
  { id, updated, confidence }: Pick<RecallNote, 'id' | 'updated' | 'confidence'>,
  { search, trust: earned, nowMs, text }: Judging & { readonly text: string | null },
): Pick<FoundNote, 'parts' | 'trust'> {
  const trust = earned.get(id) ?? NEUTRAL_TRUST
  const timeFactor = search.timeFactor?.(updated) ?? 1
  const { query } = search
  return { trust, parts: noteParts({ candidate, updated, timeFactor, confidence, trust, text, query, nowMs }) }
}

async function readBack(
  index: SearchIndex,
  tools: Tools,
  judging: Judging,
  hit: Candidate<IndexedNoteRow>,
): Promise<FoundNote | null> {
  const { search } = judging
  const { reference } = hit
  const layer = search.layers.find((each) => each.key === reference.layer)
  if (!layer) return null
  const note = await readNote(tools, reference)
  if (!note || !isStillWanted(note, search) || search.isLeftOut?.(note)) return null
  // What is near in meaning was so before the file changed.
  const { semantic, meant } = note.hash === reference.hash ? hit : {}
  const judged =
    note.hash === reference.hash
      ? hit
      : index.judgeNote(
          search.query,
          search.layers.map((each) => each.key),
          note,
        )
  if (!judged) return null
  const { score, coverage, rarity, matched, full, terms } = judged
  const fresh = { score, coverage, rarity, matched, full, terms, semantic, meant }
  const text = `${note.name}\n${note.description}\n${note.body}`
  return { note, layer, ...fresh, ...judge(fresh, note, { ...judging, text }) }
}

/** Null when it is gone or cannot be read. A file that says no date is as old as the index knows its bytes to be. */
export async function readNote(
  { readNote: read }: Pick<RecallDependencies, 'readNote'>,
  { layer, file, hash, updated }: Pick<IndexedNoteRow, 'layer' | 'file' | 'hash' | 'updated'>,
): Promise<RecallNote | null> {
  try {
    const note = await read(layer, file)
    return note !== null && note.updated === null && note.hash === hash ? { ...note, updated } : note
  } catch (error) {
    // A file that cannot be read now cannot be served, and one such file must not hide the others; doctor names it.
    if (MemoryError.isInstance(error)) return null
    throw error
  }
}

/** As it is on disk now. */
export function isStillWanted(
  note: RecallNote,
  { wanted = ACTIVE, entities = [] }: Pick<NoteSearch, 'wanted' | 'entities'>,
): boolean {
  return note.withheld === null && isWanted(note, wanted) && entities.every((entity) => isNamedIn(entity, note))
}
