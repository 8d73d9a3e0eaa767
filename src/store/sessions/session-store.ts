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
  /** Creates the session or fills its empty fields; given values win over null, `title`, `ended`, `branch` are updated. */
  putSession(session: Session): void
  /**
   * Appends messages that this session does not have yet, in order. A message known from another session (fork, resume)
   * is stored once and joined. Returns how many were new to the session.
   */
  addMessages(session: string, messages: readonly NewMessage[]): number
  /** Which of these message ids are stored already, by any session. */
  knownMessages(ids: readonly string[]): Set<string>
  session(id: string): Session | null
  /** Newest first. `projects`: only these (null = outside any project); undefined = all. */
  sessions(options: { projects?: readonly (string | null)[]; limit: number; offset: number }): {
    sessions: Session[]
    total: number
  }
  messages(session: string, options: { limit: number; offset: number }): { messages: Message[]; total: number }
  message(session: string, ordinal: number): Message | null
  counts(): { sessions: number; messages: number }
  removeSession(id: string): void
  close(): void
}
