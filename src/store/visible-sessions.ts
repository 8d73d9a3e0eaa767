/** Captured conversations as they may be read: one that was set `off` is gone for every reader, before its words are. */
import type { SessionModes } from './session-modes.ts'
import type { SessionStore } from './sessions/session-store.ts'

export type ReadableSessions = Pick<
  SessionStore,
  'session' | 'sessions' | 'message' | 'messagesAt' | 'sessionsOf' | 'messages' | 'messagesFrom' | 'placesOf'
>

/** The same store; what it writes is not narrowed. */
export function visibleSessions(
  store: SessionStore,
  modes: Pick<SessionModes, 'modeOf' | 'offAmong' | 'unsettled'>,
): SessionStore {
  const isOff = (id: string) => modes.modeOf(id) === 'off'
  const readable: ReadableSessions = {
    session: (id) => (isOff(id) ? null : store.session(id)),
    sessionsOf(ids) {
      const off = modes.offAmong(ids)
      return store.sessionsOf(ids).filter(({ id }) => !off.has(id))
    },
    sessions(options) {
      // What was settled is not in the store any more.
      const off = modes.unsettled().map(({ session }) => session)
      return store.sessions({ ...options, without: [...(options.without ?? []), ...off] })
    },
    message: (session, ordinal) => (isOff(session) ? null : store.message(session, ordinal)),
    messagesAt(places) {
      const off = modes.offAmong(places.map(({ session }) => session))
      return store.messagesAt(places.filter(({ session }) => !off.has(session)))
    },
    messages: (session, options) => (isOff(session) ? { messages: [], total: 0 } : store.messages(session, options)),
    messagesFrom: (session, options) => (isOff(session) ? [] : store.messagesFrom(session, options)),
    placesOf: (message) => store.placesOf(message).filter(({ session }) => !isOff(session)),
  }
  return { ...store, ...readable }
}
