/** What becomes of a job, step by step (spec W13). Pure: a driver reads a row, asks here, and writes what comes back. */
import {
  FORGOTTEN_ERROR,
  JOB_LEASE_MS,
  MAX_ERROR,
  MAX_LOSSES,
  MAX_RAW,
  MAX_SIGNALS,
  MAX_WAIT_MS,
  type NewJob,
  type QueuedJob,
} from './job-queue.ts'
import { isLeaseAlive } from './state-store.ts'

export function putJob(known: QueuedJob | null, job: NewJob): QueuedJob {
  const { id, kind, key, dueAt, now } = job
  if (known === null) return { ...fresh, id, kind, key, createdAt: now, dueAt, signals: united([], job.signals) }
  if (known.state === 'running') {
    const signals = united(known.again?.signals ?? [], job.signals)
    return { ...known, again: { dueAt, signals } }
  }
  return {
    ...known,
    state: 'waiting',
    // It was put off for a reason, and nothing that is said meanwhile changes that.
    dueAt: known.lastError === null ? dueAt : Math.max(known.dueAt, dueAt),
    signals: united(known.signals, job.signals),
  }
}

/** Whether somebody may take it now. */
export function isTakeable({ state, dueAt, renewedAt }: QueuedJob, now: number): boolean {
  if (state === 'waiting') return dueAt <= now || dueAt > now + MAX_WAIT_MS
  return state === 'running' && !isLeaseAlive({ renewedAt: renewedAt ?? 0, ttlMs: JOB_LEASE_MS }, now)
}

/** Taken by `owner`; dead when its owners went silent too often. */
export function takeJob(job: QueuedJob, { owner, now }: { readonly owner: string; readonly now: number }): QueuedJob {
  const losses = job.losses + (job.state === 'running' ? 1 : 0)
  if (losses >= MAX_LOSSES) {
    const lastError = `the process that worked on it ended before it was done, ${losses} times`
    return { ...unowned(job), losses, state: 'dead', lastError }
  }
  // What was put while the lost owner ran is seen by this one.
  return { ...unowned(job), losses, state: 'running', owner, renewedAt: now, attempts: job.attempts + 1 }
}

/** Null: the row goes. */
export function finishJob(job: QueuedJob): QueuedJob | null {
  const { id, kind, key, createdAt, again } = job
  return again && { ...fresh, id, kind, key, createdAt, ...again }
}

export function giveJobBack(
  job: QueuedJob,
  { dueAt, error, isFault }: { readonly dueAt: number; readonly error: string | null; readonly isFault: boolean },
): QueuedJob {
  const attempts = isFault ? job.attempts : Math.max(0, job.attempts - 1)
  const lastError = error?.slice(0, MAX_ERROR).toWellFormed() ?? job.lastError
  return { ...unowned(job), state: 'waiting', dueAt, attempts, lastError }
}

export function buryJob(
  job: QueuedJob,
  { dueAt, error, raw }: { readonly dueAt: number; readonly error: string; readonly raw: string | null },
): QueuedJob {
  const cut = (text: string, length: number) => text.slice(0, length).toWellFormed()
  const end = { lastError: cut(error, MAX_ERROR), raw: raw === null ? null : cut(raw, MAX_RAW), answer: null }
  const buried: QueuedJob = { ...unowned(job), state: 'dead', dueAt, ...end }
  // What came meanwhile is new material: it may go better.
  return job.again ? { ...buried, state: 'waiting' } : buried
}

export function retryJob(job: QueuedJob, now: number): QueuedJob | null {
  return job.state === 'running' ? null : { ...job, state: 'waiting', dueAt: now, attempts: 0, losses: 0 }
}

export function forgetWordsOf(job: QueuedJob): QueuedJob {
  const bare = { ...job, raw: null, answer: null, lastError: job.lastError === null ? null : FORGOTTEN_ERROR }
  return job.state === 'running' ? { ...unowned(bare), state: 'waiting' } : bare
}

function unowned(job: QueuedJob): QueuedJob {
  const signals = united(job.signals, job.again?.signals ?? [])
  return { ...job, owner: null, renewedAt: null, again: null, signals }
}

const fresh: Omit<QueuedJob, 'id' | 'kind' | 'key' | 'createdAt' | 'dueAt' | 'signals'> = {
  state: 'waiting',
  attempts: 0,
  losses: 0,
  owner: null,
  renewedAt: null,
  again: null,
  lastError: null,
  raw: null,
  answer: null,
}

function united(known: readonly string[], more: readonly string[]): readonly string[] {
  return [...new Set([...known, ...more])].slice(0, MAX_SIGNALS)
}
