/** Captured conversations of this place: this project's, and those that belong to no project when there is none here. */
import type { Session, Sessions } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import type { Recall } from '../recall/index.ts'
import type { SessionStore } from '../store/sessions/session-store.ts'
import { boundedLimit, offsetOf } from './notes.ts'
import { shownPassages, shownSession } from './shown.ts'

export interface SessionsDependencies {
  readonly store: () => SessionStore | null
  /** Why there is none. */
  readonly unavailable: () => string | null
  readonly projectKey: () => string | null
  readonly recall: Pick<Recall, 'searchSessions'>
  /** Brings the words of new messages into the index; never throws. */
  readonly prepare: () => Promise<void>
  readonly setMode: Sessions['setMode']
}

export function createSessions(dependencies: SessionsDependencies): Sessions {
  const { store, projectKey, recall, prepare } = dependencies
  const open = (): SessionStore | null => {
    const found = store()
    const reason = found ? null : dependencies.unavailable()
    if (reason === null) return found
    throw new MemoryError('SQLITE_UNAVAILABLE', 'Conversations are not available here', {
      hint: reason,
      data: { tried: [reason] },
    })
  }
  return {
    setMode: dependencies.setMode,
    async search(input) {
      if (open() === null) return { sessions: [], omitted: 0 }
      await prepare()
      const { sessions, omitted } = await recall.searchSessions(input)
      return { sessions: sessions.map(shownPassages), omitted }
    },
    async show({ id, limit, cursor }) {
      const [offset, wanted] = [offsetOf(cursor), boundedLimit(limit)]
      const found = open()
      const session = found ? visible(found.session(id), projectKey()) : null
      if (!found || !session)
        throw new MemoryError('SESSION_NOT_FOUND', `No captured session is called ${JSON.stringify(id)}`, {
          hint: "See 'keepsake sessions list'.",
          data: { reference: id },
        })
      const { messages, total } = found.messages(id, { limit: wanted, offset })
      const end = offset + messages.length
      return {
        session: shownSession(session),
        messages,
        nextCursor: messages.length > 0 && end < total ? `o${end}` : null,
        total,
      }
    },
    async list({ limit, cursor } = {}) {
      const offset = offsetOf(cursor)
      const found = open()
      if (!found) return { sessions: [], nextCursor: null, total: 0 }
      const { sessions, total } = found.sessions({ projects: [projectKey()], limit: boundedLimit(limit), offset })
      const end = offset + sessions.length
      return {
        sessions: sessions.map(shownSession),
        nextCursor: sessions.length > 0 && end < total ? `o${end}` : null,
        total,
      }
    },
  }
}

/** A session of another project is not shown here (spec R9). */
function visible(session: Session | null, projectKey: string | null): Session | null {
  return session && session.project === projectKey ? session : null
}
