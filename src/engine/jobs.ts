/** Background work that waits, for people (spec W13): listed, done now, tried again, given up. */
import {
  type Clock,
  isoSeconds,
  type Job,
  type JobChoice,
  type JobRunReport,
  type Jobs,
  type JobTally,
} from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import { safeText } from '../guard/index.ts'
import { type JobQueue, type JobRun, MAX_LISTED_JOBS, type QueuedJob } from '../store/state/job-queue.ts'
import { findById, shortIdsOf } from './find-by-id.ts'
import { boundedLimit, offsetOf } from './notes.ts'
import type { RunJobsResult } from './run-jobs.ts'

export interface JobsDependencies {
  /** Null where there is no database. */
  readonly queue: () => JobQueue | null
  readonly clock: Clock
  /** Does what waits, whenever it is due, unless another process is at it. */
  readonly runNow: (options: { readonly signal?: AbortSignal }) => Promise<RunJobsResult>
  readonly giveUp: (job: QueuedJob) => void
}

export function createJobs({ queue, clock, runNow, giveUp }: JobsDependencies): Jobs {
  const chosen = (choice: JobChoice) => choose(choice, all(queue()))
  return {
    async list(input = {}) {
      const everything = all(queue())
      const wanted = everything.filter(({ state }) => input.state === undefined || state === input.state)
      const start = offsetOf(input.cursor)
      const end = start + boundedLimit(input.limit)
      const omitted = Math.max(0, wanted.length - end)
      const jobs = shown(wanted.slice(start, end), everything)
      return { jobs, total: wanted.length, nextCursor: omitted > 0 ? `o${end}` : null, omitted }
    },
    async run({ signal } = {}) {
      const { done, written, problems } = await runNow({ signal })
      return { ...standOf(queue()), done, written, problems }
    },
    async retry(choice) {
      const retried = chosen(choice).filter(({ id }) => queue()?.retry(id, clock.now()))
      return { jobs: shown(retried, all(queue())) }
    },
    async drop(choice) {
      const everything = all(queue())
      const dropped = chosen(choice).filter((job) => {
        const isDropped = queue()?.drop(job.id) ?? false
        if (isDropped) giveUp(job)
        return isDropped
      })
      return { jobs: shown(dropped, everything) }
    },
  }
}

/** What waits, and when it goes on. */
export function standOf(queue: JobQueue | null): Pick<JobTally, 'waiting' | 'dead' | 'nextDue'> {
  const { waiting = 0, dead = 0 } = queue?.counts() ?? {}
  const next = queue?.list({ state: 'waiting', limit: 1 }).jobs[0]
  return { waiting, dead, nextDue: next ? isoSeconds(next.dueAt) : null }
}

export function runReport({ kind, key, endedAt, durationMs, ...figures }: JobRun): JobRunReport {
  const { calls, inputTokens, outputTokens, isEstimated, written, refused } = figures
  const spent = { calls, inputTokens, outputTokens, isEstimated, written, refused }
  return { kind, about: key, time: isoSeconds(endedAt), seconds: durationMs / 1_000, ...spent }
}

function all(queue: JobQueue | null): readonly QueuedJob[] {
  return queue?.list({ limit: MAX_LISTED_JOBS }).jobs ?? []
}

function choose(choice: JobChoice, jobs: readonly QueuedJob[]): readonly QueuedJob[] {
  if ('all' in choice) return jobs.filter(({ state }) => state !== 'running')
  const found = findById(choice.id, jobs)
  const [job, ...others] = found
  if (job && others.length === 0) return [job]
  const reference = safeText(String(choice.id).slice(0, 100), 'id').text
  if (!job)
    throw new MemoryError('JOB_NOT_FOUND', `No job is called ${JSON.stringify(reference)}`, {
      hint: "See 'keepsake queue'; it may be done.",
      data: { reference },
    })
  throw new MemoryError('JOB_AMBIGUOUS', `${found.length} jobs begin or end with ${JSON.stringify(reference)}`, {
    hint: 'Use more of the id.',
    data: { reference, candidates: found.slice(0, 10).map(({ id }) => ({ id })) },
  })
}

/** `beside`: what else is there, so that a short id is not another's. */
function shown(jobs: readonly QueuedJob[], beside: readonly QueuedJob[]): Job[] {
  const shortIds = shortIdsOf(beside)
  return jobs.map(({ id, kind, key, state, createdAt, dueAt, signals, attempts, lastError, raw }) => ({
    id,
    shortId: shortIds.get(id) ?? id,
    kind,
    about: key,
    state,
    created: isoSeconds(createdAt),
    due: isoSeconds(dueAt),
    signals,
    attempts,
    lastError: lastError === null ? null : safeText(lastError, 'error').text,
    raw: raw === null ? null : safeText(raw, 'answer').text,
  }))
}
