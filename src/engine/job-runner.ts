/** Who works off the queue in this process: within a refresh, or alone. */
import { hostname } from 'node:os'
import type { AfterTurn } from './after-turn.ts'
import type { Core } from './core.ts'
import { type RunJobsResult, runJobs } from './run-jobs.ts'
import { ANOTHER_REFRESHES, takeWorkerLease, type WorkerLease } from './worker-lease.ts'

export interface JobRunner {
  /** Under the lease of the caller. */
  run(lease: WorkerLease, signal: AbortSignal | undefined): Promise<RunJobsResult>
  /** Takes the lease itself; when another process has it, nothing is done and that is the problem. */
  runAlone(signal: AbortSignal | undefined): Promise<RunJobsResult>
}

export function jobRunnerOf({ options, stores, onProblem }: Core, { work }: AfterTurn): JobRunner {
  const { clock, ids } = options
  const owner = `${hostname()}:${process.pid}:${ids.next()}`
  const run: JobRunner['run'] = async (lease, signal) => {
    const queue = stores.state()?.queue
    return queue ? runJobs({ queue, clock, owner, work: work(), onProblem }, { lease, signal }) : NO_JOBS
  }
  return {
    run,
    async runAlone(signal) {
      const lease = takeWorkerLease(stores.state(), owner, clock)
      if (!lease) return { ...NO_JOBS, problems: [ANOTHER_REFRESHES] }
      try {
        return await run(lease, signal)
      } finally {
        lease.release()
      }
    },
  }
}

export const NO_JOBS: RunJobsResult = { done: 0, written: 0, problems: [] }
