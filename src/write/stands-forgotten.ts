/** Whether a draft brings back what was forgotten (spec G1): only new evidence of the user may do that. */
import type { Message, TranscriptMessage } from '../domain/index.ts'
import type { Tombstones } from '../store/tombstones.ts'
import type { Draft } from './draft.ts'
import { maskMessage } from './message-identity.ts'

/**
 * An agent or an import that repeats forgotten words brings no new evidence, whatever it calls its source. The user
 * does, by saying it again in a later message, even in the same words.
 */
export function standsForgotten(tombstones: Tombstones, draft: Draft): boolean {
  const textKey = tombstones.textKey(draft.text)
  const hashes = draft.evidence.flatMap((evidence) => evidence.hash ?? [])
  const evidenceKeys = hashes.map((hash) => tombstones.evidenceKey(hash))
  if (draft.author !== 'extractor')
    return tombstones.has({ textKey, evidenceKeys: [] }) || tombstones.has({ textKey, evidenceKeys })
  if (!tombstones.has({ textKey, evidenceKeys }) && !tombstones.has({ textKey, evidenceKeys: [] })) return false
  const said = latestUserTime(draft)
  if (said === null) return true
  const keys = new Set(evidenceKeys)
  return tombstones
    .since(said)
    .some((each) => each.textKey === textKey || each.evidenceKeys.some((key) => keys.has(key)))
}

/** Whether this very message proved what was forgotten after it was said. Said again later, in the same words, it is another. */
export function isForgottenMessage(tombstones: Tombstones, { hash, time }: Pick<Message, 'hash' | 'time'>): boolean {
  const key = tombstones.evidenceKey(hash)
  const saidMs = Date.parse(time ?? '')
  return tombstones.since(Number.isNaN(saidMs) ? 0 : saidMs).some(({ evidenceKeys }) => evidenceKeys.includes(key))
}

/** The same of a message as a transcript has it. Only what the user said proves a note. */
export function isForgottenSaying(tombstones: Tombstones, message: TranscriptMessage): boolean {
  if (message.role !== 'user') return false
  return isForgottenMessage(tombstones, maskMessage(message, { agent: '', session: '', position: 0 }))
}

/** Milliseconds; null when no message of the user has a time. */
function latestUserTime(draft: Draft): number | null {
  const times = draft.evidence
    .filter((evidence) => evidence.role === 'user')
    .map((evidence) => Date.parse(evidence.time ?? ''))
    .filter((ms) => !Number.isNaN(ms))
  return times.length === 0 ? null : Math.max(...times)
}
