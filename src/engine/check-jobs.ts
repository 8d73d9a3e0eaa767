/** What waits for a model, what nobody could read, and what the last run came to. */
import type { Check, QueueStatus } from '../domain/index.ts'
import { safeText } from '../guard/index.ts'
import type { JobQueue } from '../store/state/job-queue.ts'
import { attempt, warning } from './check.ts'
import { runReport, standOf } from './jobs.ts'
import type { Stores } from './stores.ts'

export interface JobsReport {
  readonly status: Omit<QueueStatus, 'journalLines' | 'workerRunning'>
  readonly checks: readonly Check[]
}

/** A database that cannot be read has a check of its own. */
export function checkJobs(stores: Stores): JobsReport {
  const looked = attempt(() => {
    const queue = stores.state()?.queue
    return queue && lookAt(queue)
  })
  return 'value' in looked && looked.value ? looked.value : nothing
}

const none = { waiting: 0, running: 0, dead: 0, nextDue: null, lastError: null, lastRun: null }
const nothing: JobsReport = { status: none, checks: [] }

function lookAt(queue: JobQueue): JobsReport {
  const { running } = queue.counts()
  const stand = standOf(queue)
  const failed = [
    ...queue.list({ state: 'waiting', limit: 100 }).jobs,
    ...queue.list({ state: 'dead', limit: 100 }).jobs,
  ]
  const last = failed.filter(({ lastError }) => lastError !== null).toSorted((a, b) => b.dueAt - a.dueAt)
  const lastError = last[0]?.lastError ?? null
  const told = lastError === null ? null : safeText(lastError, 'error').text
  const [run] = queue.runs(1)
  const putOff = last.filter(({ state }) => state === 'waiting').length
  return {
    status: { ...stand, running, lastError: told, lastRun: run ? runReport(run) : null },
    checks: [
      ...(putOff > 0
        ? [
            warning(
              'queue',
              `${putOff} put off: ${told}`,
              "They are tried again by themselves; 'keepsake queue retry --all' tries now.",
            ),
          ]
        : []),
      ...(stand.dead > 0
        ? [
            warning(
              'queue',
              `${stand.dead} could not be done`,
              "See 'keepsake queue list --state dead'; retry or drop them.",
            ),
          ]
        : []),
    ],
  }
}
