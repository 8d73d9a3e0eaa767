/**
 * Works off what the queue holds and is due (spec W13), one job after the other, under the lease of the one process that
 * refreshes a home. Each job has a heartbeat of its own. What must stay true: a job that was lost is left alone, one that
 * was stopped waits again at once, and a model that cannot be asked is not asked again in this run.
 */
import type { Clock } from '../domain/index.ts'
import { messageOf, throwIfCancelled } from '../errors.ts'
import { redact } from '../guard/index.ts'
import { backoffMs, JOB_RENEW_MS, type JobQueue, type QueuedJob } from '../store/state/job-queue.ts'
import type { JobEnd, JobHold } from '../store/state/job-work.ts'
import { whileHeld } from './while-held.ts'
import type { WorkerLease } from './worker-lease.ts'

export interface RunJobsDependencies {
  readonly queue: JobQueue
  readonly clock: Clock
  /** Names this process. */
  readonly owner: string
  /** How a job is done, by its kind; others stay in the queue. */
  readonly work: Readonly<Record<string, (job: QueuedJob, hold: JobHold) => Promise<JobEnd>>>
  readonly onProblem: (error: unknown, where: string) => void
}

export interface RunJobsOptions {
  readonly lease: WorkerLease
  readonly signal?: AbortSignal
}

export interface RunJobsResult {
  /** Jobs that were done, and the notes that they wrote or proposed. */
  readonly done: number
  readonly written: number
  /** Sentences. */
  readonly problems: readonly string[]
}

/** No job is begun after so long: what is left stays in the queue. */
export const DRAIN_MS = 60_000

/** Throws CANCELLED when it was told to stop; the job that ran then waits again. */
export async function runJobs(
  { queue, clock, owner, work, onProblem }: RunJobsDependencies,
  { lease, signal }: RunJobsOptions,
): Promise<RunJobsResult> {
  const begun = clock.now()
  const open = new Set(Object.keys(work))
  const problems: string[] = []
  let [done, written] = [0, 0]
  while (open.size > 0 && lease.keep() && clock.now() - begun < DRAIN_MS) {
    throwIfCancelled(signal)
    const started = clock.now()
    const job = queue.take({ owner, now: started, kinds: [...open] })
    const doIt = job && work[job.kind]
    if (!doIt) break
    const end = await held({ queue, clock, owner, lease, signal }, job, doIt).catch((error: unknown) => {
      onProblem(error, `worker ${job.kind}`)
      return { state: 'failed', error: redact(messageOf(error)).text } as const
    })
    settle({ queue, clock, owner }, job, { end, started })
    throwIfCancelled(signal)
    if (end.state === 'done') done++
    if (end.state === 'done') written += end.figures?.written ?? 0
    if (end.state === 'later') open.delete(job.kind)
    if ('error' in end) problems.push(`${job.kind} of ${job.key}: ${end.error}`)
  }
  return { done, written, problems }
}

type RunEnd =
  | JobEnd
  /** A fault of ours or of the disk. */
  | { readonly state: 'failed'; readonly error: string }
  | { readonly state: 'stopped' }

interface Holding extends RunJobsOptions, Pick<RunJobsDependencies, 'queue' | 'clock' | 'owner'> {}

/** Does it while it is ours. */
async function held(
  { queue, clock, owner, lease, signal }: Holding,
  job: QueuedJob,
  doIt: RunJobsDependencies['work'][string],
): Promise<RunEnd> {
  const keep = () => lease.keep() && queue.renew(job.id, owner, clock.now())
  try {
    const end = await whileHeld({ keep, everyMs: JOB_RENEW_MS, signal }, ({ signal: stop, isHeld }) =>
      doIt(job, {
        signal: stop,
        isMine: isHeld,
        keepAnswer: (answer) => isHeld() && queue.keepAnswer(job.id, owner, answer),
      }),
    )
    return end ?? { state: 'lost' }
  } catch (error) {
    if (signal?.aborted) return { state: 'stopped' }
    throw error
  }
}

function settle(
  { queue, clock, owner }: Pick<RunJobsDependencies, 'queue' | 'clock' | 'owner'>,
  { id, kind, key, attempts }: QueuedJob,
  { end, started }: { readonly end: RunEnd; readonly started: number },
): void {
  const now = clock.now()
  switch (end.state) {
    case 'done': {
      if (end.hasMore) queue.put({ id, kind, key, dueAt: now, signals: [], now })
      const run = end.figures && { ...end.figures, kind, key, endedAt: now, durationMs: Math.max(0, now - started) }
      queue.finish(id, owner, run)
      return
    }
    case 'later':
      queue.giveBack(id, owner, end)
      return
    case 'failed':
      queue.giveBack(id, owner, { dueAt: now + backoffMs(attempts), error: end.error, isFault: true })
      return
    case 'stopped':
      queue.giveBack(id, owner, { dueAt: now, error: null, isFault: false })
      return
    case 'dead':
      queue.bury(id, owner, { ...end, dueAt: now + backoffMs(attempts) })
      return
    case 'lost':
      return
  }
}
