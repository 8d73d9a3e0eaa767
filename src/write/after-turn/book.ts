/**
 * What capture and the worker tell the reading by a model (spec W12): a conversation begins, a turn is not to be read,
 * look whether a model is to be asked. Decisions are made from what is stored, not from what a capture happened to see, so
 * a kill between any two steps is made good by the next look.
 */
import type { Clock, IdSource, Message } from '../../domain/index.ts'
import type { JobQueue } from '../../store/state/job-queue.ts'
import { decide, type SessionEvent } from './decide.ts'
import { beginReading, markSeen, moveTo, passOver, type ReadingStores, unreadOf } from './unread.ts'

/** What extraction after a turn is called in the queue. */
export const EXTRACTION = 'extraction'

/** Conversations that are looked at in one go: those that changed last. */
const MAX_LOOKED = 1_000
/** Unread messages that are looked at to decide; when so many wait, many wait. */
const MAX_UNREAD = 200

export interface BookDependencies extends ReadingStores {
  readonly queue: JobQueue
  readonly clock: Clock
  readonly ids: IdSource
}

export interface ReadingBook {
  /** Before anything of the session is stored. */
  begin(session: string): void
  /** After these messages were stored. */
  passOver(session: string, messages: readonly Pick<Message, 'id'>[]): void
  /**
   * Puts a job into the queue for each conversation about which a model is to be asked now. `events`: what happened to
   * single ones; `otherwise`: what holds for the others. Returns sentences about what could not be put.
   */
  look(events: ReadonlyMap<string, SessionEvent>, otherwise?: SessionEvent): readonly string[]
  /** What is stored of it now is read by no model. */
  giveUp(session: string): void
}

export function createReadingBook(dependencies: BookDependencies): ReadingBook {
  const { cursors, sessions, clock } = dependencies
  return {
    begin: (session) => beginReading(dependencies, session, clock.now()),
    passOver: (session, messages) => passOver(dependencies, session, { messages, now: clock.now() }),
    giveUp(session) {
      const upTo = sessions.messages(session, { limit: 0, offset: 0 }).total - 1
      moveTo(dependencies, session, { upTo, now: clock.now(), isRead: false })
    },
    look(events, otherwise) {
      const newest = cursors.newest(MAX_LOOKED)
      const counts = sessions.messageCounts(newest.map(({ session }) => session))
      const behind = newest.filter(({ session, ordinal }) => (counts.get(session) ?? 0) - 1 > ordinal)
      const eventOf = (session: string) => events.get(session) ?? otherwise ?? null
      const refused = behind.filter(({ session }) => !lookAt(dependencies, session, eventOf(session)))
      return refused.length === 0
        ? []
        : [`The queue is full: ${refused.length} conversations wait for their turn. See 'keepsake queue'.`]
    },
  }
}

/** False when a job was to be put and there was no room. */
function lookAt(dependencies: BookDependencies, session: string, event: SessionEvent | null): boolean {
  const { cursors, sessions, queue, clock, ids } = dependencies
  const now = clock.now()
  const cursor = cursors.get(session)
  const { messages, upTo } = unreadOf(dependencies, session, MAX_UNREAD)
  const waiting = queue.find(EXTRACTION, session)
  if (!cursor) return true
  const lastAt = timeOf(sessions.session(session)?.ended) ?? cursor.touchedAt
  const unread = messages.map(({ message }) => message)
  const decision = decide({ unread, event, now, lastAt, readAt: cursor.readAt })
  if (!decision.ask) {
    if (decision.isRead) moveTo(dependencies, session, { upTo, now, isRead: false })
    else markSeen(dependencies, session, upTo, now)
    return true
  }
  // Nothing new was said: what waits already is only brought forward, never put off again.
  if (upTo <= cursor.seen && waiting && (waiting.state !== 'waiting' || waiting.dueAt <= decision.dueAt)) return true
  const { signals, dueAt } = decision
  const isPut = queue.put({ id: ids.next(), kind: EXTRACTION, key: session, signals, dueAt, now })
  if (isPut) markSeen(dependencies, session, upTo, now)
  return isPut
}

function timeOf(iso: string | null | undefined): number | null {
  const ms = iso ? Date.parse(iso) : Number.NaN
  return Number.isNaN(ms) ? null : ms
}
