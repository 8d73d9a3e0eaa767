/**
 * Port to background work that waits: on disk before it is done, gone only after it was done (spec W13). One row for each
 * kind and key, so the same work never waits twice. What must stay true: a job has one owner at a time, who loses it when
 * silent for too long; what its owner has lost it can no longer change. The rules are in `job-steps.ts`, the same for all
 * drivers: `sqlite-job-queue` (state.db) and `memory-job-queue`.
 */
import type { JobState } from '../../domain/index.ts'

export interface QueuedJob {
  readonly id: string
  /** What is to be done: one of `jobKinds`, or one of a later version. */
  readonly kind: string
  /** What it is done to: for extraction a session id. */
  readonly key: string
  readonly state: JobState
  readonly createdAt: number
  /** Milliseconds: not done before. Of a dead one: not before, when it is put again. */
  readonly dueAt: number
  /** Why it was put, each once. */
  readonly signals: readonly string[]
  /** How often it was taken since it was put or last retried by hand. */
  readonly attempts: number
  /** How often its owner went silent. */
  readonly losses: number
  readonly owner: string | null
  readonly renewedAt: number | null
  /** It was put again while it ran: it waits again when it is done. */
  readonly again: { readonly dueAt: number; readonly signals: readonly string[] } | null
  readonly lastError: string | null
  /** What the model answered that nobody can read; masked by who buries it. */
  readonly raw: string | null
  /** What is to be carried out, kept before any of it is: a second run need not ask again. */
  readonly answer: string | null
}

/** What one run came to, for figures. */
export interface JobRun {
  readonly kind: string
  readonly key: string
  readonly endedAt: number
  readonly durationMs: number
  /** Calls of the model. */
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly isEstimated: boolean
  /** Notes that were written, merged or proposed. */
  readonly written: number
  /** Notes that the model offered and that were not kept. */
  readonly refused: number
}

export interface NewJob {
  /** For a new row. */
  readonly id: string
  readonly kind: string
  readonly key: string
  readonly dueAt: number
  readonly signals: readonly string[]
  readonly now: number
}

/** Heartbeat: renew it this often; silent for `JOB_LEASE_MS` it is anybody's. */
export const JOB_RENEW_MS = 30_000
export const JOB_LEASE_MS = 120_000
/** An owner that went silent this often is no accident: the job is put aside. */
export const MAX_LOSSES = 5
/** Further in the future than anything is ever put: the clock was ahead when it was. */
export const MAX_WAIT_MS = 25 * 60 * 60 * 1_000
/** Rows in all. Beyond that the oldest dead one goes; with none dead, the new one is refused. */
export const MAX_JOBS = 1_000
/** Runs that are remembered. */
export const MAX_RUNS = 500
/** UTF-16 units of an answer that nobody can read, of an error, and signs of a job. */
export const MAX_RAW = 4_000
export const MAX_ERROR = 300
export const MAX_SIGNALS = 20

/** What stands where an error had words in it that are forgotten. */
export const FORGOTTEN_ERROR = 'what it said was forgotten'

export interface JobQueue {
  /**
   * Lets it wait. One that waits already is moved to the new time, never before the time to which it was put off; one that runs waits again
   * afterwards; a dead one comes back to life, not before its back-off either. False: the queue is full, nothing was done.
   */
  put(job: NewJob): boolean
  /**
   * The next one that is due, taken: its owner is now the caller. One whose owner is silent for too long counts as due;
   * lost for the fifth time it dies instead.
   */
  take(taker: { readonly owner: string; readonly now: number; readonly kinds: readonly string[] }): QueuedJob | null
  /** All of these change it only for its owner, and give false when it is another's or gone. */
  renew(id: string, owner: string, now: number): boolean
  keepAnswer(id: string, owner: string, answer: string): boolean
  /** Done: the row goes, or waits again when it was put meanwhile. Null: nothing was done that is worth a figure. */
  finish(id: string, owner: string, run: JobRun | null): boolean
  /** Not now. `isFault`: it counts as an attempt; else (no budget, stopped) it is as if it had not been taken. */
  giveBack(
    id: string,
    owner: string,
    back: { readonly dueAt: number; readonly error: string | null; readonly isFault: boolean },
  ): boolean
  /** Dead: a person sees it and decides. */
  bury(
    id: string,
    owner: string,
    end: { readonly dueAt: number; readonly error: string; readonly raw: string | null },
  ): boolean
  /** By a person: waiting or dead, it is due now, without back-off. False when there is none such. */
  retry(id: string, now: number): boolean
  /** In any state; its owner can change nothing more. */
  drop(id: string): boolean
  dropKey(kind: string, key: string): boolean
  /**
   * A note was forgotten that this key proved: what models said about it goes, from each of its jobs. One that runs is
   * taken from its owner, who holds those words too, and waits again.
   */
  forgetWords(key: string): void
  find(kind: string, key: string): QueuedJob | null
  /** In the order in which they are due. */
  list(options: { readonly state?: JobState; readonly limit: number; readonly offset?: number }): {
    readonly jobs: readonly QueuedJob[]
    readonly total: number
  }
  counts(): Readonly<Record<JobState, number>>
  /** Newest first. */
  runs(limit: number): readonly JobRun[]
}

/** What `list` returns at most. */
export const MAX_LISTED_JOBS = 1_000

/** One minute, doubled with each attempt, at most six hours. */
export function backoffMs(attempts: number): number {
  return Math.min(6 * 60 * 60 * 1_000, 60_000 * 2 ** Math.min(20, Math.max(0, attempts - 1)))
}
