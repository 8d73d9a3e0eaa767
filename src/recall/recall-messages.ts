/** Captured conversations for a question: which of them hold its words, and single messages of them for `recall`. */
import {
  ageOf,
  type Layer,
  type Message,
  type MessageRole,
  messageReference,
  type RecallHit,
  type SaidBy,
  type ScoreStep,
  type Session,
  scoreFrom,
} from '../domain/index.ts'
import { compareText } from '../store/search-index/row-order.ts'
import { type IndexQuery, type SearchIndex, sessionScope } from '../store/search-index/search-index.ts'
import type { SessionStore } from '../store/sessions/session-store.ts'
import { cutGraphemes, oneLine } from '../util/index.ts'
import { type Candidate, isGoodEnough, type MessageReference, messagePlace, type SemanticStep } from './candidates.ts'
import { messageSteps } from './explain-score.ts'
import { explainWords } from './explain-words.ts'
import { judgeAsked } from './floor.ts'
import { soughtIn } from './match-places.ts'
import { newestSessions, newestStep } from './newest.ts'
import { type Question, timeFactor } from './question.ts'
import {
  type MessageFacts,
  type RankedMessage,
  type RankedSession,
  rankMessages,
  rankSessions,
} from './rank-messages.ts'
import { cutPassage } from './snippet.ts'

/** Messages that are ranked; more would only be counted. */
const MAX_CANDIDATES = 200
const MAX_TITLE_GRAPHEMES = 80

export interface MessageSearch {
  /** The question as it was asked. */
  readonly text: string
  readonly query: IndexQuery
  readonly question: Question
  readonly layers: readonly Layer[]
  readonly limit: number
  readonly snippetLength: number
  readonly explain: boolean
  readonly nowMs: number
  readonly signal?: AbortSignal
}

export type SessionSearch = Pick<MessageSearch, 'text' | 'query' | 'layers' | 'question' | 'nowMs' | 'signal'>

export interface MessageTools {
  readonly index: SearchIndex
  readonly store: SessionStore
  /** Default: words alone. */
  readonly meaning?: SemanticStep
}

/** The only scope of conversations that the caller may see: those of the project, or those outside any project. */
export function projectOf(layers: readonly Layer[]): string | null {
  return layers.find((layer) => layer.name === 'project')?.key ?? null
}

export interface FoundSession extends RankedSession {
  readonly stored: Session
}

/** Sessions that hold words of the question, without those that are gone or belong to another project. */
export async function findSessions(
  { index, store, meaning }: MessageTools,
  { text, query, layers, question, nowMs, signal }: SessionSearch,
): Promise<FoundSessions> {
  const project = projectOf(layers)
  const scopes = [sessionScope(project)]
  const byWords = index.searchMessages(query, scopes, MAX_CANDIDATES)
  const hits =
    !meaning || isGoodEnough(byWords)
      ? byWords
      : await meaning.messages(byWords, { text, query, scopes, limit: MAX_CANDIDATES, signal })
  const factsOf = factsFrom(store, hits, { question, nowMs })
  // Common words add up over a conversation, so a weak hit counts where any hit is more than noise. What was said at the
  // time that is asked for ("what was Sam doing in June") needs no rare word.
  const isWorth = (hit: (typeof hits)[number]) =>
    judgeAsked(query, hit) !== 'noise' || factsOf(hit.reference).timeFactor > 1
  if (!hits.some(isWorth)) return { sessions: [], hits }
  const ranked = rankSessions(hits, factsOf, namesIn(query))
  const storedOf = new Map(store.sessionsOf(ranked.map(({ session }) => session)).map((each) => [each.id, each]))
  const sessions = ranked.flatMap((each) => {
    const stored = storedOf.get(each.session)
    return stored && stored.project === project ? [{ ...each, stored }] : []
  })
  return { sessions, hits }
}

/** Words in the middle of a sentence that are written like a name. */
function namesIn({ words }: IndexQuery): ReadonlySet<string> {
  return new Set(words.filter(({ emphasis = 1 }) => emphasis > 1).map(({ text }) => text))
}

export interface FoundSessions {
  readonly sessions: readonly FoundSession[]
  /** What matched, whether or not it may be seen. */
  readonly hits: readonly Candidate<MessageReference>[]
}

const UNKNOWN: MessageFacts = { asks: false, timeFactor: 1 }

/** Reads what matched, all at once: the index has neither the time of a message nor its last sign. */
function factsFrom(
  store: SessionStore,
  hits: readonly Candidate<MessageReference>[],
  { question, nowMs }: Pick<MessageSearch, 'question' | 'nowMs'>,
): (place: MessageReference) => MessageFacts {
  const facts = new Map(
    store
      .messagesAt(hits.map(({ reference }) => reference))
      .map(({ session, ordinal, message }) => [
        messagePlace({ session, ordinal }),
        { asks: /[?？]\s*$/.test(message.content), timeFactor: timeFactor(question, message.time, nowMs) },
      ]),
  )
  return (place) => facts.get(messagePlace(place)) ?? UNKNOWN
}

export async function findMessages(
  tools: MessageTools,
  search: MessageSearch,
): Promise<{ hits: RecallHit[]; omitted: number }> {
  const { store } = tools
  const { sessions, hits: candidates } = await findSessions(tools, search)
  const sessionOf = new Map(sessions.map((each) => [each.session, each]))
  const candidateOf = new Map(candidates.map((each) => [messagePlace(each.reference), each]))
  const full = candidates[0]?.full ?? 1
  const ranked = rankMessages(sessions)
  const hits: RecallHit[] = []
  const seen = new Set<string>()
  let looked = 0
  for (const each of ranked) {
    if (hits.length >= search.limit) break
    looked++
    const message = store.message(each.session, each.ordinal)
    const session = sessionOf.get(each.session)
    // A fork shares messages with the conversation that it came from: each is shown once.
    if (!message || !session || seen.has(message.id)) continue
    seen.add(message.id)
    const candidate = candidateOf.get(messagePlace(each)) ?? null
    hits.push(toHit({ ranked: each, message, session, candidate, full }, search))
  }
  return { hits, omitted: ranked.slice(looked).filter((each) => each.own > 0).length }
}

interface FoundMessage {
  readonly ranked: RankedMessage
  readonly message: Message
  readonly session: FoundSessions['sessions'][number]
  /** Its own match; null when it only stands beside one. */
  readonly candidate: Candidate<MessageReference> | null
  readonly full: number
}

const speakers: Readonly<Record<MessageRole, SaidBy>> = { user: 'user', assistant: 'agent', tool: 'tool' }

function toHit(
  { ranked, message, session, candidate, full }: FoundMessage,
  { text, query, snippetLength, explain, nowMs }: MessageSearch,
): RecallHit {
  const snippet = cutPassage(message.content, soughtIn(query, text), snippetLength).text
  const weak = judgeAsked(query, ranked) !== 'strong'
  const steps = messageSteps({ ranked, candidate, full, session: session.score, weak })
  return messageHit(
    { message, session: session.stored, ordinal: ranked.ordinal },
    { steps, weak, snippet, nowMs, ...(explain ? { explain: explainWords(text, candidate?.terms ?? []) } : {}) },
  )
}

/** Messages of the time that the question names, newest first. */
export function newestMessages(store: SessionStore, search: MessageSearch): { hits: RecallHit[]; omitted: number } {
  const { question, layers, limit, snippetLength, explain, nowMs, text } = search
  const newestOf = newestSessions(store, projectOf(layers), { question, limit })
  const found = newestOf.found
    .flatMap(({ session, messages }) => messages.map((each) => ({ ...each, session })))
    .sort((one, other) => compareText(other.message.time ?? '', one.message.time ?? ''))
  const newest = found[0]?.message.time ?? null
  const hits = found.slice(0, limit).map((each) =>
    messageHit(each, {
      steps: [newestStep(each.message.time, newest)],
      weak: false,
      snippet: cutGraphemes(oneLine(each.message.content), snippetLength),
      nowMs,
      ...(explain ? { explain: explainWords(text, []) } : {}),
    }),
  )
  return { hits, omitted: found.length - hits.length + newestOf.omitted }
}

interface Shape {
  readonly steps: readonly ScoreStep[]
  readonly weak: boolean
  readonly snippet: string
  readonly nowMs: number
  readonly explain?: ReturnType<typeof explainWords>
}

function messageHit(
  {
    message,
    session: stored,
    ordinal,
  }: { readonly message: Message; readonly session: Session; readonly ordinal: number },
  { steps, weak, snippet, nowMs, explain }: Shape,
): RecallHit {
  return {
    kind: 'message',
    id: message.id,
    name: titleOf(stored),
    type: null,
    layer: 'session',
    file: null,
    description: `${message.role}${message.toolName ? ` ${message.toolName}` : ''}, message ${ordinal + 1}`,
    score: scoreFrom(steps),
    date: message.time,
    saidBy: speakers[message.role],
    source: { session: stored.id, message: message.id, time: message.time },
    age: ageOf(message.time, nowMs),
    verdicts: [],
    snippet,
    weak,
    session: stored.id,
    role: message.role,
    reference: messageReference(stored.id, ordinal),
    ...(explain ? { explain: { ...explain, steps } } : {}),
  }
}

function titleOf({ title, id }: Session): string {
  return cutGraphemes(oneLine(title ?? id), MAX_TITLE_GRAPHEMES)
}
