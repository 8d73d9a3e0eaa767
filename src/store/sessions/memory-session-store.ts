/** Session store in memory: for tests, and the measure of what the SQLite driver must do. */
import type { Message, Session } from '../../domain/index.ts'
import { mergeSession, sessionNotFound, timeOf } from './merge-session.ts'
import {
  MAX_PLACES,
  MAX_ROWS,
  type NewMessage,
  type SessionFilter,
  type SessionPlace,
  type SessionStore,
} from './session-store.ts'

interface Held {
  session: Session
  readonly key: number
  /** Message ids in order. */
  readonly order: string[]
  readonly ids: Set<string>
}

export function createMemorySessionStore(): SessionStore {
  const held = new Map<string, Held>()
  const messages = new Map<string, Message>()
  let writes = 0
  let lastKey = 0
  const wordsOf = (ids: readonly string[]): Message[] => ids.flatMap((id) => messages.get(id) ?? [])

  return {
    putSession(session) {
      writes++
      const known = held.get(session.id)
      if (known) known.session = mergeSession(known.session, session)
      else held.set(session.id, { session: { ...session }, key: ++lastKey, order: [], ids: new Set() })
    },
    addMessages(session, added) {
      writes++
      const known = held.get(session)
      if (!known) throw sessionNotFound(session)
      const before = known.order.length
      for (const message of added) {
        if (known.ids.has(message.id)) continue
        if (!messages.has(message.id)) messages.set(message.id, toMessage(message))
        known.ids.add(message.id)
        known.order.push(message.id)
      }
      return known.order.length - before
    },
    knownMessages: (ids) => new Set(ids.filter((id) => messages.has(id))),
    session: (id) => held.get(id)?.session ?? null,
    sessionsOf: (ids) => [...new Set(ids)].flatMap((id) => held.get(id)?.session ?? []),
    sessions({ limit, offset = 0, after, ...filter }) {
      const all = [...held.values()].filter(({ session }) => passes(session, filter))
      const sorted = all.toSorted((one, other) => comparePlaces(placeOf(one), placeOf(other)))
      const behind = after ? sorted.filter((each) => comparePlaces(placeOf(each), after) > 0) : sorted
      const found = page(behind, limit, offset)
      const last = found.at(-1)
      return {
        sessions: found.map(({ session }) => session),
        total: all.length,
        omitted: last ? sorted.length - 1 - sorted.indexOf(last) : 0,
        last: last ? placeOf(last) : null,
      }
    },
    removeSummary(id) {
      writes++
      const known = held.get(id)
      if (known) known.session = { ...known.session, summary: null }
    },
    changeTags(id, change) {
      writes++
      const known = held.get(id)
      if (!known) throw sessionNotFound(id)
      const tags = [...change(known.session.tags)]
      known.session = { ...known.session, tags }
      return tags
    },
    messages(session, { limit, offset }) {
      const order = held.get(session)?.order ?? []
      return { messages: wordsOf(page(order, limit, offset)), total: order.length }
    },
    message: (session, ordinal) => wordsOf(held.get(session)?.order.slice(ordinal, ordinal + 1) ?? [])[0] ?? null,
    messagesAt: (places) =>
      places.flatMap(({ session, ordinal }) =>
        wordsOf(held.get(session)?.order.slice(ordinal, ordinal + 1) ?? []).map((message) => ({
          session,
          ordinal,
          message,
        })),
      ),
    messagesFrom(session, { ordinal, direction, limit, tools }) {
      const placed = (held.get(session)?.order ?? []).flatMap((id, at) =>
        wordsOf([id]).map((message) => ({ ordinal: at, message })),
      )
      const shown = placed.filter(({ message }) => tools || message.role !== 'tool')
      if (direction === 'on')
        return page(
          shown.filter((each) => each.ordinal >= ordinal),
          limit,
          0,
        )
      const before = shown.filter((each) => each.ordinal < ordinal)
      return page(before.toReversed(), limit, 0).toReversed()
    },
    placesOf(message) {
      const places = [...held.values()].flatMap(({ session, key, order }) => {
        const ordinal = order.indexOf(message)
        return ordinal === -1 ? [] : [{ session: session.id, ordinal, key }]
      })
      const newest = places.toSorted((one, other) => other.key - one.key).slice(0, MAX_PLACES)
      return newest.map(({ session, ordinal }) => ({ session, ordinal }))
    },
    messageCounts: (ids) =>
      new Map(ids.flatMap((id) => (held.has(id) ? [[id, held.get(id)?.order.length ?? 0] as const] : []))),
    counts: () => ({ sessions: held.size, messages: messages.size }),
    generation: () => String(writes),
    removeSession(id) {
      writes++
      const gone = held.get(id)
      held.delete(id)
      const shared = new Set([...held.values()].flatMap((each) => each.order))
      for (const message of gone?.order ?? []) if (!shared.has(message)) messages.delete(message)
    },
    close: () => undefined,
  }
}

function placeOf({ session, key }: Held): SessionPlace {
  return { startedMs: timeOf(session.started) ?? -1, key }
}

/** Order of lists: newest first. */
function comparePlaces(one: SessionPlace, other: SessionPlace): number {
  return other.startedMs - one.startedMs || other.key - one.key
}

function passes(session: Session, { projects, without, agent, branch, tag, sinceMs, untilMs }: SessionFilter): boolean {
  const started = timeOf(session.started)
  return (
    (projects?.includes(session.project) ?? true) &&
    !without?.includes(session.id) &&
    (agent === undefined || session.agent === agent) &&
    (branch === undefined || session.branch === branch) &&
    (tag === undefined || session.tags.includes(tag)) &&
    (sinceMs === undefined || (started !== null && started >= sinceMs)) &&
    (untilMs === undefined || (started !== null && started < untilMs))
  )
}

function toMessage({ id, role, content, toolName, time, hash }: NewMessage): Message {
  return { id, role, content, toolName, time, hash }
}

function page<T>(rows: readonly T[], limit: number, offset: number): T[] {
  const start = Math.max(0, offset)
  return rows.slice(start, start + Math.min(Math.max(0, limit), MAX_ROWS))
}
