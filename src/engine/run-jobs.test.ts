/**
 * Jobs of extraction over the in-memory drivers: stopped before each of their steps in turn and begun again, lost to another
 * process, told to stop. The same notes as without it, and at most one more call.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DEFAULT_CONFIG } from '../domain/index.ts'
import { createFakeModelJobs, type FakeAnswer } from '../models/index.ts'
import { readNote } from '../store/notes/note-format.ts'
import { createMemorySessionStore } from '../store/sessions/memory-session-store.ts'
import type { NewMessage } from '../store/sessions/session-store.ts'
import { JOB_LEASE_MS, type JobQueue } from '../store/state/job-queue.ts'
import { createMemoryStateStore } from '../store/state/memory-state-store.ts'
import { createWriteHarness, harnessNow, projectLayer } from '../testing/write-harness.ts'
import { createReadingBook, EXTRACTION, extractSession } from '../write/index.ts'
import { runJobs } from './run-jobs.ts'
import { takeWorkerLease } from './worker-lease.ts'

const SESSION = 'claude-code:s1'
const fact = (number: number) => `Fixture ${number} belongs to the Heron team.`
const message = (number: number): NewMessage => ({
  id: `claude-code:m${number}`,
  idGiven: true,
  role: 'user',
  content: fact(number),
  toolName: null,
  time: '2026-11-20T09:00:00.000Z',
  hash: String(number).padStart(64, '0'),
})

/** An answer with a note for each of the first two messages; `name` differs from call to call, as models do. */
const answer = (name: string) =>
  JSON.stringify({
    notes: [1, 2].map((number) => ({
      type: 'project',
      name: `${name} ${number}`,
      description: fact(number),
      text: fact(number),
      quotes: [{ message: number, words: fact(number) }],
      replaces: null,
    })),
  })

class Killed extends Error {}

interface PlayOptions {
  /** Number of the step before which the process dies. */
  readonly killAt?: number
  readonly answers?: (at: number, life: Life) => FakeAnswer | Promise<FakeAnswer>
}

interface Life {
  /** One process that works off the queue; the clock is where it is. */
  run(owner: string, signal?: AbortSignal): ReturnType<typeof runJobs>
  later(ms: number): void
}

/** A store with one conversation that waits to be read. */
async function play({ killAt, answers = () => answer('fixture') }: PlayOptions, live: (life: Life) => Promise<void>) {
  const home = mkdtempSync(join(tmpdir(), 'keepsake-jobs-'))
  try {
    const steps: string[] = []
    const process = { isDead: false, isRestarted: false }
    const step = (name: string) => {
      steps.push(name)
      if (!process.isRestarted && steps.length - 1 === killAt) process.isDead = true
      if (process.isDead) throw new Killed(name)
    }
    const store = createWriteHarness({ home, before: step })
    const { clock } = store
    const sessions = createMemorySessionStore()
    const state = createMemoryStateStore()
    const ids = store.dependencies.ids
    const parts = { sessions, cursors: state.extractions, queue: state.queue, clock, ids }
    const book = createReadingBook(parts)
    book.begin(SESSION)
    const nothing = {
      project: projectLayer.key,
      title: null,
      tags: [],
      branch: null,
      cwd: null,
      started: null,
      summary: null,
    }
    sessions.putSession({ id: SESSION, agent: 'claude-code', ...nothing, ended: '2026-11-20T09:00:00Z', parent: null })
    sessions.addMessages(SESSION, [1, 2, 3].map(message))
    book.look(new Map([[SESSION, 'ended']]))
    const models = createFakeModelJobs((_question, _kind, at) => {
      step('ask')
      return answers(at, life)
    })
    const queue = stepped(state.queue, step)
    const cursors = { ...state.extractions, change: withStep(state.extractions.change, () => step('cursor')) }
    const reading = {
      ...parts,
      cursors,
      models,
      config: DEFAULT_CONFIG,
      modeOf: () => 'auto' as const,
      isForgotten: () => false,
      placeOf: async () => ({
        project: projectLayer.key,
        takesNotes: true,
        remember: store.writer.remember,
        existing: async () => [],
        noteFinder: async () => () => null,
        takeBack: async () => 0,
        isNotePath: () => false,
      }),
    }
    const life: Life = {
      later: (ms) => clock.set(clock.now() + ms),
      async run(owner, signal) {
        const lease = takeWorkerLease(state, owner, clock)
        if (!lease) return { done: 0, written: 0, problems: ['taken'] }
        const work = {
          [EXTRACTION]: (job: Parameters<typeof extractSession>[1], hold: Parameters<typeof extractSession>[2]) =>
            extractSession(reading, job, hold),
        }
        try {
          return await runJobs({ queue, clock, owner, work, onProblem: () => undefined }, { lease, signal })
        } finally {
          if (!process.isDead) lease.release()
        }
      },
    }
    await live(life).catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error
    })
    const stepsOfFirst = steps.length
    if (process.isDead) {
      Object.assign(process, { isDead: false, isRestarted: true })
      life.later(JOB_LEASE_MS)
      await life.run('second')
    }
    const notes = await Promise.all(
      (await store.list(projectLayer)).map(async (file) => {
        const bytes = new TextEncoder().encode(await store.text(projectLayer, file))
        const { id: _id, hash: _hash, ...note } = readNote(bytes, { layer: projectLayer.key, file })
        return note
      }),
    )
    const { ordinal, skipped } = state.extractions.get(SESSION) ?? { ordinal: null, skipped: null }
    const outcome = {
      notes,
      index: await store.index(projectLayer),
      ordinal,
      skipped,
      jobs: state.queue.list({ limit: 9 }).jobs,
    }
    return {
      outcome,
      steps: steps.slice(0, stepsOfFirst),
      calls: models.asked.length,
      runs: state.queue.runs(9),
      state,
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

function withStep<Given extends readonly unknown[], Result>(work: (...given: Given) => Result, step: () => void) {
  return (...given: Given) => {
    step()
    return work(...given)
  }
}

function stepped(queue: JobQueue, step: (name: string) => void): JobQueue {
  return {
    ...queue,
    take: withStep(queue.take, () => step('take')),
    keepAnswer: withStep(queue.keepAnswer, () => step('keepAnswer')),
    finish: withStep(queue.finish, () => step('finish')),
    giveBack: withStep(queue.giveBack, () => step('giveBack')),
  }
}

describe('a job that is killed [W13]', () => {
  it('ends with the same notes from every step, and asks at most once more: never again once there is an answer', async () => {
    const once = (life: Life) => life.run('first').then(() => undefined)
    const whole = await play({}, once)
    expect(whole.outcome).toMatchObject({ ordinal: 2, jobs: [] })
    expect(whole.outcome.notes.map(({ name }) => name)).toEqual(['fixture 1', 'fixture 2'])
    expect([whole.calls, whole.runs.length]).toEqual([1, 1])
    const names = new Set(whole.steps.map((step) => step.split(' ')[0]))
    expect([...names].sort()).toEqual(['ask', 'cursor', 'finish', 'index', 'keepAnswer', 'lock', 'take', 'write'])
    const kept = whole.steps.indexOf('keepAnswer')
    for (const [position, name] of whole.steps.entries()) {
      const killed = await play({ killAt: position }, once)
      expect(killed.outcome, `killed before step ${position}: ${name}`).toEqual(whole.outcome)
      expect(killed.calls, `calls when killed before step ${position}: ${name}`).toBeLessThanOrEqual(
        position > kept ? 1 : 2,
      )
    }
  })

  it('a model that says it in other words the second time: what it said first is what is kept', async () => {
    const answers = (at: number) => answer(at === 0 ? 'fixture' : 'another name')
    const once = (life: Life) => life.run('first').then(() => undefined)
    const { steps } = await play({ answers }, once)
    for (const position of steps.keys())
      if (position > steps.indexOf('keepAnswer')) {
        const { outcome } = await play({ answers, killAt: position }, once)
        expect(outcome.notes.map(({ name }) => name)).toEqual(['fixture 1', 'fixture 2'])
      }
  })
})

describe('a job that is lost [W13]', () => {
  it.each<[string, number, number]>([
    ['silent for longer than its lease: the other one writes, the first writes nothing', JOB_LEASE_MS, 2],
    ['silent for a while only: the other one finds it taken', JOB_LEASE_MS - 1, 1],
  ])('%s', async (_, silentMs, calls) => {
    const others: unknown[] = []
    const answers = async (at: number, life: Life) => {
      if (at === 0) {
        life.later(silentMs)
        others.push(await life.run('second'))
      }
      return answer(at === 0 ? 'of the first' : 'of the second')
    }
    const first: unknown[] = []
    const played = await play({ answers }, async (life) => void first.push(await life.run('first')))
    const isLost = calls === 2
    expect(played.outcome.notes.map(({ name }) => name)).toEqual(
      isLost ? ['of the second 1', 'of the second 2'] : ['of the first 1', 'of the first 2'],
    )
    expect(first).toMatchObject([{ done: isLost ? 0 : 1, problems: [] }])
    expect(others).toMatchObject([isLost ? { done: 1, written: 2 } : { done: 0, problems: ['taken'] }])
    expect([played.calls, played.runs.length, played.outcome.jobs]).toEqual([calls, 1, []])
  })
})

describe('a job that is told to stop [W13]', () => {
  it('waits again at once, without having counted as an attempt', async () => {
    const stop = new AbortController()
    const answers = (at: number) => {
      if (at === 0) stop.abort()
      return answer('fixture')
    }
    const seen: unknown[] = []
    const played = await play({ answers }, async (life) => {
      await expect(life.run('first', stop.signal)).rejects.toMatchObject({ code: 'CANCELLED' })
      seen.push(await life.run('second'))
    })
    expect(seen).toMatchObject([{ done: 1, written: 2 }])
    expect([played.calls, played.outcome.jobs]).toEqual([2, []])
  })

  it('before it begins: nothing is taken', async () => {
    const played = await play({}, async (life) => {
      await expect(life.run('first', AbortSignal.abort())).rejects.toMatchObject({ code: 'CANCELLED' })
    })
    expect([played.calls, played.outcome.jobs]).toMatchObject([0, [{ state: 'waiting', attempts: 0 }]])
  })
})

describe('the drain [W12]', () => {
  const jobs = (keys: readonly string[]) => {
    const state = createMemoryStateStore()
    const time = { now: harnessNow }
    const clock = { now: () => time.now }
    for (const key of keys) state.queue.put({ id: key, kind: 'x', key, dueAt: 0, signals: [], now: 0 })
    const lease = takeWorkerLease(state, 'first', clock)
    if (!lease) throw new Error('Nobody else has it')
    return { queue: state.queue, clock, time, lease }
  }

  it('begins no job after a minute: the rest is left for the next start', async () => {
    const { queue, clock, time, lease } = jobs(['a', 'b', 'c', 'd'])
    const begun: string[] = []
    const x = async ({ key }: { readonly key: string }) => {
      begun.push(key)
      time.now += 25_000
      return { state: 'done', figures: null, hasMore: false } as const
    }
    const run = () => runJobs({ queue, clock, owner: 'first', work: { x }, onProblem: () => undefined }, { lease })
    expect((await run()).done).toBe(3)
    expect(queue.list({ limit: 9 }).jobs).toMatchObject([{ key: 'd', state: 'waiting', attempts: 0 }])
    expect((await run()).done).toBe(1)
    expect(begun).toEqual(['a', 'b', 'c', 'd'])
  })

  it('a fault of the disk is told, and the job tried again after its back-off', async () => {
    const { queue, clock, lease } = jobs(['a', 'b'])
    const told: string[] = []
    const work = { x: () => Promise.reject(new Error('no space left, key AKIAIOSFODNN7EXAMPLE')) }
    const result = await runJobs(
      { queue, clock, owner: 'first', work, onProblem: (_error, where) => told.push(where) },
      { lease },
    )
    expect([result.done, result.problems.length, told]).toEqual([0, 2, ['worker x', 'worker x']])
    expect(result.problems.join()).not.toContain('AKIAIOSFODNN7EXAMPLE')
    expect(queue.list({ limit: 9 }).jobs).toMatchObject([
      { state: 'waiting', attempts: 1, dueAt: harnessNow + 60_000 },
      { state: 'waiting', attempts: 1, dueAt: harnessNow + 60_000 },
    ])
  })
})
