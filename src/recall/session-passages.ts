/**
 * Conversations for `sessions.search` (spec R8): those that are called what was asked for, then those that hold its
 * words; grouped, with passages cut around the matches, each of which leads back to its message.
 */
import {
  type FoundSession,
  messageReference,
  type Session,
  type SessionFind,
  type SessionPassage,
  type SessionSearchResult,
} from '../domain/index.ts'
import type { SessionStore } from '../store/sessions/session-store.ts'
import { cutGraphemes, oneLine } from '../util/index.ts'
import { findNamed } from './find-named.ts'
import { type Sought, soughtIn } from './match-places.ts'
import { newestSessions, newestStep, type Placed } from './newest.ts'
import { rankMessages } from './rank-messages.ts'
import {
  findSessions,
  type MessageSearch,
  type MessageTools,
  projectOf,
  type FoundSession as RankedFind,
  type SessionSearch,
} from './recall-messages.ts'
import { cutPassage } from './snippet.ts'

const PASSAGES_PER_SESSION = 3
/** Messages of a session that are cut to find those with the whole phrase. */
const CUT_PER_SESSION = 6
/** UTF-16 units of one passage around a match, and of all passages of one answer. */
const PASSAGE_LENGTH = 400
const MAX_PASSAGES_LENGTH = 100_000

interface Candidate {
  readonly session: Session
  readonly foundBy: SessionFind
  readonly score: number
  /** Best first. */
  readonly ordinals: readonly number[]
}

export async function searchSessionPassages(
  tools: MessageTools,
  search: SessionSearch & Pick<MessageSearch, 'limit'>,
): Promise<Pick<SessionSearchResult, 'sessions' | 'omitted'>> {
  const { store } = tools
  const sought = soughtIn(search.query, search.text)
  const candidates = await findCandidates(tools, search)
  let left = MAX_PASSAGES_LENGTH
  const sessions = candidates.slice(0, search.limit).flatMap(({ ordinals, ...found }): FoundSession[] => {
    const cut = passagesOf(store, found.session.id, { ordinals, sought })
    const matches = cut.slice(0, PASSAGES_PER_SESSION).filter(({ snippet }) => {
      left -= snippet.length
      return left >= 0
    })
    return matches.length > 0 || found.foundBy !== 'text' ? [{ ...found, matches }] : []
  })
  return { sessions, omitted: candidates.length - sessions.length }
}

/** Conversations of the time that the question names, newest first, with what was said last in it. */
export function newestSessionPassages(
  store: SessionStore,
  { question, layers, limit }: Pick<MessageSearch, 'question' | 'layers' | 'limit'>,
): Pick<SessionSearchResult, 'sessions' | 'omitted'> {
  const { found, omitted } = newestSessions(store, projectOf(layers), { question, limit })
  const newest = found[0]?.messages[0]?.message.time ?? null
  const sessions = found.map(({ session, messages }): FoundSession => {
    const last = messages.slice(0, PASSAGES_PER_SESSION).reverse()
    const score = newestStep(messages[0]?.message.time ?? null, newest).value
    return { session, foundBy: 'time', score, matches: last.map((each) => passageOf(session.id, each)) }
  })
  return { sessions, omitted }
}

function passageOf(session: string, { ordinal, message }: Placed): SessionPassage {
  const place = { ordinal, reference: messageReference(session, ordinal), message: message.id, time: message.time }
  return {
    ...place,
    role: message.role,
    snippet: cutGraphemes(oneLine(message.content), PASSAGE_LENGTH),
    match: 'none',
  }
}

async function findCandidates(tools: MessageTools, search: SessionSearch): Promise<Candidate[]> {
  const { sessions: ranked } = await findSessions(tools, search)
  const ordinals = new Map<string, number[]>()
  for (const { session, ordinal } of rankMessages(ranked)) {
    const known = ordinals.get(session) ?? []
    ordinals.set(session, known)
    if (known.length < CUT_PER_SESSION) known.push(ordinal)
  }
  const scores = new Map(ranked.map(({ session, score }) => [session, score]))
  const named = findNamed(tools.store, projectOf(search.layers), search.text)
  const isNamed = new Set(named.map(({ session }) => session.id))
  const rest = ranked.filter(({ stored }) => !isNamed.has(stored.id)).map(byText)
  return [
    ...named,
    ...rest.filter(({ foundBy }) => foundBy === 'text'),
    ...rest.filter(({ foundBy }) => foundBy === 'meaning'),
  ].map(({ session, foundBy }) => ({
    session,
    foundBy,
    score: scores.get(session.id) ?? 0,
    ordinals: ordinals.get(session.id) ?? [],
  }))
}

/** Of a conversation that is only near in meaning no message holds a word of the question. */
function byText({ stored, hits }: RankedFind): Pick<Candidate, 'session' | 'foundBy'> {
  return { session: stored, foundBy: hits.some(({ matched }) => matched > 0) ? 'text' : 'meaning' }
}

/** The whole phrase first, else as they are ranked. Where no words matched: how the conversation begins. */
function passagesOf(
  store: SessionStore,
  session: string,
  { ordinals, sought }: Pick<Candidate, 'ordinals'> & { readonly sought: Sought },
): SessionPassage[] {
  const placed = ordinals.flatMap((ordinal) => {
    const message = store.message(session, ordinal)
    return message ? [{ ordinal, message }] : []
  })
  const start = { ordinal: 0, direction: 'on', limit: 1, tools: false } as const
  const shown = placed.length > 0 ? placed : store.messagesFrom(session, start)
  const passages = shown.map(({ ordinal, message }) => {
    const { text, kind } = cutPassage(message.content, sought, PASSAGE_LENGTH)
    const place = { ordinal, reference: messageReference(session, ordinal), message: message.id, time: message.time }
    return { ...place, role: message.role, snippet: text, match: kind }
  })
  const worth = passages.filter(({ role, match }) => role !== 'tool' || match !== 'none')
  const isPhrase = (passage: SessionPassage) => passage.match === 'phrase'
  return [...worth.filter(isPhrase), ...worth.filter((each) => !isPhrase(each))]
}
