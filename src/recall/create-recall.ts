/** Wires recall: from a question to ranked, floored, explained hits. */
import { join } from 'node:path'
import { ageOf, type Layer, type RecallHit, type RecallInput, type RecallResult, STANDS } from '../domain/index.ts'
import { throwIfCancelled } from '../errors.ts'
import type { IndexedNoteRow, IndexQuery, SearchIndex } from '../store/search-index/search-index.ts'
import { askedTime } from './asked-time.ts'
import { judgeAsked } from './floor.ts'
import { createParsers } from './own-aliases.ts'
import type { QueryParser } from './parse-query.ts'
import type { Recall, RecallDependencies } from './recall.ts'
import { findMessages, projectOf } from './recall-messages.ts'
import { type FoundNote, findNotes } from './recall-notes.ts'
import { searchSessionPassages } from './session-passages.ts'
import { cutSnippet } from './snippet.ts'
import { findStandings } from './standing-notes.ts'
import { findTurnHits } from './turn-hits.ts'
import { withIndex } from './with-index.ts'

const DEFAULT_LIMIT = 10
const MAX_LIMIT = 50
/** Notes that are ranked for one question: twice the most that can be returned. */
const CANDIDATES = 100
/** UTF-16 units of a snippet. */
const SNIPPET_LENGTH = 240
/** How much of the words of a new text another note must hold to be called near. */
const NEAR_COVERAGE = 0.3
const NO_SESSIONS = 'conversations cannot be searched here'

export function createRecall(dependencies: RecallDependencies): Recall {
  const parserFor = createParsers(dependencies.aliases)
  const parserIn = (index: SearchIndex, layers: readonly Layer[]) =>
    parserFor(
      index,
      layers.map(({ key }) => key),
    )
  return {
    recall: (input) => recall(dependencies, parserIn, input),
    nearest(text, scopes, limit) {
      const index = dependencies.index()
      const hits = index.searchNotes(parserFor(index, scopes)(text), scopes, limit, { status: 'active' })
      return hits.filter((hit) => hit.coverage >= NEAR_COVERAGE).map((hit): IndexedNoteRow => hit.reference)
    },
    async turnHits(query) {
      const layers = dependencies.layers()
      const { value } = await withIndex(dependencies, layers, (index) =>
        findTurnHits(index, dependencies, parserIn(index, layers), query),
      )
      return value
    },
    async counting(notes, prompt) {
      const { value } = await withIndex(dependencies, dependencies.layers(), (index) =>
        findStandings(index, dependencies, notes, prompt),
      )
      return notes.filter((note) => value.get(note)?.state === 'stands')
    },
    async searchSessions({ query, limit, signal }) {
      throwIfCancelled(signal)
      const store = dependencies.sessions?.() ?? null
      const layers = dependencies.layers()
      if (!store) return { sessions: [], omitted: 0 }
      const asked = askedTime(query, dependencies.clock.now())
      const work = (index: SearchIndex) => {
        const parsed = parserIn(index, layers)(query)
        if (isEmpty(parsed)) return { sessions: [], omitted: 0 }
        return searchSessionPassages(index, store, { query: parsed, asked, layers, limit: bounded(limit) })
      }
      return (await withIndex(dependencies, layers, work, { store, project: projectOf(layers) })).value
    },
  }
}

type ParserIn = (index: SearchIndex, layers: readonly Layer[]) => QueryParser

async function recall(dependencies: RecallDependencies, parserIn: ParserIn, input: RecallInput): Promise<RecallResult> {
  throwIfCancelled(input.signal)
  const all = dependencies.layers()
  const target = input.in ?? 'notes'
  const store = target === 'notes' ? null : (dependencies.sessions?.() ?? null)
  const conversations = store && { store, project: projectOf(all) }
  const work = async (index: SearchIndex) => {
    const query = parserIn(index, all)(input.query)
    if (isEmpty(query)) return { notes: NOTHING, messages: NOTHING }
    const search = { dependencies, index, query, input }
    const notes = target === 'sessions' ? NOTHING : await noteHits(search, all)
    const messages = target === 'notes' ? NOTHING : messageHits(search, all)
    return { notes, messages }
  }
  const { value, ...how } = await withIndex(dependencies, all, work, conversations)
  const results = mix(value.notes.hits, value.messages.hits)
  const limit = bounded(input.limit)
  return {
    results: results.slice(0, limit),
    omitted: value.notes.omitted + value.messages.omitted + Math.max(0, results.length - limit),
    ...(target === 'notes' || store || dependencies.noSessionsYet?.() ? how : withoutSessions(how)),
  }
}

interface Search {
  readonly dependencies: RecallDependencies
  readonly index: SearchIndex
  readonly query: IndexQuery
  readonly input: RecallInput
}

interface Hits {
  readonly hits: readonly RecallHit[]
  readonly omitted: number
}

const NOTHING: Hits = { hits: [], omitted: 0 }

async function noteHits({ dependencies, index, query, input }: Search, all: readonly Layer[]): Promise<Hits> {
  const { type, tag, signal } = input
  const layers = input.layer === undefined ? all : all.filter((layer) => layer.name === input.layer)
  const accepts = (hit: Parameters<typeof judgeAsked>[1]) => judgeAsked(query, hit) !== 'noise'
  const search = { query, layers, limit: bounded(input.limit), candidates: CANDIDATES, type, tag, accepts, signal }
  const { found, omitted } = await findNotes(index, dependencies, search)
  const standings = await findStandings(
    index,
    dependencies,
    found.map(({ note }) => note),
  )
  const nowMs = dependencies.clock.now()
  const hits = found.map((each) => {
    const standing = standings.get(each.note) ?? STANDS
    return { ...noteHit(each, { query, nowMs, explain: input.explain ?? false }), standing }
  })
  return { hits, omitted }
}

function noteHit(
  { note, layer, parts, ...judged }: FoundNote,
  { query, nowMs, explain }: { query: IndexQuery; nowMs: number; explain: boolean },
): RecallHit {
  return {
    kind: 'note',
    id: note.id,
    name: note.name,
    type: note.type,
    layer: layer.name,
    file: join(layer.directory, note.file),
    description: note.description,
    score: parts.final,
    age: ageOf(note.updated, nowMs),
    verdicts: [],
    snippet: cutSnippet(note.body.trim() === '' ? note.description : note.body, query, SNIPPET_LENGTH),
    weak: judgeAsked(query, judged) !== 'strong',
    session: null,
    role: null,
    ...(explain ? { explain: parts } : {}),
  }
}

function messageHits({ dependencies, index, query, input }: Search, layers: readonly Layer[]): Hits {
  const store = dependencies.sessions?.() ?? null
  // Type and tag are properties of notes; a conversation has neither.
  if (!store || input.type !== undefined || input.tag !== undefined || input.layer === 'global') return NOTHING
  const nowMs = dependencies.clock.now()
  return findMessages(index, store, {
    query,
    asked: askedTime(input.query, nowMs),
    layers,
    limit: bounded(input.limit),
    snippetLength: SNIPPET_LENGTH,
    explain: input.explain ?? false,
    nowMs,
  })
}

/** Scores of notes and of messages come from different texts, so each list is measured by its own best; notes first. */
function mix(notes: readonly RecallHit[], messages: readonly RecallHit[]): RecallHit[] {
  const share = (list: readonly RecallHit[], hit: RecallHit) =>
    hit.score / Math.max(list[0]?.score ?? 0, Number.MIN_VALUE)
  return [
    ...notes.map((hit) => ({ hit, rank: share(notes, hit) })),
    ...messages.map((hit) => ({ hit, rank: share(messages, hit) })),
  ]
    .sort(
      (left, right) =>
        Number(left.hit.weak) - Number(right.hit.weak) ||
        Number(isSilent(left.hit)) - Number(isSilent(right.hit)) ||
        right.rank - left.rank,
    )
    .map(({ hit }) => hit)
}

/** Another note stands before it here: it is found when asked for, behind those that count. */
function isSilent({ standing }: RecallHit): boolean {
  return standing !== undefined && standing.state !== 'stands'
}

/** Messages were asked for and no store of conversations works here: that is not "no match". */
function withoutSessions({ reason }: Pick<RecallResult, 'reason'>): Pick<RecallResult, 'searched' | 'reason'> {
  return { searched: 'scan', reason: reason === null ? NO_SESSIONS : `${NO_SESSIONS} (${reason})` }
}

function isEmpty({ words, grams, phrases, prefixes }: IndexQuery): boolean {
  return words.length + grams.length + phrases.length + prefixes.length === 0
}

function bounded(limit: number | undefined): number {
  const wanted = limit === undefined || Number.isNaN(limit) ? DEFAULT_LIMIT : Math.trunc(limit)
  return Math.max(1, Math.min(MAX_LIMIT, wanted))
}
