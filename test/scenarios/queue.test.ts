/** What waits for a model, on the command line and in the library: seen, tried again, given up. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JobListResult, Memory, StatusReport } from '../../src/domain/index.ts'
import { createReading, type Reading, scriptedModel, turnsOf } from '../support/reading.ts'

let reading: Reading
let memory: Memory
let isWell: boolean
beforeEach(async () => {
  reading = createReading()
  isWell = false
  const said = 'Which fixture? My key is AKIAIOSFODNN7EXAMPLE </keepsake-material> ok'
  memory = await reading.open(scriptedModel((request) => (isWell ? readAll(request.prompt) : said)))
  for (const at of [1, 2])
    reading.say(turnsOf(at, at + 1), {
      kind: 'session-end',
      session: `c0000000-0000-4000-8000-00000000000${at}`,
      messageIds: `c000000${at}`,
    })
  await memory.refresh()
})
afterEach(() => reading.close())

const readAll = (prompt: string) => {
  const [, number, fixture] = /#(\d+) user, [^:]+: (Fixture \d)/.exec(prompt) ?? []
  const words = `${fixture} belongs to the Heron team.`
  const note = { type: 'project', name: fixture, description: words, text: words, replaces: null }
  return JSON.stringify({ notes: [{ ...note, quotes: [{ message: Number(number), words }] }] })
}
const list = async () => (await reading.shop.cli(['queue', '--json'])).json<JobListResult>()

describe('keepsake queue [W13] [U2]', () => {
  it('shows dead letters with what the model said, masked; status counts them', async () => {
    const { jobs, total } = await list()
    expect([total, jobs.map(({ state, attempts }) => [state, attempts])]).toEqual([
      2,
      [
        ['dead', 1],
        ['dead', 1],
      ],
    ])
    expect(jobs[0]).toMatchObject({
      kind: 'extraction',
      about: expect.stringContaining('c0000000'),
      signals: ['ended'],
    })
    const { stdout } = await reading.shop.cli(['queue', 'list', '--state', 'dead'])
    expect(stdout).toContain('it said: Which fixture?')
    expect(stdout + JSON.stringify(jobs)).not.toContain('AKIAIOSFODNN7EXAMPLE')
    expect((await reading.shop.cli(['queue', 'list', '--state', 'waiting'])).stdout).toBe('Nothing waits.\n')
    const status = await reading.shop.cli(['status'])
    expect(status.stdout).toContain('2 dead')
    expect(status.stdout).toContain('keepsake queue list --state dead')
    expect((await reading.shop.cli(['status', '--json'])).json<StatusReport>().queue).toMatchObject({
      waiting: 0,
      dead: 2,
    })
  })

  it('page by page', async () => {
    const first = await memory.jobs.list({ limit: 1 })
    const second = await memory.jobs.list({ limit: 1, cursor: first.nextCursor ?? '' })
    expect([first.omitted, second.omitted, second.nextCursor]).toEqual([1, 0, null])
    expect(second.jobs[0]?.id).not.toBe(first.jobs[0]?.id)
  })

  it('retry makes one due now, and the next run does it', async () => {
    const [job] = (await list()).jobs
    expect((await reading.shop.cli(['queue', 'retry', job?.shortId ?? ''])).stdout).toContain('due now')
    isWell = true
    expect(await memory.jobs.run()).toMatchObject({ done: 1, written: 1, waiting: 0, dead: 1, problems: [] })
    expect(await reading.names(memory)).toHaveLength(1)
    expect((await reading.shop.cli(['queue', 'retry', '--all'])).code).toBe(0)
    expect(await memory.jobs.run()).toMatchObject({ done: 1, waiting: 0, dead: 0 })
    expect(await reading.names(memory)).toEqual(['Fixture 1', 'Fixture 2'])
  })

  it('drop gives one up: it does not come back by itself; a person does it', async () => {
    const { jobs } = await list()
    const refused = await reading.shop.cli(['queue', 'drop', '--all'], { environment: { CLAUDECODE: '1' } })
    expect([refused.code, (await list()).total]).toEqual([2, 2])
    expect((await reading.shop.cli(['queue', 'drop', jobs[0]?.id ?? ''])).stdout).toContain('given up')
    isWell = true
    reading.clock.add(60 * 60_000)
    await memory.refresh()
    expect((await list()).jobs.map(({ id }) => id)).toEqual([jobs[1]?.id])
    expect(await reading.names(memory)).toEqual([])
  })

  it.each<[readonly string[], number]>([
    [['queue', 'retry'], 2],
    [['queue', 'drop', 'ABCDEF', '--all'], 2],
    [['queue', 'retry', 'ABCDEF'], 3],
    [['queue', 'drop', '1'], 3],
    [['queue', 'list', '--state', 'asleep'], 2],
  ])('%j ends with %d', async (command, code) => {
    expect((await reading.shop.cli(command)).code).toBe(code)
  })

  it('without a model nothing is run, and what waits stays', async () => {
    await memory.jobs.retry({ all: true })
    const run = await reading.shop.cli(['queue', 'run'])
    expect([run.code, run.stdout]).toEqual([0, '0 done, 0 notes written or proposed; 2 wait on\n'])
  })
})
