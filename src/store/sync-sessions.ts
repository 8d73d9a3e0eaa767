/**
 * Brings the words of captured messages into the index. The index counts what it holds of each session; ordinals are
 * stable, so what lags is the rest from that count on. A session whose index holds more than the store is built anew.
 */
import type { Message, Session } from '../domain/index.ts'
import { type IndexedMessage, type SearchIndex, sessionScope } from './search-index/search-index.ts'
import type { SessionStore } from './sessions/session-store.ts'
import type { KnownSessions } from './sync-known.ts'
import { type SessionSyncOptions, type SessionSyncReport, type SyncDependencies, toFailure } from './sync-report.ts'

const PAGE_SESSIONS = 200
/** Keep one transaction of the index under 50 ms. */
const BATCH_MESSAGES = 30
const BATCH_CHARACTERS = 50_000
const DEFAULT_MAX_MESSAGES = 20_000

type SessionDependencies = Pick<SyncDependencies, 'index'> & { readonly knownSessions: KnownSessions }

export async function syncSessions(
  { index, knownSessions }: SessionDependencies,
  store: SessionStore,
  options: SessionSyncOptions,
): Promise<SessionSyncReport> {
  try {
    const opened = index()
    return await knownSessions(options.projects, [opened, store], () => bringIn(opened, store, options))
  } catch (error) {
    return { messages: 0, sessions: 0, complete: false, failure: toFailure(error) }
  }
}

async function bringIn(
  index: SearchIndex,
  store: SessionStore,
  { signal, projects, maxMessages = DEFAULT_MAX_MESSAGES }: SessionSyncOptions,
): Promise<SessionSyncReport> {
  let [messages, sessions] = [0, 0]
  try {
    for (const { session, stored } of sessionsOf(store, projects)) {
      const before = messages
      for (const batch of lagging(index, store, session, stored)) {
        if (signal?.aborted || messages >= maxMessages) return { messages, sessions, complete: false, failure: null }
        index.putMessages(batch)
        messages += batch.length
        // Many small transactions in a row: let the event loop of a server breathe between them.
        await new Promise((resolve) => setImmediate(resolve))
      }
      if (messages > before) sessions++
    }
    return { messages, sessions, complete: true, failure: null }
  } catch (error) {
    return { messages, sessions, complete: false, failure: toFailure(error) }
  }
}

/** Newest first: what a person asks about is most often recent. */
function* sessionsOf(
  store: SessionStore,
  projects: SessionSyncOptions['projects'],
): Generator<{ session: Session; stored: number }> {
  for (let offset = 0; ; offset += PAGE_SESSIONS) {
    const { sessions } = store.sessions({ projects, limit: PAGE_SESSIONS, offset })
    const counts = store.messageCounts(sessions.map((session) => session.id))
    for (const session of sessions) yield { session, stored: counts.get(session.id) ?? 0 }
    if (sessions.length < PAGE_SESSIONS) return
  }
}

function* lagging(
  index: SearchIndex,
  store: SessionStore,
  session: Session,
  stored: number,
): Generator<IndexedMessage[]> {
  let indexed = index.messageCount(session.id)
  if (indexed > stored) {
    index.removeSession(session.id)
    indexed = 0
  }
  while (indexed < stored) {
    const { messages } = store.messages(session.id, { limit: BATCH_MESSAGES, offset: indexed })
    const batch = withinSize(messages).map((message, position) =>
      toIndexedMessage(session, message, indexed + position),
    )
    if (batch.length === 0) return
    yield batch
    indexed += batch.length
  }
}

/** As many as fit the size of a transaction, at least one. */
function withinSize(messages: readonly Message[]): readonly Message[] {
  let characters = 0
  const end = messages.findIndex((message) => {
    characters += message.content.length
    return characters > BATCH_CHARACTERS
  })
  return end === -1 ? messages : messages.slice(0, Math.max(1, end))
}

/** A stored message as the index keeps it. */
export function toIndexedMessage(
  { id, project }: Pick<Session, 'id' | 'project'>,
  { role, toolName, content }: Message,
  ordinal: number,
): IndexedMessage {
  const speaker = toolName === null ? role : `${role} ${toolName}`
  return { session: id, ordinal, scope: sessionScope(project), speaker, body: content }
}
