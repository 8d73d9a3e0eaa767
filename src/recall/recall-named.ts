/**
 * Recall without a question (spec R10): all that names something, newest first, and pairs of notes that cannot both hold.
 * Every note is read back from its file, as for a question. It stands apart so that hooks do not load it.
 */
import { isoSeconds, type Layer, type RecallHit, type RecallInput, type RecallResult } from '../domain/index.ts'
import { throwIfCancelled } from '../errors.ts'
import { isExpired } from '../store/notes/precedence.ts'
import { compareNotes } from '../store/search-index/row-order.ts'
import type { IndexedNoteRow, SearchIndex } from '../store/search-index/search-index.ts'
import { findContradictions } from './claims/contradictions.ts'
import { bounded, createRecall } from './create-recall.ts'
import { soughtIn } from './match-places.ts'
import { describeEntity, type Entity, entitiesOf, placeOf, queryOf, rowsNaming } from './named-notes.ts'
import { plainHits } from './note-hits.ts'
import { isWanted, type Wanted, wantedFrom } from './note-wanted.ts'
import { readFirst, trustedRows } from './read-rows.ts'
import type { Recall, RecallDependencies, RecallNote } from './recall.ts'
import { findStandings } from './standing-notes.ts'
import { withIndex } from './with-index.ts'

/** Notes that are compared with each other, newest first. */
const MAX_COMPARED = 1_000

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
  return [...trustedRows(rows, { dependencies, wanted })].sort(compareNotes)
}

/** All that is known of it, newest first. */
async function newest(search: Search): Promise<Answer> {
  const { rows, input, entities } = search
  const { notes, unread } = await readFirst(rows, bounded(input.limit), { ...search, signal: input.signal })
  return {
    results: await hitsOf(search, notes),
    omitted: unread,
    entities: entities.map((entity) => describeEntity(entity, rows)),
  }
}

async function contradictions(search: Search): Promise<Answer> {
  const { rows, input, dependencies, index, entities } = search
  const compared = rows.slice(0, MAX_COMPARED)
  const { notes: read } = await readFirst(compared, MAX_COMPARED, { ...search, signal: input.signal })
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

async function hitsOf(search: Search, notes: readonly RecallNote[]): Promise<RecallHit[]> {
  const sought = soughtIn(queryOf(search.entities.flatMap(({ names }) => names).join(' ')))
  const hits = await plainHits(search, notes, { layers: search.layers, sought })
  return hits.map((hit) => ({ ...hit, score: 1, weak: false }))
}
