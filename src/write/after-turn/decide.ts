/**
 * Whether a model is worth asking about what it has not read of a conversation (spec W12, lazy): when the user's words hold
 * a signal or a request to keep, when much is unread, or when the conversation stands still, was compacted or ended. Pure.
 */
import type { Message } from '../../domain/index.ts'
import { cleanMessage } from '../extract/clean-message.ts'
import { findSignals, type SignalKind } from '../signals/index.ts'

/** What happened to the conversation beside new words. `asked`: a person wants it read now. */
export type SessionEvent = 'compacted' | 'ended' | 'asked'

export interface LookedAt {
  /** Unread, in order. */
  readonly unread: readonly Message[]
  readonly event: SessionEvent | null
  readonly now: number
  /** When the last message was said (ms). */
  readonly lastAt: number
  /** When a model last read the conversation (ms), or null. */
  readonly readAt: number | null
}

export type Decision =
  | { readonly ask: true; readonly signals: readonly string[]; readonly dueAt: number }
  /** `isRead`: nothing of it could give a note, so it counts as read. */
  | { readonly ask: false; readonly isRead: boolean }

/** Words that follow at once are read together. */
export const DEBOUNCE_MS = 30_000
/** A lively conversation is read every so often; nobody waits for the notes while it goes on. */
export const SPACING_MS = 10 * 60_000
/** After this long without a word a conversation stands still. */
export const IDLE_MS = 30 * 60_000
/** Unread messages of all roles that are enough by themselves. */
export const MANY_UNREAD = 30

/** The user asked for it: it is not put off. */
const asked: ReadonlySet<SignalKind> = new Set<SignalKind>(['keep', 'from-now-on'])
/** A word or two without a signal are an answer, not a memory. */
const MIN_WORDS = 3
const MIN_HAN = 6

export function decide({ unread, event, now, lastAt, readAt }: LookedAt): Decision {
  const words = unread.flatMap(({ role, content }) => (role === 'user' ? cleanMessage(content) : []))
  const signals = new Set(words.flatMap((each) => findSignals(each).map(({ kind }) => kind)))
  const isOver = event !== null || Math.abs(now - lastAt) >= IDLE_MS
  const isMuch = unread.length >= MANY_UNREAD
  if (signals.size === 0 && !words.some(isSubstantial)) return { ask: false, isRead: isOver || isMuch }
  const reasons = [...signals, ...(isMuch ? ['many'] : []), ...(isOver ? [event ?? 'idle'] : [])]
  if (isOver) return { ask: true, signals: reasons, dueAt: now }
  if (reasons.length === 0) return { ask: false, isRead: false }
  const isAsked = [...signals].some((kind) => asked.has(kind))
  const spaced = readAt === null || isAsked || isMuch ? 0 : readAt + SPACING_MS
  return { ask: true, signals: reasons, dueAt: Math.max(now + DEBOUNCE_MS, spaced) }
}

function isSubstantial(words: string): boolean {
  const han = words.match(/\p{Script=Han}/gu)?.length ?? 0
  return han >= MIN_HAN || (words.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) > MIN_WORDS
}
