/** Notes for an asked question, as hits: what is found, whether it counts here, whose words it holds, and its score. */
import { join } from 'node:path'
import {
  ageOf,
  type Evidence,
  type Layer,
  type RecallHit,
  type RecallInput,
  type SaidBy,
  STANDS,
  type Standing,
  scoreFrom,
} from '../domain/index.ts'
import { userSpokeLast } from '../store/notes/voice.ts'
import type { IndexQuery, SearchIndex } from '../store/search-index/search-index.ts'
import type { SemanticStep } from './candidates.ts'
import { noteSteps } from './explain-score.ts'
import { explainWords } from './explain-words.ts'
import { type Judged, judgeAsked } from './floor.ts'
import { type Sought, soughtIn } from './match-places.ts'
import type { Entity } from './named-notes.ts'
import type { Wanted } from './note-wanted.ts'
import { type Question, timeFactor } from './question.ts'
import type { RecallDependencies, RecallNote } from './recall.ts'
import { type FoundNote, findNotes } from './recall-notes.ts'
import { cutPassage } from './snippet.ts'
import { findStandings } from './standing-notes.ts'

/** Notes that are ranked for one question: twice the most that can be returned. */
const CANDIDATES = 100
/** UTF-16 units of a snippet. */
export const SNIPPET_LENGTH = 240

/** One asked search. */
export interface AskedSearch {
  readonly dependencies: RecallDependencies
  readonly index: SearchIndex
  /** The question as it was asked. */
  readonly text: string
  readonly query: IndexQuery
  readonly question: Question
  readonly input: RecallInput
  readonly wanted: Wanted
  readonly entities: readonly Entity[]
  /** Nearness in meaning; absent: words alone. */
  readonly meaning?: SemanticStep
  /** Hits of one kind that are wanted. */
  readonly limit: number
}

export interface Hits {
  readonly hits: readonly RecallHit[]
  /** How many more matched. */
  readonly omitted: number
}

export async function findNoteHits(search: AskedSearch, all: readonly Layer[]): Promise<Hits> {
  const { dependencies, index, text, query, question, input, wanted, entities, limit, meaning } = search
  const nowMs = dependencies.clock.now()
  const layers = input.layer === undefined ? all : all.filter((layer) => layer.name === input.layer)
  const accepts = (hit: Judged) => judgeAsked(query, hit) !== 'noise'
  const comesFirst = (hit: Judged) => judgeAsked(query, hit) === 'strong'
  const factor = (updated: string | null) => timeFactor(question, updated, nowMs)
  const narrowed = { wanted, entities, accepts, comesFirst, timeFactor: factor, signal: input.signal }
  const asked = { text, query, layers, limit, candidates: CANDIDATES, ...narrowed }
  const { found, omitted } = await findNotes(index, { ...dependencies, meaning }, asked)
  const notes = found.map(({ note }) => note)
  const standings = await findStandings(index, dependencies, notes)
  const hits = found.map((each) => noteHit(each, standings.get(each.note) ?? STANDS, search))
  return { hits, omitted }
}

function noteHit(found: FoundNote, standing: Standing, { dependencies, text, query, input }: AskedSearch): RecallHit {
  const { note, layer, parts, trust } = found
  const { updated, confidence } = note
  const weak = judgeAsked(query, found) !== 'strong'
  const steps = noteSteps({ parts, candidate: found, updated, confidence, trust, weak, standing })
  return {
    ...hitOf(note, layer, { standing, sought: soughtIn(query, text), nowMs: dependencies.clock.now() }),
    score: scoreFrom(steps),
    weak,
    ...(input.explain ? { explain: { ...explainWords(text, found.terms), steps } } : {}),
  }
}

/** Of notes that no words found: in their order, with their standing. */
export async function plainHits(
  { dependencies, index }: Pick<AskedSearch, 'dependencies' | 'index'>,
  notes: readonly RecallNote[],
  { layers, sought }: { readonly layers: readonly Layer[]; readonly sought: Sought },
): Promise<PlainHit[]> {
  const standings = await findStandings(index, dependencies, notes)
  const nowMs = dependencies.clock.now()
  return notes.flatMap((note) => {
    const layer = layers.find(({ key }) => key === note.layer)
    return layer ? [hitOf(note, layer, { standing: standings.get(note) ?? STANDS, sought, nowMs })] : []
  })
}

type PlainHit = Omit<RecallHit, 'score' | 'weak' | 'explain'>

/** What a hit says of its note, whatever it was found by. */
function hitOf(
  note: RecallNote,
  layer: Layer,
  { standing, sought, nowMs }: { readonly standing: Standing; readonly sought: Sought; readonly nowMs: number },
): PlainHit {
  return {
    kind: 'note',
    id: note.id,
    name: note.name,
    type: note.type,
    layer: layer.name,
    file: join(layer.directory, note.file),
    description: note.description,
    date: note.updated,
    saidBy: saidBy(note),
    source: sourceOf(note.source ?? []),
    age: ageOf(note.updated, nowMs),
    verdicts: [],
    snippet: cutPassage(note.body.trim() === '' ? note.description : note.body, sought, SNIPPET_LENGTH).text,
    standing,
    session: null,
    role: null,
  }
}

/** From its evidence; without any, a rule is the person's own hand. */
function saidBy({ source = [], voice }: RecallNote): SaidBy {
  if (voice === 'quoted') return 'tool'
  if (source.length === 0) return voice === 'rule' ? 'user' : 'unknown'
  return userSpokeLast(source) ? 'user' : 'agent'
}

/** The last time that somebody said it. */
function sourceOf(source: readonly Evidence[]): RecallHit['source'] {
  const last = source.at(-1)
  return last ? { session: last.session, message: last.message, time: last.time } : null
}
