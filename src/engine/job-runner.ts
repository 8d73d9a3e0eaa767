/** Who works off the queue in this process: within a refresh, or alone. */
import { hostname } from 'node:os'
import type { Clock } from '../domain/index.ts'
import { type JobQueue, MAX_LISTED_JOBS } from '../store/state/job-queue.ts'
import type { Core } from './core.ts'
import { type RunJobsDependencies, type RunJobsResult, runJobs } from './run-jobs.ts'
import { ANOTHER_REFRESHES, takeWorkerLease, type WorkerLease } from './worker-lease.ts'

export interface JobRunner {
  /** Under the lease of the caller. */
  run(options: RunOptions & { readonly lease: WorkerLease }): Promise<RunJobsResult>
  /** Takes the lease itself; when another process has it, nothing is done and that is the problem. */
  runAlone(options: RunOptions): Promise<RunJobsResult>
}

export interface RunOptions {
  readonly signal?: AbortSignal
  /** A person wants what waits done, whenever it is due. Default: what is due. */
  readonly now?: boolean
}

export function jobRunnerOf(
  { options, stores, onProblem }: Core,
  { work }: { readonly work: () => RunJobsDependencies['work'] },
): JobRunner {
  const { clock, ids } = options
  const owner = `${hostname()}:${process.pid}:${ids.next()}`
  const run: JobRunner['run'] = async ({ lease, signal, now = false }) => {
    const queue = stores.state()?.queue
    if (!queue) return NO_JOBS
    if (now) retryWaiting(queue, clock)
    return runJobs({ queue, clock, owner, work: work(), onProblem }, { lease, signal })
  }
  return {
    run,
    async runAlone(options) {
      const lease = takeWorkerLease(stores.state(), owner, clock)
      if (!lease) return { ...NO_JOBS, problems: [ANOTHER_REFRESHES] }
      try {
        return await run({ ...options, lease })
      } finally {
        lease.release()
      }
    },
  }
}

function retryWaiting(queue: JobQueue, clock: Clock): void {
  for (const { id } of queue.list({ state: 'waiting', limit: MAX_LISTED_JOBS }).jobs) queue.retry(id, clock.now())
}

export const NO_JOBS: RunJobsResult = { done: 0, written: 0, problems: [] }
