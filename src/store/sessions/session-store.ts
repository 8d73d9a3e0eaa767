/**
 * Port to captured conversations (canonical). Rows only; words are searched in the index. Drivers:
 * `sqlite-session-store` (sessions.db) and `memory-session-store`.
 */
import type { Message, Session } from '../../domain/index.ts'

export interface NewMessage extends Message {
  /** Whether the id was given by the agent (true) or computed by us. */
  readonly idGiven: boolean
}

/** Narrows a list of sessions; what is not given narrows nothing. */
export interface SessionFilter {
  /** Only these (null = outside any project). */
  readonly projects?: readonly (string | null)[]
  /** Ids that are not listed. */
  readonly without?: readonly string[]
  readonly agent?: string
  readonly branch?: string
  readonly tag?: string
  /** Milliseconds: started at this time or later, and before this time. One without a start is not listed then. */
  readonly sinceMs?: number
  readonly untilMs?: number
}

/** A place in the order of lists. It holds whatever is stored or removed beside it. */
export interface SessionPlace {
  /** -1 for a session without a start. */
  readonly startedMs: number
  /** Grows with every session stored. */
  readonly key: number
}

export interface MessagePlace {
  readonly session: string
  readonly ordinal: number
}

export interface OrderedMessage {
  readonly ordinal: number
  readonly message: Message
}

export interface SessionStore {
  /**
   * Creates the session or fills its empty fields. `title` and `branch` take the newest given value, `ended` the later
   * one; nothing given (null, no tags) never replaces something.
   */
  putSession(session: Session): void
  /**
   * Appends messages that this session does not have yet, in order. A message known from another session (fork, resume)
   * is stored once and joined; the first words stored under an id stay. Ordinals never change. Long lists are written in
   * several transactions; repeating the call after a failure goes on where it stopped. Returns how many were new to the
   * session. SESSION_NOT_FOUND when `putSession` was not called before.
   */
  addMessages(session: string, messages: readonly NewMessage[]): number
  /** Which of these message ids are stored already, by any session. */
  knownMessages(ids: readonly string[]): Set<string>
  session(id: string): Session | null
  /** Those of these ids that are stored, in no order. */
  sessionsOf(ids: readonly string[]): Session[]
  /** Newest start first, then newest stored; `after`: behind this place. */
  sessions(
    options: SessionFilter & { readonly limit: number; readonly offset?: number; readonly after?: SessionPlace },
  ): {
    sessions: Session[]
    /** All that pass the filter. */
    total: number
    /** Those of them behind the last one given. */
    omitted: number
    /** Place of the last one given. */
    last: SessionPlace | null
  }
  /** Takes the summary away: a note that rested on this conversation was forgotten, and its words may stand there. */
  removeSummary(id: string): void
  /** Replaces the tags by what `change` makes of them, in one transaction; what it throws changes nothing. SESSION_NOT_FOUND. */
  changeTags(id: string, change: (tags: readonly string[]) => readonly string[]): readonly string[]
  /** In order of ordinals; `total` is 0 for an unknown session. */
  messages(session: string, options: { limit: number; offset: number }): { messages: Message[]; total: number }
  message(session: string, ordinal: number): Message | null
  /** Those of these places that hold a message, in no order; reading many at once costs a tenth of one by one. */
  messagesAt(places: readonly MessagePlace[]): (OrderedMessage & MessagePlace)[]
  /** The next messages from `ordinal` on, or the nearest before it; in order, without those of tools unless asked for. */
  messagesFrom(
    session: string,
    options: {
      readonly ordinal: number
      readonly direction: 'on' | 'back'
      readonly limit: number
      readonly tools: boolean
    },
  ): OrderedMessage[]
  /** Where a message stands, by its id: a fork shares it. Newest session first, at most 50. */
  placesOf(message: string): { session: string; ordinal: number }[]
  /** Number of messages of each of these sessions; unknown ones are left out. */
  messageCounts(sessions: readonly string[]): Map<string, number>
  /** `messages` counts each once, however many sessions share it. */
  counts(): { sessions: number; messages: number }
  /** Another text whenever anything may have been written since, by whomever. */
  generation(): string
  /** Removes the session and every message that no other session shares. */
  removeSession(id: string): void
  close(): void
}

/** What `placesOf` returns at most. */
export const MAX_PLACES = 50
/** What `sessions` and `messages` return at most, whatever limit is asked for. */
export const MAX_ROWS = 1_000
