/**
 * What a question about a time alone is answered with (spec R5): "where did we leave off", 昨天做了什么. No word of it can
 * be searched for, so the newest of that time come first: 1 for the newest, half for each seven days before it.
 */
import type { Layer, Message, ScoreStep, Session } from '../domain/index.ts'
import { compareNotes } from '../store/search-index/row-order.ts'
import type { IndexedNoteRow, SearchIndex } from '../store/search-index/search-index.ts'
import type { SessionStore } from '../store/sessions/session-store.ts'
import { isAskedDay, isAskedTime } from './asked-time.ts'
import { continuingFactor } from './asks-to-continue.ts'
import type { Question } from './question.ts'

/** Conversations that are looked at, newest first, and messages of each, last first. */
const MAX_SESSIONS = 1_000
const MAX_MESSAGES = 200
const PAGE = 100

export interface Placed {
  readonly ordinal: number
  readonly message: Message
}

export interface NewestSession {
  readonly session: Session
  /** What user and agent said, last first. */
  readonly messages: readonly Placed[]
}

/** Of this time, newest first; undated ones are of no time. */
export function newestNotes(index: SearchIndex, layers: readonly Layer[], question: Question): IndexedNoteRow[] {
  return layers
    .flatMap(({ key }) => index.notesOf(key))
    .filter(({ withheld, updated }) => withheld === null && isOf(question, updated))
    .sort(compareNotes)
}

/** Conversations of one project in which something was said at this time, newest first. */
export function newestSessions(
  store: SessionStore,
  project: string | null,
  { question, limit }: { readonly question: Question; readonly limit: number },
): { readonly found: readonly NewestSession[]; readonly omitted: number } {
  const found: NewestSession[] = []
  let omitted = 0
  for (const session of sessionsOf(store, project)) {
    if (!mayHold(session, question)) continue
    if (found.length >= limit) {
      omitted++
      continue
    }
    const messages = lastMessages(store, session.id).filter(({ message }) => isOf(question, message.time))
    if (messages.length > 0) found.push({ session, messages })
  }
  return { found, omitted }
}

function* sessionsOf(store: SessionStore, project: string | null): Generator<Session> {
  for (let offset = 0; offset < MAX_SESSIONS; offset += PAGE) {
    const { sessions } = store.sessions({ projects: [project], limit: PAGE, offset })
    yield* sessions
    if (sessions.length < PAGE) return
  }
}

/** Without reading its messages: whether any of them can be of this time. */
function mayHold({ started, ended }: Session, { asked }: Question): boolean {
  if (asked === null || started === null || ended === null) return true
  const [startMs, endMs] = [Date.parse(started), Date.parse(ended)]
  const overlaps = asked.ranges.some(({ fromMs, toMs }) => startMs < toMs && endMs >= fromMs)
  return overlaps || isAskedTime(asked, started) || isAskedTime(asked, ended)
}

function lastMessages(store: SessionStore, session: string): Placed[] {
  const { total } = store.messages(session, { limit: 1, offset: 0 })
  const last = { ordinal: total, direction: 'back', limit: MAX_MESSAGES, tools: false } as const
  return total === 0 ? [] : store.messagesFrom(session, last).reverse()
}

function isOf({ asked }: Question, time: string | null): boolean {
  return asked === null ? time !== null : isAskedDay(asked, time)
}

/** The score of one of them; `newest`: the time of the first. */
export function newestStep(time: string | null, newest: string | null): ScoreStep {
  const nowMs = newest === null ? 0 : Date.parse(newest)
  const because = 'you ask for a time alone: the newest of it has 1, half for each seven days before'
  return { part: 'time', by: 'plus', value: continuingFactor(time, nowMs), because }
}
