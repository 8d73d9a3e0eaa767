/** Every error code to one exit code (spec U1): 0 ok, 1 fault, 2 usage, 3 not found, 4 conflict, 5 unavailable. */
import type { EditResult, RememberResult, ReviewResult, WriteOutcome } from '../domain/index.ts'
import type { MemoryErrorCode } from '../errors.ts'

export const exitCodes: Readonly<Record<MemoryErrorCode, 1 | 2 | 3 | 4 | 5>> = {
  INPUT_INVALID: 2,
  CONFIG_INVALID: 2,
  HOME_INVALID: 5,
  HOME_FORMAT_NEWER: 5,
  HOME_NOT_EMPTY: 4,
  BACKUP_NOT_FOUND: 3,
  BACKUP_INVALID: 5,
  STORE_BUSY: 5,
  STORE_READ_ONLY: 5,
  STORE_FULL: 5,
  STORE_UNREADABLE: 5,
  PATH_OUTSIDE_STORE: 2,
  NOTE_NOT_FOUND: 3,
  NOTE_AMBIGUOUS: 4,
  NOTE_FORMAT_INVALID: 4,
  NOTE_CHANGED_ON_DISK: 4,
  PROPOSAL_NOT_FOUND: 3,
  JOB_NOT_FOUND: 3,
  JOB_AMBIGUOUS: 4,
  PROPOSAL_AMBIGUOUS: 4,
  CHANGE_NOT_FOUND: 3,
  CHANGE_AMBIGUOUS: 4,
  HISTORY_UNAVAILABLE: 5,
  HISTORY_FAILED: 5,
  SQLITE_UNAVAILABLE: 5,
  SQLITE_BUSY: 5,
  SQLITE_CORRUPT: 5,
  SQLITE_CONSTRAINT: 1,
  SQLITE_FAILED: 1,
  INDEX_UNAVAILABLE: 5,
  SESSION_NOT_FOUND: 3,
  AGENT_UNKNOWN: 2,
  AGENT_SETTINGS_INVALID: 4,
  TRANSCRIPT_UNREADABLE: 3,
  CANCELLED: 1,
  EMBEDDER_UNAVAILABLE: 5,
  MODEL_UNAVAILABLE: 5,
  INTERNAL: 1,
}

const outcomeCodes: Readonly<Record<WriteOutcome, 0 | 4 | 5>> = {
  written: 0,
  merged: 0,
  unchanged: 0,
  proposed: 0,
  rejected: 4,
}

/** A refused write is a conflict; one refused because the home cannot be written is unavailable. */
export function exitCodeOf(result: RememberResult | EditResult): number {
  if (result.outcome === 'rejected' && result.reason.code === 'home-newer') return 5
  return outcomeCodes[result.outcome]
}

/** Of decisions: what was not done outweighs what was not found. */
export function reviewExitCode({ outcomes }: ReviewResult): 0 | 3 | 4 {
  const has = (...kinds: string[]) => outcomes.some(({ outcome }) => kinds.includes(outcome))
  if (has('stale', 'refused', 'ambiguous')) return 4
  return has('not-found') ? 3 : 0
}
