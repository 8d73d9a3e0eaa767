/** Wires recall: from a question to ranked, floored, explained hits. */
import {
  type Layer,
  NEAR_COVERAGE,
  type RecallHit,
  type RecallInput,
  type RecallResult,
  type RerankReport,
} from '../domain/index.ts'
import { throwIfCancelled } from '../errors.ts'
import type { SearchIndex } from '../store/search-index/search-index.ts'
import type { SessionStore } from '../store/sessions/session-store.ts'
import { RERANK_CANDIDATES, type SemanticStep } from './candidates.ts'
import { entitiesOf } from './named-notes.ts'
import { newestNoteHits } from './newest-notes.ts'
import { type AskedSearch, findNoteHits, type Hits, SNIPPET_LENGTH } from './note-hits.ts'
import { wantedFrom } from './note-wanted.ts'
import { createParsers } from './own-aliases.ts'
import { isEmptyQuery, type QueryParser } from './parse-query.ts'
import { type Question, queryForNotes, readQuestion, subjectOf } from './question.ts'
import type { Recall, RecallDependencies } from './recall.ts'
import { findMessages, newestMessages, projectOf } from './recall-messages.ts'
import { newestSessionPassages, searchSessionPassages } from './session-passages.ts'
import { findStandings } from './standing-notes.ts'
import { findTurnHits } from './turn-hits.ts'
import { chooseTurnHits } from './turn-selection.ts'
import { withIndex } from './with-index.ts'

const DEFAULT_LIMIT = 10
const MAX_LIMIT = 50
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
    nearest(text, scopes, limit, { leastCoverage = NEAR_COVERAGE } = {}) {
      const index = dependencies.index()
      const hits = index.searchNotes(parserFor(index, scopes)(text), scopes, limit, { status: 'active' })
      return hits
        .filter(({ coverage }) => coverage >= leastCoverage)
        .map(({ reference, coverage }) => ({ ...reference, coverage }))
    },
    async turnHits(query) {
      const layers = dependencies.layers()
      const { value } = await withIndex(dependencies, layers, (index) =>
        findTurnHits(index, dependencies, parserIn(index, layers), query),
      )
      return value
    },
    async turnChoice(query) {
      const layers = dependencies.layers()
      const { value, reason } = await withIndex(dependencies, layers, (index) =>
        chooseTurnHits(index, dependencies, { parse: parserIn(index, layers), query }),
      )
      const broken = reason === null ? [] : [`the index could not be used (${reason}); files were scanned`]
      return { ...value, problems: [...value.problems, ...broken] }
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
      if (!store || query.trim() === '') return { sessions: [], omitted: 0, searched: 'ok', reason: null }
      const nowMs = dependencies.clock.now()
      const { meaning, told } = askMeaning(dependencies)
      const work = async (index: SearchIndex) => {
        const parse = parserIn(index, layers)
        const question = readQuestion(query, nowMs)
        const parsed = parse(question.text)
        const search = { text: query, query: parsed, question, nowMs, layers, limit: bounded(limit), signal }
        if (asksForNewest(question, parse)) return newestSessionPassages(store, search)
        // A tag may be signs alone; such a question means nothing else.
        return searchSessionPassages({ index, store, meaning: isEmptyQuery(parsed) ? undefined : meaning }, search)
      }
      const { value, ...how } = await withIndex(dependencies, layers, work, { store, project: projectOf(layers) })
      return { ...value, ...how, reason: how.reason ?? told() }
    },
  }
}

type ParserIn = (index: SearchIndex, layers: readonly Layer[]) => QueryParser

async function recall(dependencies: RecallDependencies, parserIn: ParserIn, input: RecallInput): Promise<RecallResult> {
  throwIfCancelled(input.signal)
  const all = dependencies.layers()
  const wanted = wantedFrom(input, dependencies.clock.now())
  const text = input.query ?? ''
  const target = input.in ?? 'notes'
  const store = target === 'notes' ? null : (dependencies.sessions?.() ?? null)
  const conversations = store && { store, project: projectOf(all) }
  const returned = bounded(input.limit)
  const limit = input.rerank ? Math.max(returned, RERANK_CANDIDATES) : returned
  const { meaning, told } = askMeaning(dependencies)
  const work = async (index: SearchIndex) => {
    const parse = parserIn(index, all)
    const question = readQuestion(text, dependencies.clock.now())
    const query = parse(question.text)
    const isNewest = asksForNewest(question, parse)
    if (isEmptyQuery(query) && !isNewest) return { notes: NOTHING, messages: NOTHING }
    const entities = entitiesOf(index, all, input)
    const search = { dependencies, index, text, query, question, isNewest, input, wanted, entities, limit, meaning }
    const notes =
      target === 'sessions'
        ? NOTHING
        : await (isNewest ? newestNoteHits : findNoteHits)({ ...search, query: queryForNotes(question, parse) }, all)
    const messages = store === null ? NOTHING : await findMessageHits(search, store, all)
    return { notes, messages }
  }
  const { value, ...how } = await withIndex(dependencies, all, work, conversations)
  const heard = { ...how, reason: how.reason ?? told() }
  const { hits, ...more } = await inOrder(dependencies, input, [...value.notes.hits, ...value.messages.hits])
  return {
    results: hits.slice(0, returned),
    omitted: value.notes.omitted + value.messages.omitted + Math.max(0, hits.length - returned),
    ...more,
    ...(target === 'notes' || store || dependencies.noSessionsYet?.() ? heard : withoutSessions(heard)),
  }
}

/** The step for one question, and what it says about itself. */
function askMeaning({ semantic }: RecallDependencies): { meaning?: SemanticStep; told: () => string | null } {
  const reasons = new Set<string>()
  const meaning = semantic?.((reason) => reasons.add(reason))
  return { ...(meaning ? { meaning } : {}), told: () => (reasons.size === 0 ? null : [...reasons].join('; ')) }
}

const NOTHING: Hits = { hits: [], omitted: 0 }

async function findMessageHits(
  asked: AskedSearch & { readonly isNewest: boolean },
  store: SessionStore,
  layers: readonly Layer[],
): Promise<Hits> {
  const { dependencies, entities, limit, input } = asked
  const { layer, explain = false, signal } = input
  // These are properties of notes; a conversation has none of them.
  const { status, type, tag, changedFrom, changedBefore, minTrust } = asked.wanted
  const isNarrowed = status !== 'active' || type !== undefined || tag !== undefined || minTrust > 0
  if (isNarrowed || entities.length > 0 || layer === 'global') return NOTHING
  const isTimed = changedFrom !== undefined || changedBefore !== undefined
  const more = { layers, snippetLength: SNIPPET_LENGTH, explain, nowMs: dependencies.clock.now(), signal }
  const search = { ...asked, ...more, limit: isTimed ? MAX_LIMIT : limit }
  const found = asked.isNewest ? newestMessages(store, search) : await findMessages({ ...asked, store }, search)
  if (!isTimed) return found
  const isThen = ({ date }: RecallHit) =>
    (changedFrom === undefined || (date !== null && date >= changedFrom)) &&
    (changedBefore === undefined || (date !== null && date < changedBefore))
  const hits = found.hits.filter(isThen)
  return { hits: hits.slice(0, limit), omitted: Math.max(0, hits.length - limit) }
}

/** Beside a time there is no word that can be searched for. */
function asksForNewest(question: Question, parse: QueryParser): boolean {
  const subject = subjectOf(question)
  return subject !== null && isEmptyQuery(parse(subject))
}

/** By score, or by a model where that is wanted. Equal ones stay as they came: notes before messages. */
async function inOrder(
  { rerank }: RecallDependencies,
  { query = '', rerank: isWanted = false, signal }: RecallInput,
  found: readonly RecallHit[],
): Promise<{ readonly hits: readonly RecallHit[]; readonly rerank?: RerankReport }> {
  const hits = [...found].sort((one, other) => other.score - one.score)
  if (!isWanted) return { hits }
  const nobody = { model: null, candidates: 0, leftOut: 0, named: 0, reason: 'no model is set up' }
  if (!rerank) return { hits, rerank: nobody }
  // What does not count here stands behind; no model lifts it.
  const counting = hits.filter((hit) => !isSilent(hit))
  const { hits: ordered, report } = await rerank(query, counting, signal)
  return { hits: [...ordered, ...hits.filter(isSilent)], rerank: report }
}

function isSilent({ standing }: RecallHit): boolean {
  return standing !== undefined && standing.state !== 'stands'
}

/** Messages were asked for and no store of conversations works here: that is not "no match". */
function withoutSessions({ reason }: Pick<RecallResult, 'reason'>): Pick<RecallResult, 'searched' | 'reason'> {
  return { searched: 'scan', reason: reason === null ? NO_SESSIONS : `${NO_SESSIONS} (${reason})` }
}

/** Results of one answer. */
export function bounded(limit: number | undefined): number {
  const wanted = limit === undefined || Number.isNaN(limit) ? DEFAULT_LIMIT : Math.trunc(limit)
  return Math.max(1, Math.min(MAX_LIMIT, wanted))
}
