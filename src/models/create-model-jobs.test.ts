import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_BUDGET, JOB_BUDGETS, jobKinds, type KindSpend } from '../domain/index.ts'
import { createMemoryCallLedger } from '../store/state/memory-call-ledger.ts'
import { type JobsOfOptions, jobsOf } from '../testing/jobs-of.ts'
import type { Completer, Completion, CompletionRequest } from './completer.ts'
import { estimateInput } from './estimate-input.ts'
import { createFakeCompleter } from './fake-completer.ts'

const NOON = Date.UTC(2026, 2, 1, 12)
const question = { system: 'You keep notes.', prompt: 'What is new?' }
const completer = (complete: (request: CompletionRequest) => Promise<Completion>, id = 'model'): Completer => ({
  id,
  complete,
})
const telling = (input: number, output: number) => completer(async () => ({ text: 'yes', tokens: { input, output } }))
const deaf = completer(() => new Promise<never>(() => {}))

function begun(small: Completer | null, options: JobsOfOptions = {}, kind: (typeof jobKinds)[number] = 'extraction') {
  const ledger = options.ledger ?? createMemoryCallLedger()
  const jobs = jobsOf(small, { ...options, ledger })
  const start = jobs.begin(kind)
  if (!start.ok) throw new Error(start.message)
  const spentToday = (): KindSpend | undefined => ledger.spendOf(NOON).find((each) => each.kind === kind)
  return { jobs, job: start.job, ledger, spentToday }
}

describe('which model [W16]', () => {
  const [small, large] = [completer(deaf.complete, 'small'), completer(deaf.complete, 'large')]
  const models = (one: Completer | null, other: Completer | null) =>
    jobKinds.map((kind) => {
      const start = jobsOf(one, { large: other }).begin(kind)
      return start.ok ? start.job.model : start.reason
    })

  it('the large one consolidates, the small one does everything else', () => {
    expect(models(small, large)).toEqual(jobKinds.map((kind) => (kind === 'stage-two' ? 'large' : 'small')))
  })

  it('a small one stands in for the large one, never the other way round', () => {
    expect(models(small, null)).toEqual(jobKinds.map(() => 'small'))
    expect(models(null, large)).toEqual(jobKinds.map((kind) => (kind === 'stage-two' ? 'large' : 'no-model')))
    expect(jobKinds.map((kind) => jobsOf(null, { large }).has(kind))).toEqual(
      jobKinds.map((kind) => kind === 'stage-two'),
    )
    expect(models(null, null)).toEqual(jobKinds.map(() => 'no-model'))
  })

  it('a probe may name the one it means', () => {
    const start = jobsOf(small, { large }).begin('probe', { size: 'large' })
    expect(start).toMatchObject({ ok: true, job: { model: 'large' } })
  })
})

describe('one call [W16]', () => {
  it('gives text and calls, and asks with what is left of the output and a signal', async () => {
    const fake = createFakeCompleter(() => 'one')
    const { job } = begun(fake)
    expect(await job.ask({ ...question, schema: { type: 'object' } })).toEqual({ ok: true, text: 'one', calls: [] })
    expect(fake.requests[0]).toEqual({
      ...question,
      schema: { type: 'object' },
      maxTokens: 4_000,
      signal: expect.any(AbortSignal),
    })
  })

  it('is counted with the most it may cost while it is made, and set right to the token', async () => {
    const during: unknown[] = []
    const made = begun(
      completer(async () => {
        during.push(made.spentToday(), made.job.spent())
        return { text: 'yes', tokens: { input: 11, output: 3 } }
      }),
    )
    await made.job.ask(question)
    const most = { calls: 1, inputTokens: estimateInput(question), outputTokens: 4_000, estimated: true }
    expect(during).toEqual([{ kind: 'extraction', money: 0, ...most }, most])
    const cost = { calls: 1, inputTokens: 11, outputTokens: 3, estimated: false }
    expect([made.spentToday(), made.job.spent()]).toEqual([{ kind: 'extraction', money: 0, ...cost }, cost])
  })

  it.each<[string, Completion['tokens']]>([
    ['tells nothing', null],
    ['tells no number', { input: Number.NaN, output: 1 }],
    ['tells less than nothing', { input: -5, output: 1 }],
    ['tells halves', { input: 0.5, output: 1 }],
    ['tells too much', { input: 1, output: Number.POSITIVE_INFINITY }],
  ])('a model that %s of its tokens is estimated', async (_, tokens) => {
    const { job } = begun(completer(async () => ({ text: 'one two three', tokens })))
    await job.ask(question)
    const { outputTokens, ...rest } = job.spent()
    expect(rest).toEqual({ calls: 1, inputTokens: estimateInput(question), estimated: true })
    expect(outputTokens).toBeGreaterThan(1)
    expect(outputTokens).toBeLessThan(10)
  })

  it('a model that fails gives a reason without secrets, and costs what it was sent', async () => {
    const fake = createFakeCompleter(() => {
      throw new Error('401 for key sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789\nat a.ts')
    })
    const { job, spentToday } = begun(fake)
    const answer = await job.ask(question)
    expect(answer).toMatchObject({
      ok: false,
      reason: 'unavailable',
      message: expect.stringMatching(/^the model could not be asked: 401 for key/),
    })
    expect(JSON.stringify(answer)).not.toMatch(/abcdefghij|\\n/)
    expect(spentToday()).toMatchObject({
      calls: 1,
      inputTokens: estimateInput(question),
      outputTokens: 0,
      estimated: true,
    })
  })

  it('a model that does not answer is left, and the most it may cost stays counted', async () => {
    const { job, spentToday } = begun(deaf, { perJob: { seconds: 0.005 } })
    expect(await job.ask(question)).toEqual({
      ok: false,
      reason: 'late',
      message: 'the model gave no answer within 0.005 s',
    })
    expect(spentToday()).toMatchObject({ calls: 1, outputTokens: 4_000, estimated: true })
  })

  it('a caller who gave up gets CANCELLED, before and while it is asked', async () => {
    const fake = createFakeCompleter(() => 'one')
    const before = jobsOf(fake).begin('summary', { signal: AbortSignal.abort() })
    if (!before.ok) throw new Error(before.message)
    await expect(before.job.ask(question)).rejects.toMatchObject({ code: 'CANCELLED' })
    expect(fake.requests).toEqual([])
    const controller = new AbortController()
    const during = jobsOf(deaf).begin('summary', { signal: controller.signal })
    if (!during.ok) throw new Error(during.message)
    const asked = during.job.ask(question)
    controller.abort(new Error('stop'))
    await expect(asked).rejects.toMatchObject({ code: 'CANCELLED' })
    expect(during.job.spent()).toMatchObject({ calls: 1, outputTokens: 1_000 })
  })

  it.each([
    'Failed to authenticate. API Error: 401',
    'usage limit reached',
    'Rate limit exceeded, try again later.',
    '您的额度已用完',
    '请先登录',
  ])('a success that says %j is no answer (BL-24)', async (text) => {
    const { job } = begun(createFakeCompleter(() => text))
    expect(await job.ask(question)).toEqual({ ok: false, reason: 'unavailable', message: `the model said: ${text}` })
  })

  it('a call that cannot be counted is not made; one that cannot be set right stays counted', async () => {
    const ledger = createMemoryCallLedger()
    const fails = () => {
      throw new Error('the database stayed locked')
    }
    const fake = createFakeCompleter(() => 'one')
    const unwritable = begun(fake, { ledger: { ...ledger, reserve: fails } })
    expect(await unwritable.job.ask(question)).toMatchObject({
      ok: false,
      reason: 'unavailable',
      message: expect.stringContaining('locked'),
    })
    expect(fake.requests).toEqual([])
    const unsettled = begun(fake, { ledger: { ...ledger, settle: fails } })
    expect(await unsettled.job.ask(question)).toMatchObject({ ok: true, text: 'one' })
    expect(unsettled.spentToday()).toMatchObject({ calls: 1, outputTokens: 4_000 })
    const unreadable = begun(fake, { ledger: { ...ledger, spendOf: fails, reserve: fails } })
    expect(await unreadable.job.ask(question)).toMatchObject({ ok: false, reason: 'unavailable' })
    expect(fake.requests).toHaveLength(1)
  })
})

describe('ceilings of a job [W16]', () => {
  async function until(small: Completer, options: JobsOfOptions = {}, ask = question) {
    const made = begun(small, options)
    for (let count = 0; ; count++) {
      const answer = await made.job.ask(ask)
      if (!answer.ok && answer.reason === 'budget') return { ...made, count, message: answer.message }
      if (count > 200) throw new Error('It never ends')
    }
  }

  const call = { id: '1', name: 'read', input: {} }

  it.each<[string, Completer]>([
    ['always answers', telling(10, 10)],
    ['always asks for a tool', completer(async () => ({ text: '', calls: [call], tokens: null }))],
    ['always fails', completer(async () => Promise.reject(new Error('500')))],
    ['always says that its quota is used up', createFakeCompleter(() => 'usage limit reached')],
    ['never says anything', createFakeCompleter(() => '')],
  ])('a model that %s is asked as often as the job allows', async (_, small) => {
    const { count, message, spentToday } = await until(small)
    expect([count, spentToday()?.calls, message]).toEqual([5, 5, 'the job has made its 5 calls'])
  })

  it('input, over all calls', async () => {
    const large = { ...question, prompt: 'word '.repeat(9_000) }
    const { count, message, job } = await until(telling(9_500, 1), {}, large)
    expect([count, job.spent().inputTokens]).toEqual([3, 28_500])
    expect(message).toMatch(/and the job has 1500 of 30000 left/)
    const never = begun(telling(1, 1))
    expect(await never.job.ask({ ...question, prompt: 'word '.repeat(40_000) })).toMatchObject({
      ok: false,
      reason: 'budget',
    })
    expect(never.job.spent().calls).toBe(0)
  })

  it('output, over all calls: each may take what is left', async () => {
    const asked: number[] = []
    const small = completer(async ({ maxTokens }) => {
      asked.push(maxTokens)
      return { text: 'yes', tokens: { input: 1, output: Math.min(1_990, maxTokens) } }
    })
    const { message } = await until(small)
    expect(asked).toEqual([4_000, 2_010])
    expect(message).toBe('the job has used its 4000 tokens of answers')
  })

  it('two calls at once share what is left', async () => {
    const { job } = begun(deaf, { perJob: { seconds: 0.005 } })
    const answers = await Promise.all([job.ask(question), job.ask(question)])
    expect(answers.map((answer) => !answer.ok && answer.reason)).toEqual(['late', 'budget'])
  })

  it('time, over all calls and what lies between', async () => {
    let now = NOON
    const made = begun(telling(1, 1), { now: () => now })
    now += 119_000
    expect(await made.job.ask(question)).toMatchObject({ ok: true })
    now += 1_000
    expect(await made.job.ask(question)).toEqual({ ok: false, reason: 'budget', message: 'the job has used its 120 s' })
    now -= 86_400_000
    expect(await made.job.ask(question)).toMatchObject({ ok: true })
  })

  it('money, where it is limited', async () => {
    const prices = { model: { input: 100, output: 100 } }
    const { count, message } = await until(telling(1_000, 1), { prices, perJob: { money: 0.45 } })
    expect(count).toBe(1)
    expect(message).toBe('the job may cost more than 0.45 (budget.perJob)')
    expect(jobsOf(telling(1, 1), { perJob: { money: 1 } }).begin('summary')).toMatchObject({
      ok: false,
      reason: 'budget',
      message: 'money is limited, and models.prices has no price of model',
    })
  })
})

describe('ceilings of a day [W16]', () => {
  it('a job that could pass one does not begin', () => {
    const ledger = createMemoryCallLedger()
    for (let at = 0; at < 46; at++)
      ledger.reserve(
        { id: `${at}`, job: 'j', kind: 'extraction', model: 'm', at: NOON, inputTokens: 1, outputTokens: 1, money: 0 },
        DAY_BUDGET,
      )
    const jobs = jobsOf(telling(1, 1), { ledger })
    expect(jobs.begin('extraction')).toEqual({
      ok: false,
      reason: 'budget',
      message: 'a day has 50 calls for extraction, 46 are used and up to 5 more would be (setting budget.perDay.calls)',
    })
    expect(jobs.begin('summary')).toMatchObject({ ok: true })
    expect(jobsOf(telling(1, 1), { ledger, now: () => NOON + 86_400_000 }).begin('extraction')).toMatchObject({
      ok: true,
    })
  })

  it('jobs that began together do not pass one either', async () => {
    const ledger = createMemoryCallLedger()
    const jobs = jobsOf(telling(1, 1), { ledger, perDay: { calls: 14 } })
    const started = Array.from({ length: 4 }, () => jobs.begin('extraction'))
    const answers = []
    for (let round = 0; round < 5; round++)
      for (const start of started) if (start.ok) answers.push(await start.job.ask(question))
    expect(answers.filter((answer) => answer.ok)).toHaveLength(7)
    expect(ledger.spendOf(NOON)[0]?.calls).toBe(7)
  })

  it('a model that tells more than was foreseen is written down as it told, and then there is no more', async () => {
    const { job, jobs, spentToday } = begun(telling(480_000, 9_000), { perDay: { tokens: 1_000_000 } })
    expect(await job.ask(question)).toMatchObject({ ok: true })
    expect(spentToday()).toMatchObject({ inputTokens: 480_000, outputTokens: 9_000, estimated: false })
    expect(await job.ask(question)).toMatchObject({ ok: false, reason: 'budget' })
    expect(jobs.begin('extraction')).toMatchObject({ ok: false, reason: 'budget' })
  })

  it('whatever models do, no ceiling is passed and the ledger is exact', async () => {
    const behaviour = fc.record({
      input: fc.double({ min: 0, max: 1, noNaN: true }),
      output: fc.double({ min: 0, max: 1, noNaN: true }),
      does: fc.constantFrom('tell', 'hide', 'fail', 'quota', 'tool'),
    })
    const step = fc.record({
      kind: fc.constantFrom(...jobKinds),
      asks: fc.array(fc.record({ length: fc.nat(400), behaviour }), { maxLength: 8 }),
    })
    const limits = fc.record({ calls: fc.nat(30), tokens: fc.nat(60_000) })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), limits, async (steps, perDay) => {
        const ledger = createMemoryCallLedger()
        let next: (typeof steps)[number]['asks'][number]['behaviour'] | null = null
        const small = completer(async (request) => {
          const { does, input, output } = next!
          if (does === 'fail') throw new Error('500')
          const tokens = {
            input: Math.floor(estimateInput(request) * input),
            output: Math.floor(request.maxTokens * output),
          }
          const calls = does === 'tool' ? [{ id: '1', name: 'read', input: {} }] : []
          return {
            text: does === 'quota' ? 'usage limit reached' : 'yes',
            calls,
            tokens: does === 'hide' ? null : tokens,
          }
        })
        const perJob = { inputTokens: 2_000, outputTokens: 1_000 }
        const jobs = jobsOf(small, { ledger, perDay, perJob })
        const sums = new Map<string, number>()
        for (const { kind, asks } of steps) {
          const start = jobs.begin(kind)
          if (!start.ok) continue
          for (const ask of asks) {
            next = ask.behaviour
            await start.job.ask({ ...question, prompt: 'word '.repeat(ask.length) })
          }
          const { calls, inputTokens, outputTokens } = start.job.spent()
          expect(calls).toBeLessThanOrEqual(JOB_BUDGETS[kind].calls)
          expect(inputTokens).toBeLessThanOrEqual(perJob.inputTokens)
          expect(outputTokens).toBeLessThanOrEqual(perJob.outputTokens)
          sums.set(kind, (sums.get(kind) ?? 0) + inputTokens + outputTokens)
        }
        const spent = ledger.spendOf(NOON)
        const tokensOf = (each: KindSpend) => each.inputTokens + each.outputTokens
        expect(spent.reduce((sum, each) => sum + each.calls, 0)).toBeLessThanOrEqual(perDay.calls)
        expect(spent.reduce((sum, each) => sum + tokensOf(each), 0)).toBeLessThanOrEqual(perDay.tokens)
        for (const each of spent) {
          expect(each.calls).toBeLessThanOrEqual(perDay.calls / 2)
          expect(tokensOf(each)).toBeLessThanOrEqual(perDay.tokens / 2)
          expect(tokensOf(each)).toBe(sums.get(each.kind))
        }
      }),
    )
  })
})
