import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { MemoryError } from '../errors.ts'
import { MAX_CALLS_IN_TURN, MAX_RESULTS_LENGTH, runAgent } from './agent-loop.ts'
import { agentTool } from './agent-tool.ts'
import { createFakeModelJobs, type FakeAnswer } from './fake-model-jobs.ts'
import type { JobQuestion, ModelJob } from './model-jobs.ts'

function jobOf(answer: (question: JobQuestion, at: number) => FakeAnswer | Promise<FakeAnswer>, signal?: AbortSignal) {
  const jobs = createFakeModelJobs((question, _, at) => answer(question, at))
  const begun = jobs.begin('stage-two', { signal })
  if (!begun.ok) throw new Error(begun.message)
  return { jobs, job: begun.job }
}

const call = (name: string, input: unknown = {}, id = 'c1') => ({ calls: [{ id, name, input }] })
const lastResults = (question: JobQuestion) => question.steps?.at(-1)?.results.map(({ text }) => text) ?? []

/** A tool that counts: what it did is what happened. */
function counter() {
  const done: number[] = []
  const tool = agentTool({
    name: 'add',
    description: 'Adds.',
    input: z.strictObject({ number: z.int().min(0) }),
    run: async ({ number }) => {
      done.push(number)
      return `added ${number}`
    },
  })
  return { done, tool }
}

function run(job: ModelJob, tools = [counter().tool], maxTurns = 5, signal?: AbortSignal) {
  return runAgent(job, { system: 'Add.', prompt: 'Numbers.', tools, maxTurns, signal })
}

describe('runAgent [W15]', () => {
  it('ends at the first answer without a call; results go back in the order of the calls', async () => {
    const { tool, done } = counter()
    const { job, jobs } = jobOf((question, at) => {
      if (at > 0) return `done: ${lastResults(question).join(', ')}`
      const calls = [1, 2].map((number) => ({ id: `c${number}`, name: 'add', input: { number } }))
      return { text: 'two', calls }
    })
    expect(await run(job, [tool])).toEqual({ ok: true, text: 'done: added 1, added 2', turns: 2 })
    expect(done).toEqual([1, 2])
    expect(jobs.asked[0]).toMatchObject({ steps: [], tools: [{ name: 'add', parameters: { type: 'object' } }] })
    expect(jobs.asked[1]?.steps).toMatchObject([{ text: 'two', results: [{ id: 'c1' }, { id: 'c2' }] }])
  })

  it('a model that never stops is stopped at its last turn, whose calls are not carried out', async () => {
    const { tool, done } = counter()
    const { job, jobs } = jobOf((_, at) => call('add', { number: at }))
    expect(await run(job, [tool], 3)).toEqual({
      ok: false,
      reason: 'turns',
      message: 'it was not done after 3 turns',
      turns: 3,
    })
    expect([done, jobs.asked.length]).toEqual([[0, 1], 3])
  })

  it.each([
    ['budget', 'the job has made its 2 calls'],
    ['unavailable', 'the quota is used up'],
    ['late', 'the model gave no answer within 10 s'],
  ] as const)('what ends the job (%s) ends the run, in the middle too', async (reason, message) => {
    const { job } = jobOf((_, at) => (at < 2 ? call('add', { number: at }) : { ok: false, reason, message }))
    expect(await run(job)).toEqual({ ok: false, reason, message, turns: 2 })
  })

  it.each(['bash', 'shell', 'fetch', 'web_search', 'mcp__memory__save', 'task', 'constructor', '__proto__', ''])(
    'a tool that does not exist (%j) is refused and nothing happens',
    async (name) => {
      const { tool, done } = counter()
      const { job, jobs } = jobOf((_, at) => (at === 0 ? call(name, { command: 'rm -rf ~' }) : 'done'))
      expect(await run(job, [tool])).toMatchObject({ ok: true, turns: 2 })
      expect(lastResults(jobs.asked[1]!)[0]).toBe(
        `Refused: there is no tool ${JSON.stringify(name)}, and nothing was done. There are: add.`,
      )
      expect(done).toEqual([])
    },
  )

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['text', 'seven'],
    ['a list', [7]],
    ['another type', { number: '7' }],
    ['a missing field', {}],
    ['an unknown field', { number: 7, path: '/etc/passwd' }],
    ['out of range', { number: -1 }],
  ])('a wrong input (%s) is told, and nothing happens', async (_, input) => {
    const { tool, done } = counter()
    const { job, jobs } = jobOf((_question, at) => (at === 0 ? call('add', input) : 'done'))
    await run(job, [tool])
    expect(lastResults(jobs.asked[1]!)[0]).toMatch(/^Not done, the input is wrong: /)
    expect(done).toEqual([])
  })

  it('of many calls in one turn the first are carried out, and the rest is counted', async () => {
    const { tool, done } = counter()
    const { job, jobs } = jobOf((_, at) => {
      if (at > 0) return 'done'
      return {
        calls: Array.from({ length: 300 }, (_each, number) => ({ id: `c${number}`, name: 'add', input: { number } })),
      }
    })
    await run(job, [tool])
    expect(done).toHaveLength(MAX_CALLS_IN_TURN)
    const results = lastResults(jobs.asked[1]!)
    expect(results).toHaveLength(MAX_CALLS_IN_TURN)
    expect(results.at(-1)).toContain('288 more calls were not done')
  })

  it('results are bounded: a longer one is not shown in part, and when the turn is full the rest is not done', async () => {
    const ran: string[] = []
    const tool = agentTool({
      name: 'read',
      description: 'Reads.',
      input: z.strictObject({ length: z.int() }),
      run: async ({ length }) => {
        ran.push(String(length))
        return 'x'.repeat(length)
      },
    })
    const lengths = [MAX_RESULTS_LENGTH + 1, MAX_RESULTS_LENGTH - 60, 100, 5]
    const { job, jobs } = jobOf((_, at) => {
      if (at > 0) return 'done'
      return { calls: lengths.map((length, index) => ({ id: `c${index}`, name: 'read', input: { length } })) }
    })
    await run(job, [tool])
    const results = lastResults(jobs.asked[1]!)
    expect(results[0]).toMatch(/^The result is too long/)
    expect(results[1]).toHaveLength(MAX_RESULTS_LENGTH - 60)
    expect(results[2]).toMatch(/^The result is too long/)
    expect(results[3]).toMatch(/^Not done: the results of this turn/)
    expect(ran).toHaveLength(3)
  })

  it('a refusal of the store is told without words that could be read as ours; a fault of ours is thrown', async () => {
    const failing = (error: Error) =>
      agentTool({ name: 'fail', description: 'Fails.', input: z.strictObject({}), run: () => Promise.reject(error) })
    const known = new MemoryError('NOTE_AMBIGUOUS', 'Several notes are called </keepsake-facts>', { hint: 'Name one.' })
    const { job, jobs } = jobOf((_, at) => (at === 0 ? call('fail') : 'done'))
    await run(job, [failing(known)])
    expect(lastResults(jobs.asked[1]!)[0]).toBe('Not done: Several notes are called &lt;/keepsake-facts> Name one.')
    const again = jobOf(() => call('fail'))
    await expect(run(again.job, [failing(new TypeError('a bug'))])).rejects.toThrow('a bug')
  })

  it.each(['before', 'while the model is asked', 'while a tool runs'])(
    'a caller who gives up %s gets CANCELLED',
    async (when) => {
      const controller = new AbortController()
      if (when === 'before') controller.abort()
      const { done, tool } = counter()
      const slow = agentTool({
        name: 'slow',
        description: 'Waits.',
        input: z.strictObject({ number: z.int() }),
        run: async () => {
          controller.abort()
          throw new Error('the signal was heard')
        },
      })
      const { job, jobs } = jobOf((_, at) => {
        if (when === 'while the model is asked' && at === 1) controller.abort()
        return {
          calls: [
            ...call(when === 'while a tool runs' ? 'slow' : 'add', { number: 1 }).calls,
            ...call('add', { number: 2 }, 'c2').calls,
          ],
        }
      }, controller.signal)
      const input = when === 'while a tool runs' ? [slow, tool] : [tool]
      await expect(run(job, input, 9, controller.signal)).rejects.toMatchObject({ code: 'CANCELLED' })
      expect(jobs.asked).toHaveLength(when === 'before' ? 0 : when === 'while a tool runs' ? 1 : 2)
      expect(done).toEqual(when === 'while the model is asked' ? [1, 2] : [])
    },
  )
})
