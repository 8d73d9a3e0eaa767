/** Session store in memory: for tests, and the measure of what the SQLite driver must do. */
import type { Message, Session } from '../../domain/index.ts'
import { mergeSession, sessionNotFound, timeOf } from './merge-session.ts'
import { MAX_ROWS, type NewMessage, type SessionStore } from './session-store.ts'

interface Held {
  session: Session
  /** Message ids in order. */
  readonly order: string[]
  readonly ids: Set<string>
}

export function createMemorySessionStore(): SessionStore {
  const held = new Map<string, Held>()
  const messages = new Map<string, Message>()
  let writes = 0
  const wordsOf = (ids: readonly string[]): Message[] => ids.flatMap((id) => messages.get(id) ?? [])

  return {
    putSession(session) {
      writes++
      const known = held.get(session.id)
      if (known) known.session = mergeSession(known.session, session)
      else held.set(session.id, { session: { ...session }, order: [], ids: new Set() })
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
    sessions({ projects, limit, offset }) {
      const all = [...held.values()].reverse().map((each) => each.session)
      const wanted = projects === undefined ? all : all.filter((each) => projects.includes(each.project))
      const sorted = wanted.toSorted((a, b) => (timeOf(b.started) ?? -1) - (timeOf(a.started) ?? -1))
      return { sessions: page(sorted, limit, offset), total: sorted.length }
    },
    messages(session, { limit, offset }) {
      const order = held.get(session)?.order ?? []
      return { messages: wordsOf(page(order, limit, offset)), total: order.length }
    },
    message: (session, ordinal) => wordsOf(held.get(session)?.order.slice(ordinal, ordinal + 1) ?? [])[0] ?? null,
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

function toMessage({ id, role, content, toolName, time, hash }: NewMessage): Message {
  return { id, role, content, toolName, time, hash }
}

function page<T>(rows: readonly T[], limit: number, offset: number): T[] {
  const start = Math.max(0, offset)
  return rows.slice(start, start + Math.min(Math.max(0, limit), MAX_ROWS))
}
