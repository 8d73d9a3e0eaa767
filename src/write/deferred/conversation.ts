/** The messages of one conversation as the pipeline reads them, numbered as people number them. */
import type { Message } from '../../domain/index.ts'
import type { SessionStore } from '../../store/sessions/session-store.ts'
import { spokenWords } from '../message-identity.ts'

/** Newest messages that are read; beyond, a conversation is longer than any model takes. */
const MAX_MESSAGES = 4_000
const PAGE = 500

export interface NumberedMessage extends Message {
  /** Counted from 1. */
  readonly number: number
}

/** In order, without what Keepsake itself had put in. */
export function messagesOf(sessions: Pick<SessionStore, 'messages' | 'messagesFrom'>, id: string): NumberedMessage[] {
  const { total } = sessions.messages(id, { limit: 1, offset: 0 })
  const found: NumberedMessage[] = []
  for (let ordinal = Math.max(0, total - MAX_MESSAGES); ; ) {
    const page = sessions.messagesFrom(id, { ordinal, direction: 'on', limit: PAGE, tools: true })
    found.push(
      ...page.map(({ ordinal: at, message }) => ({
        ...message,
        number: at + 1,
        content: spokenWords(message),
      })),
    )
    const last = page.at(-1)
    if (!last || page.length < PAGE) return found
    ordinal = last.ordinal + 1
  }
}
