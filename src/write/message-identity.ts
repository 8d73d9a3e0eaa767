/**
 * Identity of a message (spec S9): the agent's own id, else session, role, time, words and position. The position is
 * counted from the start of the file, so that the same message has the same id however often and from where it is read.
 */
import type { TranscriptMessage } from '../domain/index.ts'
import { isOwnQuestion, redact, stripCitations, stripOwnBlocks } from '../guard/index.ts'
import type { NewMessage } from '../store/sessions/session-store.ts'
import { sha256, wellFormed } from '../util/index.ts'

/** A message as it is kept, beside what extraction needs of it. */
export interface MaskedMessage extends NewMessage {
  readonly nativeId: string | null
  /** ISO 8601 as the agent wrote it: its offset is the anchor of relative dates. Null when it is no time. */
  readonly writtenTime: string | null
}

export function hasNativeId(message: TranscriptMessage): message is TranscriptMessage & { readonly nativeId: string } {
  return message.nativeId !== null && message.nativeId !== ''
}

/**
 * True for a message of the user that holds nothing but what Keepsake itself had put in, and for a question of ours to a
 * model (a client that is asked may keep it as a session): they are nobody's words.
 */
export function isOnlyOwnBlock({ role, content }: TranscriptMessage): boolean {
  if (role !== 'user' || content.trim() === '') return false
  return isOwnQuestion(content) || stripOwnBlocks(content).trim() === ''
}

/** Masked before anything else sees it; what we had put beside the user's words is not theirs and is left out. */
export function maskMessage(
  message: TranscriptMessage,
  place: { readonly agent: string; readonly session: string; readonly position: number },
): MaskedMessage {
  const words = message.role === 'user' ? stripOwnBlocks(message.content) : message.content
  const content = redact(wellFormed(words)).text
  const hash = sha256(content)
  const ms = message.time === null ? Number.NaN : Date.parse(message.time)
  const time = Number.isNaN(ms) ? null : new Date(ms).toISOString()
  const parts = [place.session, message.role, time ?? '', hash, String(place.position)]
  return {
    id: `${place.agent}:${hasNativeId(message) ? message.nativeId : sha256(parts.join('\n'))}`,
    idGiven: hasNativeId(message),
    role: message.role,
    content,
    toolName: message.toolName === null ? null : redact(wellFormed(message.toolName)).text,
    time,
    hash,
    nativeId: hasNativeId(message) ? message.nativeId : null,
    writtenTime: time === null ? null : message.time,
  }
}

/** What the extractor reads of a message: its words, without our own blocks and without the block that cites notes. */
export function spokenWords({ role, content }: Pick<TranscriptMessage, 'role' | 'content'>): string {
  const words = stripOwnBlocks(content)
  return role === 'assistant' ? stripCitations(words) : words
}

/** The agent's own id of a stored message: only such ids go into evidence. Null for one that we computed, a hash. */
export function nativeIdOf(id: string, agent: string): string | null {
  const native = id.startsWith(`${agent}:`) ? id.slice(agent.length + 1) : id
  return /^[0-9a-f]{64}$/.test(native) ? null : native
}
