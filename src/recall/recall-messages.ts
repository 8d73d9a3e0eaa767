/** Captured conversations for a question: which of them hold its words, and single messages of them for `recall`. */
import { ageOf, type Layer, type Message, type RecallHit, type Session } from '../domain/index.ts'
import { type IndexQuery, type SearchIndex, sessionScope } from '../store/search-index/search-index.ts'
import type { SessionStore } from '../store/sessions/session-store.ts'
import { cutGraphemes, oneLine } from '../util/index.ts'
import { type AskedTime, isAskedTime } from './asked-time.ts'
import { judgeAsked } from './floor.ts'
import { type RankedMessage, type RankedSession, rankMessages, rankSessions } from './rank-messages.ts'
import { cutSnippet } from './snippet.ts'

/** Messages that are ranked; more would only be counted. */
const MAX_CANDIDATES = 200
const MAX_TITLE_GRAPHEMES = 80

export interface MessageSearch {
  readonly query: IndexQuery
  /** The time that the question names. */
  readonly asked: AskedTime | null
  readonly layers: readonly Layer[]
  readonly limit: number
  readonly snippetLength: number
  readonly explain: boolean
  readonly nowMs: number
}

/** The only scope of conversations that the caller may see: those of the project, or those outside any project. */
export function projectOf(layers: readonly Layer[]): string | null {
  return layers.find((layer) => layer.name === 'project')?.key ?? null
}

export interface FoundSession extends RankedSession {
  readonly stored: Session
}

/** Sessions that hold words of the question, without those that are gone or belong to another project. */
export function findSessions(
  index: SearchIndex,
  store: SessionStore,
  { query, layers, asked }: Pick<MessageSearch, 'query' | 'layers' | 'asked'>,
): FoundSession[] {
  const project = projectOf(layers)
  const hits = index.searchMessages(query, [sessionScope(project)], MAX_CANDIDATES)
  const factsOf = factsFrom(store, asked)
  // Common words add up over a conversation, so a weak hit counts where any hit is more than noise. What was said at the
  // time that is asked for ("what was Sam doing in June") needs no rare word.
  const isWorth = (hit: (typeof hits)[number]) =>
    judgeAsked(query, hit) !== 'noise' || (asked !== null && factsOf(hit.reference).isAtAskedTime)
  if (!hits.some(isWorth)) return []
  return rankSessions(hits, query, factsOf).flatMap((ranked) => {
    const stored = store.session(ranked.session)
    return stored && stored.project === project ? [{ ...ranked, stored }] : []
  })
}

/** Reads each message that matched once: the index has neither its time nor its last sign. */
function factsFrom(store: SessionStore, asked: AskedTime | null): Parameters<typeof rankSessions>[2] {
  return ({ session, ordinal }) => {
    const message = store.message(session, ordinal)
    return {
      asks: message !== null && /[?？]\s*$/.test(message.content),
      isAtAskedTime: message !== null && asked !== null && isAskedTime(asked, message.time),
    }
  }
}

export function findMessages(
  index: SearchIndex,
  store: SessionStore,
  search: MessageSearch,
): { hits: RecallHit[]; omitted: number } {
  const sessions = findSessions(index, store, search)
  const storedOf = new Map(sessions.map(({ session, stored }) => [session, stored]))
  const ranked = rankMessages(sessions)
  const hits: RecallHit[] = []
  const seen = new Set<string>()
  let looked = 0
  for (const each of ranked) {
    if (hits.length >= search.limit) break
    looked++
    const message = store.message(each.session, each.ordinal)
    const session = storedOf.get(each.session)
    // A fork shares messages with the conversation that it came from: each is shown once.
    if (!message || !session || seen.has(message.id)) continue
    seen.add(message.id)
    hits.push(toHit(each, { message, session }, search))
  }
  return { hits, omitted: ranked.slice(looked).filter((each) => each.own > 0).length }
}

function toHit(
  ranked: RankedMessage,
  { message, session }: { message: Message; session: Session },
  { query, snippetLength, explain, nowMs }: MessageSearch,
): RecallHit {
  const snippet = cutSnippet(message.content, query, snippetLength)
  const parts = { lexical: ranked.own, phrase: 1, coverage: ranked.coverage, recency: 1, confidence: 1 }
  return {
    kind: 'message',
    id: message.id,
    name: titleOf(session),
    type: null,
    layer: 'session',
    file: null,
    description: `${message.role}${message.toolName ? ` ${message.toolName}` : ''}, message ${ranked.ordinal + 1}`,
    score: ranked.score,
    age: ageOf(message.time, nowMs),
    verdicts: [],
    snippet,
    weak: judgeAsked(query, ranked) !== 'strong',
    session: session.id,
    role: message.role,
    ...(explain ? { explain: { ...parts, final: ranked.score } } : {}),
  }
}

function titleOf({ title, id }: Session): string {
  return cutGraphemes(oneLine(title ?? id), MAX_TITLE_GRAPHEMES)
}
