/** Job queue in memory: for tests, and where no SQLite works (then it lives as long as the process). */
import { jobStates } from '../../domain/index.ts'
import { compareUnits } from '../../util/index.ts'
import { type JobQueue, type JobRun, MAX_JOBS, MAX_LISTED_JOBS, MAX_RUNS, type QueuedJob } from './job-queue.ts'
import { buryJob, finishJob, forgetWordsOf, giveJobBack, isTakeable, putJob, retryJob, takeJob } from './job-steps.ts'

/** `onWrite` is called before anything changes. */
export function createMemoryJobQueue(onWrite: () => void): JobQueue {
  const jobs = new Map<string, QueuedJob>()
  let runs: readonly JobRun[] = []

  const find: JobQueue['find'] = (kind, key) =>
    [...jobs.values()].find((job) => job.kind === kind && job.key === key) ?? null
  const inOrder = () => [...jobs.values()].toSorted((a, b) => a.dueAt - b.dueAt || compareUnits(a.id, b.id))
  const keep = (job: QueuedJob) => {
    onWrite()
    jobs.set(job.id, job)
    return true
  }
  const drop = (id: string) => {
    onWrite()
    return jobs.delete(id)
  }
  const change = (id: string, owner: string, step: (job: QueuedJob) => QueuedJob) => {
    const job = jobs.get(id)
    return job?.state === 'running' && job.owner === owner ? keep(step(job)) : false
  }
  const hasRoom = () => {
    if (jobs.size < MAX_JOBS) return true
    const [oldest] = inOrder()
      .filter(({ state }) => state === 'dead')
      .toSorted((a, b) => a.createdAt - b.createdAt)
    return oldest !== undefined && drop(oldest.id)
  }
  return {
    find,
    drop,
    put(job) {
      const known = find(job.kind, job.key)
      return known || hasRoom() ? keep(putJob(known, job)) : false
    },
    take(taker) {
      for (const job of inOrder()) {
        if (!taker.kinds.includes(job.kind) || !isTakeable(job, taker.now)) continue
        const taken = takeJob(job, taker)
        keep(taken)
        if (taken.state === 'running') return taken
      }
      return null
    },
    renew: (id, owner, now) => change(id, owner, (job) => ({ ...job, renewedAt: now })),
    keepAnswer: (id, owner, answer) => change(id, owner, (job) => ({ ...job, answer })),
    finish: (id, owner, run) => {
      const job = jobs.get(id)
      if (!change(id, owner, (running) => running) || !job) return false
      const rest = finishJob(job)
      if (rest) keep(rest)
      else drop(id)
      if (run) runs = [run, ...runs].slice(0, MAX_RUNS)
      return true
    },
    giveBack: (id, owner, back) => change(id, owner, (job) => giveJobBack(job, back)),
    bury: (id, owner, end) => change(id, owner, (job) => buryJob(job, end)),
    retry(id, now) {
      const job = jobs.get(id)
      const retried = job ? retryJob(job, now) : null
      return retried ? keep(retried) : false
    },
    dropKey: (kind, key) => drop(find(kind, key)?.id ?? ''),
    forgetWords(key) {
      for (const job of jobs.values()) if (job.key === key) keep(forgetWordsOf(job))
    },
    list({ state, limit, offset = 0 }) {
      const all = inOrder().filter((job) => state === undefined || job.state === state)
      const end = offset + Math.min(Math.max(0, limit), MAX_LISTED_JOBS)
      return { jobs: all.slice(offset, end), total: all.length }
    },
    counts() {
      const all = [...jobs.values()]
      const [waiting = 0, running = 0, dead = 0] = jobStates.map(
        (state) => all.filter((job) => job.state === state).length,
      )
      return { waiting, running, dead }
    },
    runs: (limit) => runs.slice(0, limit),
  }
}
