/**
 * Recall without a question (spec R10): all that names something, newest first, and pairs of notes that cannot both hold.
 * Every note is read back from its file, as for a question. It stands apart so that hooks do not load it.
 */
import { isoSeconds, type Layer, type RecallHit, type RecallInput, type RecallResult, STANDS } from '../domain/index.ts'
import { throwIfCancelled } from '../errors.ts'
import { isExpired } from '../store/notes/precedence.ts'
import { compareNotes } from '../store/search-index/row-order.ts'
import type { IndexedNoteRow, SearchIndex } from '../store/search-index/search-index.ts'
import { findContradictions } from './claims/contradictions.ts'
import { bounded, createRecall } from './create-recall.ts'
import { NEUTRAL_TRUST } from './factors.ts'
import { soughtIn } from './match-places.ts'
import { describeEntity, type Entity, entitiesOf, isNamedIn, placeOf, queryOf, rowsNaming } from './named-notes.ts'
import { hitOf } from './note-hits.ts'
import { isWanted, type Wanted, wantedFrom } from './note-wanted.ts'
import type { Recall, RecallDependencies, RecallNote } from './recall.ts'
import { readNote } from './recall-notes.ts'
import { findStandings } from './standing-notes.ts'
import { withIndex } from './with-index.ts'

/** Notes that are compared with each other, newest first. */
const MAX_COMPARED = 1_000
/** Files that are read at one time. */
const AT_ONCE = 16

/** Recall with everything that can be asked of it. */
export function createFullRecall(dependencies: RecallDependencies): Recall {
  const recall = createRecall(dependencies)
  return {
    ...recall,
    recall(input) {
      if (input.contradicts) return recallNamed(dependencies, input, contradictions)
      const isQuestion = (input.query ?? '').trim() !== ''
      const isNamed = (input.about ?? input.together) !== undefined
      return isQuestion || !isNamed ? recall.recall(input) : recallNamed(dependencies, input, newest)
    },
  }
}

interface Search {
  readonly dependencies: RecallDependencies
  readonly index: SearchIndex
  readonly input: RecallInput
  readonly layers: readonly Layer[]
  readonly entities: readonly Entity[]
  readonly wanted: Wanted
  /** Rows that may be meant, newest first. */
  readonly rows: readonly IndexedNoteRow[]
}

type Answer = Omit<RecallResult, 'searched' | 'reason'>

async function recallNamed(
  dependencies: RecallDependencies,
  input: RecallInput,
  answer: (search: Search) => Promise<Answer>,
): Promise<RecallResult> {
  throwIfCancelled(input.signal)
  const all = dependencies.layers()
  const wanted = wantedFrom(input, dependencies.clock.now())
  const layers = input.layer === undefined ? all : all.filter(({ name }) => name === input.layer)
  const { value, ...how } = await withIndex(dependencies, all, async (index) => {
    const entities = entitiesOf(index, all, input)
    const rows = rowsOf(index, { dependencies, layers, entities, wanted })
    return answer({ dependencies, index, input, layers, entities, wanted, rows })
  })
  return { ...value, ...how }
}

function rowsOf(
  index: SearchIndex,
  { dependencies, layers, entities, wanted }: Pick<Search, 'dependencies' | 'layers' | 'entities' | 'wanted'>,
): IndexedNoteRow[] {
  const scopes = layers.map(({ key }) => key)
  const [first, ...more] = entities.map(({ names }) => rowsNaming(index, scopes, names, wanted))
  const others = more.map((rows) => new Set(rows.map(placeOf)))
  const all = first ?? scopes.flatMap((scope) => index.notesOf(scope))
  const rows = all.filter(
    (row) => row.withheld === null && isWanted(row, wanted) && others.every((places) => places.has(placeOf(row))),
  )
  const trust = wanted.minTrust > 0 ? dependencies.trustOf?.(rows.map(({ id }) => id)) : undefined
  return rows
    .filter(({ id }) => (trust?.get(id) ?? NEUTRAL_TRUST) >= wanted.minTrust || wanted.minTrust === 0)
    .sort(compareNotes)
}

/** All that is known of it, newest first. */
async function newest(search: Search): Promise<Answer> {
  const { rows, input, entities } = search
  const limit = bounded(input.limit)
  const found: RecallNote[] = []
  let read = 0
  while (read < rows.length && found.length < limit) {
    const batch = rows.slice(read, read + Math.min(AT_ONCE, limit - found.length))
    read += batch.length
    found.push(...(await readAll(search, batch)))
  }
  return {
    results: await hitsOf(search, found),
    omitted: rows.length - read,
    entities: entities.map((entity) => describeEntity(entity, rows)),
  }
}

async function contradictions(search: Search): Promise<Answer> {
  const { rows, input, dependencies, index, entities } = search
  const read = await readAll(search, rows.slice(0, MAX_COMPARED))
  const standings = await findStandings(index, dependencies, read)
  const today = isoSeconds(dependencies.clock.now()).slice(0, 10)
  const counting = read.filter((note) => standings.get(note)?.state === 'stands' && !isExpired(note, today))
  const pairs = findContradictions(
    counting.map((note) => ({
      note,
      id: note.id,
      name: note.name,
      text: `${note.description}\n${note.body}`,
      updated: note.updated,
      supersedes: note.supersedes ?? [],
    })),
  )
  const told = pairs.slice(0, bounded(input.limit))
  const notes = new Set(told.flatMap(({ newer, older }) => [newer.note, older.note]))
  return {
    results: await hitsOf(search, [...notes]),
    omitted: pairs.length - told.length,
    entities: entities.map((entity) => describeEntity(entity, rows)),
    contradictions: told.map(({ newer, older, ...pair }) => ({ newer: newer.id, older: older.id, ...pair })),
    notCompared: Math.max(0, rows.length - MAX_COMPARED),
  }
}

/** As they are on disk now, in the order of the rows; what is no longer meant is left out. */
async function readAll(search: Search, rows: readonly IndexedNoteRow[]): Promise<RecallNote[]> {
  const { dependencies, entities, wanted, input } = search
  const notes: RecallNote[] = []
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    throwIfCancelled(input.signal)
    const read = await Promise.all(rows.slice(at, at + AT_ONCE).map((row) => readNote(dependencies, row)))
    for (const note of read)
      if (note && note.withheld === null && isWanted(note, wanted) && entities.every((each) => isNamedIn(each, note)))
        notes.push(note)
  }
  return notes
}

async function hitsOf(
  { dependencies, index, layers, entities }: Search,
  notes: readonly RecallNote[],
): Promise<RecallHit[]> {
  const standings = await findStandings(index, dependencies, notes)
  const sought = soughtIn(queryOf(entities.flatMap(({ names }) => names).join(' ')))
  const nowMs = dependencies.clock.now()
  return notes.flatMap((note) => {
    const layer = layers.find(({ key }) => key === note.layer)
    if (!layer) return []
    const standing = standings.get(note) ?? STANDS
    return [{ ...hitOf(note, layer, { standing, sought, nowMs }), score: 1, weak: false }]
  })
}
