/** Contract of the job queue (spec W13): debounce, one owner, heartbeat, back-off, dead letters, bounds. */
import { beforeEach, describe, expect, it } from 'vitest'
import {
  backoffMs,
  FORGOTTEN_ERROR,
  JOB_LEASE_MS,
  type JobQueue,
  type JobRun,
  MAX_ERROR,
  MAX_JOBS,
  MAX_LOSSES,
  MAX_RAW,
  MAX_RUNS,
  MAX_SIGNALS,
  MAX_WAIT_MS,
  type NewJob,
  type QueuedJob,
} from '../store/state/job-queue.ts'

/** `create` gives an empty queue. */
export function testJobQueue(name: string, create: () => JobQueue): void {
  describe(name, () => {
    let queue: JobQueue
    beforeEach(() => {
      queue = create()
    })
    const current = () => queue

    describe('put', () => testPut(current))
    describe('take', () => testTake(current))
    describe('the end of a job', () => testEnd(current))
    describe('a person', () => testPerson(current))
    describe('bounds', () => testBounds(current))
  })
}

type Current = () => JobQueue

const NOW = 1_700_000_000_000

function job(key: string, fields: Partial<NewJob> = {}): NewJob {
  return { id: `id ${key}`, kind: 'extraction', key, dueAt: NOW + 30_000, signals: [], now: NOW, ...fields }
}

const take = (queue: JobQueue, owner: string, now: number) => queue.take({ owner, now, kinds: ['extraction'] })

/** Puts a job and has it taken. */
function taken(queue: JobQueue, key = 's1', owner = 'first'): QueuedJob {
  queue.put(job(key, { dueAt: NOW }))
  const found = take(queue, owner, NOW)
  if (!found) throw new Error('Nothing was due')
  return found
}

const run: JobRun = {
  kind: 'extraction',
  key: '会话',
  endedAt: NOW,
  durationMs: 1_200,
  calls: 2,
  inputTokens: 3_000,
  outputTokens: 90,
  isEstimated: true,
  written: 1,
  refused: 2,
}

function testPut(current: Current): void {
  it('is debounced: one job for a kind and a key, at the newest time, for all the reasons', () => {
    current().put(job('会话', { signals: ['keep'] }))
    current().put(job('会话', { id: 'other', dueAt: NOW + 50_000, signals: ['correction', 'keep'] }))
    current().put(job('会话', { id: 'sooner', dueAt: NOW + 40_000 }))
    current().put(job('会话', { id: 'kind', kind: 'stage-one' }))
    const [one, two] = current().list({ limit: 10 }).jobs
    expect(one).toMatchObject({ id: 'kind', kind: 'stage-one' })
    expect(two).toEqual({
      id: 'id 会话',
      kind: 'extraction',
      key: '会话',
      state: 'waiting',
      createdAt: NOW,
      dueAt: NOW + 40_000,
      signals: ['keep', 'correction'],
      attempts: 0,
      losses: 0,
      owner: null,
      renewedAt: null,
      again: null,
      lastError: null,
      raw: null,
      answer: null,
    })
  })

  it('while it runs, it waits again afterwards', () => {
    const { id } = taken(current())
    current().put(job('s1', { dueAt: NOW + 70_000, signals: ['goal'] }))
    expect(current().list({ limit: 10 }).total).toBe(1)
    expect(take(current(), 'second', NOW + 80_000)).toBeNull()
    expect(current().finish(id, 'first', null)).toBe(true)
    expect(current().find('extraction', 's1')).toMatchObject({
      state: 'waiting',
      dueAt: NOW + 70_000,
      signals: ['goal'],
      attempts: 0,
      again: null,
    })
  })

  it.each<[string, (queue: JobQueue, id: string) => void, number]>([
    ['after a fault', (queue, id) => queue.giveBack(id, 'first', { ...off, error: 'no network', isFault: true }), 1],
    ['for want of a budget', (queue, id) => queue.giveBack(id, 'first', { ...off, error: 'spent', isFault: false }), 0],
    ['dead', (queue, id) => queue.bury(id, 'first', { ...off, error: 'unreadable', raw: 'ok' }), 1],
  ])('%s: it waits, and not shorter than it was put off', (_, end, attempts) => {
    end(current(), taken(current()).id)
    current().put(job('s1', { dueAt: NOW + 31_000 }))
    expect(current().find('extraction', 's1')).toMatchObject({ state: 'waiting', dueAt: off.dueAt, attempts })
    current().put(job('s1', { dueAt: NOW + 700_000 }))
    expect(current().find('extraction', 's1')).toMatchObject({ dueAt: NOW + 700_000 })
  })
}

const off = { dueAt: NOW + 600_000 }

function testTake(current: Current): void {
  it.each<[string, number, boolean]>([
    ['before it is due', NOW + 29_999, false],
    ['when it is due', NOW + 30_000, true],
    ['long after', NOW + 86_400_000, true],
    ['when the clock was set back by days', NOW - 2 * MAX_WAIT_MS, true],
  ])('%s', (_, now, isGiven) => {
    current().put(job('s1'))
    const found = take(current(), 'first', now)
    expect(found?.key ?? null).toBe(isGiven ? 's1' : null)
    if (isGiven) expect(found).toMatchObject({ state: 'running', owner: 'first', renewedAt: now, attempts: 1 })
  })

  it('gives the one that is due first, each once, and only of the kinds asked for', () => {
    for (const [key, dueAt] of [
      ['b', 2],
      ['a', 1],
      ['c', 3],
    ] as const)
      current().put(job(key, { dueAt }))
    current().put(job('other', { kind: 'stage-one', dueAt: 0 }))
    expect(['x', 'y', 'z', 'x'].map((owner) => take(current(), owner, NOW)?.key)).toEqual(['a', 'b', 'c', undefined])
  })

  it('an owner that renews keeps it; one that is silent loses it, and can do nothing more', () => {
    const { id } = taken(current())
    expect(current().renew(id, 'first', NOW + JOB_LEASE_MS - 1)).toBe(true)
    expect(take(current(), 'second', NOW + JOB_LEASE_MS + 1)).toBeNull()
    const later = NOW + 2 * JOB_LEASE_MS
    current().keepAnswer(id, 'first', 'an answer')
    expect(take(current(), 'second', later)).toMatchObject({ owner: 'second', losses: 1, answer: 'an answer' })
    expect(current().renew(id, 'first', later)).toBe(false)
    expect(current().keepAnswer(id, 'first', 'late')).toBe(false)
    expect(current().finish(id, 'first', run)).toBe(false)
    expect(current().giveBack(id, 'first', { dueAt: 0, error: null, isFault: true })).toBe(false)
    expect(current().bury(id, 'first', { dueAt: 0, error: 'late', raw: null })).toBe(false)
    expect(current().find('extraction', 's1')).toMatchObject({ state: 'running', owner: 'second', answer: 'an answer' })
    expect(current().runs(10)).toEqual([])
  })

  it('one whose owners always go silent dies, and says so', () => {
    current().put(job('s1', { dueAt: NOW }))
    const owners = Array.from({ length: MAX_LOSSES + 1 }, (_, at) => take(current(), `${at}`, NOW + at * JOB_LEASE_MS))
    expect(owners.map((each) => each?.losses ?? null)).toEqual([
      ...Array.from({ length: MAX_LOSSES }, (_, at) => at),
      null,
    ])
    const dead = current().find('extraction', 's1')
    expect(dead).toMatchObject({ state: 'dead', owner: null })
    expect(dead?.lastError).toContain(`${MAX_LOSSES} times`)
  })
}

function testEnd(current: Current): void {
  it('done: it is gone, and its run is remembered', () => {
    const { id } = taken(current())
    expect(current().finish(id, 'first', run)).toBe(true)
    expect(current().list({ limit: 10 })).toEqual({ jobs: [], total: 0 })
    expect(current().runs(10)).toEqual([run])
    expect(current().finish(id, 'first', run)).toBe(false)
  })

  it.each([
    [true, 1],
    [false, 0],
  ])('given back (a fault: %s), it waits with the reason', (isFault, attempts) => {
    const { id } = taken(current())
    current().keepAnswer(id, 'first', 'kept')
    expect(current().giveBack(id, 'first', { dueAt: NOW + 60_000, error: 'no network', isFault })).toBe(true)
    expect(current().find('extraction', 's1')).toMatchObject({
      state: 'waiting',
      owner: null,
      attempts,
      dueAt: NOW + 60_000,
      lastError: 'no network',
      answer: 'kept',
    })
    expect(take(current(), 'second', NOW + 59_999)).toBeNull()
    expect(take(current(), 'second', NOW + 60_000)?.attempts).toBe(attempts + 1)
  })

  it('dead: it waits for nothing, with what the model said; put meanwhile, it waits once more', () => {
    const { id } = taken(current())
    expect(current().bury(id, 'first', { dueAt: NOW, error: 'no JSON', raw: '好的' })).toBe(true)
    expect(current().counts()).toEqual({ waiting: 0, running: 0, dead: 1 })
    expect(take(current(), 'second', NOW + 1_000_000)).toBeNull()
    expect(current().list({ state: 'dead', limit: 1 }).jobs[0]).toMatchObject({ lastError: 'no JSON', raw: '好的' })
    const next = taken(current(), 's2')
    current().put(job('s2', { signals: ['goal'] }))
    current().bury(next.id, 'first', { dueAt: NOW + 60_000, error: 'no JSON', raw: 'ok' })
    expect(current().find('extraction', 's2')).toMatchObject({
      state: 'waiting',
      dueAt: NOW + 60_000,
      signals: ['goal'],
    })
  })

  it('back-off doubles and ends at six hours', () => {
    expect([1, 2, 3, 20, 1_000].map((attempts) => backoffMs(attempts) / 60_000)).toEqual([1, 2, 4, 360, 360])
  })
}

function testPerson(current: Current): void {
  it('retries what is dead or waits long, now and as if for the first time', () => {
    const { id } = taken(current())
    expect(current().retry(id, NOW)).toBe(false)
    current().bury(id, 'first', { dueAt: NOW + 9_000_000, error: 'no JSON', raw: 'ok' })
    expect(current().retry(id, NOW + 5)).toBe(true)
    expect(current().find('extraction', 's1')).toMatchObject({
      state: 'waiting',
      dueAt: NOW + 5,
      attempts: 0,
      losses: 0,
    })
    expect(current().retry('unknown', NOW)).toBe(false)
  })

  it('drops one by its id or by what it is about, also while it runs', () => {
    const { id } = taken(current())
    current().put(job('s2'))
    expect([current().drop(id), current().drop(id)]).toEqual([true, false])
    expect(current().finish(id, 'first', run)).toBe(false)
    expect([current().dropKey('stage-one', 's2'), current().dropKey('extraction', 's2')]).toEqual([false, true])
    expect(current().list({ limit: 10 }).total).toBe(0)
  })

  it.each(['dead', 'waiting', 'running'] as const)('what models said goes with a forgotten note: %s', (state) => {
    const { id } = taken(current())
    current().keepAnswer(id, 'first', '{"notes": ["kiln"]}')
    const back = { dueAt: NOW + 5, error: 'no kiln', isFault: true }
    if (state === 'dead') current().bury(id, 'first', { ...back, raw: 'The kiln' })
    if (state === 'waiting') current().giveBack(id, 'first', back)
    current().put(job('s2'))
    const other = current().find('extraction', 's2')
    current().forgetWords('s1')
    const bare = current().find('extraction', 's1')
    expect(JSON.stringify(bare)).not.toContain('kiln')
    // Who worked on it holds the words too: he can change nothing more, and it is done again.
    expect(bare).toMatchObject({ state: state === 'dead' ? 'dead' : 'waiting', raw: null, answer: null, owner: null })
    expect(bare?.lastError).toBe(state === 'running' ? null : FORGOTTEN_ERROR)
    expect(current().keepAnswer(id, 'first', 'The kiln')).toBe(false)
    expect(current().find('extraction', 's2')).toEqual(other)
  })

  it('lists in the order of what is due, page by page', () => {
    for (const [key, dueAt] of [
      ['b', 2],
      ['a', 1],
      ['d', 4],
      ['c', 3],
    ] as const)
      current().put(job(key, { dueAt }))
    const page = current().list({ limit: 2, offset: 1 })
    expect([page.jobs.map(({ key }) => key), page.total]).toEqual([['b', 'c'], 4])
    expect(current().list({ state: 'dead', limit: 10 }).total).toBe(0)
  })
}

function testBounds(current: Current): void {
  it('is full at some point: the oldest dead one makes room, else the new one is refused', () => {
    for (let at = 0; at < MAX_JOBS; at++) current().put(job(`s${at}`, { now: NOW + at, dueAt: at }))
    expect(current().put(job('one more'))).toBe(false)
    expect(current().put(job('s5', { signals: ['keep'] }))).toBe(true)
    const { id } = take(current(), 'first', NOW) ?? { id: '' }
    current().bury(id, 'first', { dueAt: NOW, error: 'no JSON', raw: null })
    expect(current().put(job('one more'))).toBe(true)
    expect(current().find('extraction', 's0')).toBeNull()
    expect(current().list({ limit: 1 }).total).toBe(MAX_JOBS)
  })

  it('keeps a part of a long answer, of an error and of many reasons, and the last runs', () => {
    const { id } = taken(current())
    const signals = Array.from({ length: 2 * MAX_SIGNALS }, (_, at) => `${at}`)
    current().put(job('s1', { signals }))
    current().bury(id, 'first', { dueAt: NOW, error: 'e'.repeat(5_000), raw: '长'.repeat(50_000) })
    const dead = current().find('extraction', 's1')
    expect([dead?.lastError?.length, dead?.raw?.length, dead?.signals.length]).toEqual([
      MAX_ERROR,
      MAX_RAW,
      MAX_SIGNALS,
    ])
    for (let at = 0; at < MAX_RUNS + 5; at++)
      current().finish(taken(current(), `r${at}`).id, 'first', { ...run, endedAt: at })
    const runs = current().runs(10_000)
    expect([runs.length, runs[0]?.endedAt, runs.at(-1)?.endedAt]).toEqual([MAX_RUNS, MAX_RUNS + 4, 5])
  })
}
