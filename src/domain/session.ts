/** Conversations, word for word (spec S9). */

export type MessageRole = 'user' | 'assistant' | 'tool'

export interface Session {
  /** `<agent>:<native id>` */
  readonly id: string
  readonly agent: string
  /** Layer key of the project (`projects/<folder>`), or null outside any project. */
  readonly project: string | null
  readonly title: string | null
  readonly tags: readonly string[]
  readonly branch: string | null
  readonly cwd: string | null
  /** UTC ISO 8601. */
  readonly started: string | null
  readonly ended: string | null
  readonly summary: string | null
  /** Session id of the conversation this one was forked from. */
  readonly parent: string | null
}

export interface Message {
  /** Identity: `<agent>:<the agent's message id>`, else a hash of session, role, time, content and ordinal. */
  readonly id: string
  readonly role: MessageRole
  /** Masked text. */
  readonly content: string
  readonly toolName: string | null
  /** UTC ISO 8601, null when the agent gave none. */
  readonly time: string | null
  /** SHA-256 (hex) of the masked content. */
  readonly hash: string
}

/** `<agent>:<native id>` to its parts; of anything else the second one is empty. */
export function sessionParts(session: string): { readonly agent: string; readonly native: string } {
  const at = session.indexOf(':')
  return at < 0 ? { agent: session, native: '' } : { agent: session.slice(0, at), native: session.slice(at + 1) }
}

/** A reference that opens one message again: people count from 1. */
export function messageReference(session: string, ordinal: number): string {
  return `${session}#${ordinal + 1}`
}

/** The two parts of a reference; a session id alone has no ordinal. */
export function readReference(text: string): { readonly session: string; readonly ordinal: number | null } {
  const [, session, number] = /^(.+)#([1-9]\d{0,8})$/.exec(text) ?? []
  if (session === undefined) return { session: text, ordinal: null }
  return { session, ordinal: Number(number) - 1 }
}
