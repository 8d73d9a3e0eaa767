/** Job queue on state.db: each change is one `BEGIN IMMEDIATE`, so two processes never both get a job. */
import { jobStates } from '../../domain/index.ts'
import type { SqliteDatabase, SqliteRow } from '../sqlite/sqlite-port.ts'
import {
  JOB_LEASE_MS,
  type JobQueue,
  type JobRun,
  MAX_JOBS,
  MAX_LISTED_JOBS,
  MAX_RUNS,
  MAX_WAIT_MS,
  type QueuedJob,
} from './job-queue.ts'
import { buryJob, finishJob, forgetWordsOf, giveJobBack, isTakeable, putJob, retryJob, takeJob } from './job-steps.ts'

export function createSqliteJobQueue(database: SqliteDatabase): JobQueue {
  const find: JobQueue['find'] = (kind, key) =>
    jobOf(database.prepare('SELECT * FROM jobs WHERE kind = ? AND key = ?').get(kind, key))
  const change = (id: string, owner: string, step: (job: QueuedJob) => QueuedJob | null, after = () => {}) =>
    database.transaction(() => {
      const job = byId(database, id)
      if (job?.state !== 'running' || job.owner !== owner) return false
      keep(database, id, step(job))
      after()
      return true
    })
  return {
    find,
    put: (job) =>
      database.transaction(() => {
        const known = find(job.kind, job.key)
        if (!known && !hasRoom(database)) return false
        const put = putJob(known, job)
        keep(database, put.id, put)
        return true
      }),
    take: (taker) => database.transaction(() => takeNext(database, taker)),
    renew: (id, owner, now) => change(id, owner, (job) => ({ ...job, renewedAt: now })),
    keepAnswer: (id, owner, answer) => change(id, owner, (job) => ({ ...job, answer })),
    finish: (id, owner, run) => change(id, owner, finishJob, () => run && recordRun(database, run)),
    giveBack: (id, owner, back) => change(id, owner, (job) => giveJobBack(job, back)),
    bury: (id, owner, end) => change(id, owner, (job) => buryJob(job, end)),
    retry: (id, now) =>
      database.transaction(() => {
        const job = byId(database, id)
        const retried = job && retryJob(job, now)
        if (!retried) return false
        keep(database, id, retried)
        return true
      }),
    drop: (id) => database.transaction(() => database.prepare('DELETE FROM jobs WHERE id = ?').run(id).changes > 0),
    dropKey: (kind, key) =>
      database.transaction(
        () => database.prepare('DELETE FROM jobs WHERE kind = ? AND key = ?').run(kind, key).changes > 0,
      ),
    forgetWords: (key) =>
      database.transaction(() => {
        const rows = database.prepare('SELECT * FROM jobs WHERE key = ?').all(key)
        for (const job of rows.map(toJob)) keep(database, job.id, forgetWordsOf(job))
      }),
    list({ state, limit, offset = 0 }) {
      const rows = database
        .prepare('SELECT * FROM jobs WHERE ? IS NULL OR state = ? ORDER BY due_at, id LIMIT ? OFFSET ?')
        .all(state ?? null, state ?? null, Math.min(Math.max(0, limit), MAX_LISTED_JOBS), offset)
      const counted = database
        .prepare('SELECT count(*) AS n FROM jobs WHERE ? IS NULL OR state = ?')
        .get(state ?? null, state ?? null)
      return { jobs: rows.map(toJob), total: Number(counted?.n ?? 0) }
    },
    counts() {
      const rows = database.prepare('SELECT state, count(*) AS n FROM jobs GROUP BY state').all()
      const of = (state: string) => Number(rows.find((row) => row.state === state)?.n ?? 0)
      return { waiting: of('waiting'), running: of('running'), dead: of('dead') }
    },
    runs: (limit) =>
      database.prepare('SELECT * FROM job_runs ORDER BY key_order DESC LIMIT ?').all(Math.max(0, limit)).map(toRun),
  }
}

function takeNext(database: SqliteDatabase, taker: Parameters<JobQueue['take']>[0]): QueuedJob | null {
  const { kinds, now } = taker
  // `isTakeable` in SQL, so that no more rows are read than may be taken.
  const rows = database
    .prepare(
      `SELECT * FROM jobs WHERE kind IN (SELECT value FROM json_each(?)) AND
         (state = 'waiting' AND (due_at <= ? OR due_at > ?) OR state = 'running' AND abs(? - renewed_at) >= ?)
       ORDER BY due_at, id`,
    )
    .all(JSON.stringify(kinds), now, now + MAX_WAIT_MS, now, JOB_LEASE_MS)
  for (const job of rows.map(toJob)) {
    if (!isTakeable(job, now)) continue
    const taken = takeJob(job, taker)
    keep(database, job.id, taken)
    if (taken.state === 'running') return taken
  }
  return null
}

function hasRoom(database: SqliteDatabase): boolean {
  const { n } = database.prepare('SELECT count(*) AS n FROM jobs').get() ?? {}
  if (Number(n) < MAX_JOBS) return true
  const oldest = `SELECT id FROM jobs WHERE state = 'dead' ORDER BY created_at, id LIMIT 1`
  return database.prepare(`DELETE FROM jobs WHERE id = (${oldest})`).run().changes > 0
}

/** The row as it now is; null: it goes. */
function keep(database: SqliteDatabase, id: string, job: QueuedJob | null): void {
  if (!job) {
    database.prepare('DELETE FROM jobs WHERE id = ?').run(id)
    return
  }
  const { kind, key, state, createdAt, dueAt, signals, attempts, losses, owner, renewedAt, again } = job
  const words = [again && JSON.stringify([again.dueAt, ...again.signals]), job.lastError, job.raw, job.answer] as const
  database
    .prepare(
      `INSERT OR REPLACE INTO jobs (id, kind, key, state, created_at, due_at, signals, attempts, losses, owner,
         renewed_at, again, last_error, raw, answer) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(id, kind, key, state, createdAt, dueAt, JSON.stringify(signals), attempts, losses, owner, renewedAt, ...words)
}

function recordRun(database: SqliteDatabase, run: JobRun): void {
  const { kind, key, endedAt, durationMs, calls, inputTokens, outputTokens, isEstimated, written, refused } = run
  database
    .prepare(
      `INSERT INTO job_runs (kind, key, ended_at, duration_ms, calls, input_tokens, output_tokens, is_estimated, written,
         refused) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(kind, key, endedAt, durationMs, calls, inputTokens, outputTokens, isEstimated ? 1 : 0, written, refused)
  database.prepare('DELETE FROM job_runs WHERE key_order <= (SELECT max(key_order) FROM job_runs) - ?').run(MAX_RUNS)
}

function byId(database: SqliteDatabase, id: string): QueuedJob | null {
  return jobOf(database.prepare('SELECT * FROM jobs WHERE id = ?').get(id))
}

function jobOf(row: SqliteRow | undefined): QueuedJob | null {
  return row ? toJob(row) : null
}

function toJob(row: SqliteRow): QueuedJob {
  return {
    id: String(row.id),
    kind: String(row.kind),
    key: String(row.key),
    state: jobStates.find((state) => state === row.state) ?? 'dead',
    createdAt: Number(row.created_at),
    dueAt: Number(row.due_at),
    signals: textsIn(JSON.parse(String(row.signals))),
    attempts: Number(row.attempts),
    losses: Number(row.losses),
    owner: textOrNull(row.owner),
    renewedAt: row.renewed_at === null ? null : Number(row.renewed_at),
    again: toAgain(row),
    lastError: textOrNull(row.last_error),
    raw: textOrNull(row.raw),
    answer: textOrNull(row.answer),
  }
}

/** Written by `keep`: `[dueAt, ...signals]`. */
function toAgain(row: SqliteRow): QueuedJob['again'] {
  if (row.again === null) return null
  const [dueAt, ...signals] = textsIn(JSON.parse(String(row.again)))
  return { dueAt: Number(dueAt), signals }
}

function toRun(row: SqliteRow): JobRun {
  return {
    kind: String(row.kind),
    key: String(row.key),
    endedAt: Number(row.ended_at),
    durationMs: Number(row.duration_ms),
    calls: Number(row.calls),
    inputTokens: Number(row.input_tokens),
    outputTokens: Number(row.output_tokens),
    isEstimated: Number(row.is_estimated) !== 0,
    written: Number(row.written),
    refused: Number(row.refused),
  }
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
