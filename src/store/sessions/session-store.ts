/**
 * Port to captured conversations (canonical). Rows only; words are searched in the index. Drivers:
 * `sqlite-session-store` (sessions.db) and `memory-session-store`.
 */
import type { Message, Session } from '../../domain/index.ts'

export interface NewMessage extends Message {
  /** Whether the id was given by the agent (true) or computed by us. */
  readonly idGiven: boolean
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
  /** Newest start first, then newest stored. `projects`: only these (null = outside any project); undefined = all. */
  sessions(options: { projects?: readonly (string | null)[]; limit: number; offset: number }): {
    sessions: Session[]
    total: number
  }
  /** In order of ordinals; `total` is 0 for an unknown session. */
  messages(session: string, options: { limit: number; offset: number }): { messages: Message[]; total: number }
  message(session: string, ordinal: number): Message | null
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

/** What `sessions` and `messages` return at most, whatever limit is asked for. */
export const MAX_ROWS = 1_000
