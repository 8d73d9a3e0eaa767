/** Idle conversations are read by a model, and an agent tidies the notes with what they taught: the whole story, by the library. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { DeferredProgress, RefreshResult, StatusReport } from '../../src/domain/index.ts'
import type { Completer, Completion, CompletionRequest } from '../../src/models/index.ts'
import { createReading, type Reading, SESSION } from '../support/reading.ts'

const HOUR = 3_600_000
let it_: Reading
beforeEach(() => {
  it_ = createReading()
})
afterEach(() => it_.close())

const said = [
  { user: 'The nightly export belongs to the Heron team, ask them before you change it.' },
  { assistant: 'Understood.' },
]
const quotes = [{ in: 'c1', message: 1, words: 'The nightly export belongs to the Heron team' }]
const note = {
  type: 'project',
  name: 'Nightly export',
  description: 'The nightly export belongs to the Heron team',
  text: 'The nightly export belongs to the Heron team, ask them before you change it.',
  quotes,
}
const summary = 'v1\n\n## Where to look\n\n- The Heron team has the nightly export. [Nightly export]\n'
const gave = JSON.stringify({
  rawMemory: '## Good to know\n\n- "The nightly export belongs to the Heron team" (#1)',
  summary: 'The user told who owns the nightly export.',
  slug: 'nightly-export',
})

type Stage = 'one' | 'two' | 'turn'
const stageOf = ({ system, tools }: CompletionRequest): Stage =>
  tools ? 'two' : system.includes('one finished conversation') ? 'one' : 'turn'

function model(
  answers: Partial<Record<Stage, (request: CompletionRequest, at: number) => Partial<Completion> | string>> = {},
) {
  const asked: Stage[] = []
  const standing: Record<Stage, (request: CompletionRequest) => Partial<Completion> | string> = {
    turn: () => '{"notes": []}',
    one: () => gave,
    two: ({ steps = [] }) => (steps.length === 0 ? { calls: [{ id: 'c', name: 'remember', input: note }] } : summary),
  }
  const completer: Completer = {
    id: 'scripted',
    async complete(request) {
      const stage = stageOf(request)
      const at = asked.filter((each) => each === stage).length
      asked.push(stage)
      request.signal?.throwIfAborted()
      const answer = (answers[stage] ?? standing[stage])(request, at)
      return {
        text: '',
        tokens: { input: 100, output: 10 },
        ...(typeof answer === 'string' ? { text: answer } : answer),
      }
    },
  }
  return { completer, asked, of: (stage: Stage) => asked.filter((each) => each === stage).length }
}

const projectFolder = () => {
  const projects = join(it_.shop.home, 'projects')
  const [folder = ''] = existsSync(projects) ? readdirSync(projects) : []
  return join(projects, folder)
}
const summaryFile = () => join(projectFolder(), 'memory_summary.md')

describe('the deferred pipeline [W14] [W15]', () => {
  it('an idle conversation is read once, the notes are tidied, the summary is there; then it is quiet', async () => {
    const scripted = model()
    const memory = await it_.open(scripted.completer)
    it_.say(said)
    await memory.refresh()
    expect([scripted.of('one'), scripted.of('two')]).toEqual([0, 0])
    it_.clock.add(7 * HOUR)
    const progress: DeferredProgress[] = []
    const result = await memory.refresh({ onProgress: (each) => progress.push(each) })
    expect(result.deferred).toMatchObject({
      one: { memories: 1, waiting: 0, stopped: null },
      two: { passes: [{ outcome: 'done', changed: 1, summary: true }] },
    })
    expect(progress.map((each) => each.stage)).toEqual(['one', 'two', 'two'])
    expect(await it_.names(memory)).toEqual(['Nightly export'])
    expect(readFileSync(summaryFile(), 'utf8')).toBe(summary)
    expect((await memory.sessions.list()).sessions[0]?.summary).toBe('The user told who owns the nightly export.')
    const read = await memory.read('Nightly export')
    expect(read?.note.source).toMatchObject([{ session: SESSION, role: 'user' }])
    const { deferred } = await memory.status()
    expect(deferred).toMatchObject({ memories: 1, nothing: 0, failed: 0, nextPass: null, problem: null })
    expect(deferred?.lastPass).toBe('2026-11-20T16:00:00Z')
    const asked = scripted.asked.length
    await memory.refresh()
    await memory.refresh({ now: true })
    expect(scripted.asked).toHaveLength(asked)
    // The summary is no note: neither listed, nor found, nor a problem.
    expect((await memory.recall({ query: 'Heron', in: 'notes' })).results).toHaveLength(1)
    expect((await memory.doctor()).checks.filter(({ detail }) => detail.includes('memory_summary'))).toEqual([])
  })

  it('two processes: one does it, the other ends at once', async () => {
    const scripted = model()
    const [first, second] = [await it_.open(scripted.completer), await it_.open(scripted.completer)]
    it_.say(said)
    await first.refresh()
    it_.clock.add(7 * HOUR)
    const results = await Promise.all([first.refresh(), second.refresh()])
    expect(results.filter(({ deferred }) => deferred !== undefined)).toHaveLength(1)
    expect(results.flatMap(({ problems }) => problems)).toEqual(['another process is refreshing this home'])
    expect([scripted.of('one'), scripted.of('two')]).toEqual([1, 2])
  })

  it.each([
    ['never stops', () => ({ calls: [{ id: 'c', name: 'list', input: {} }] })],
    ['always asks for what is not there', () => ({ calls: [{ id: 'c', name: 'bash', input: { command: 'ls' } }] })],
  ])('a model that %s spends no more than its ceiling, and not again at once', async (_, two) => {
    const config = { budget: { perJob: { 'stage-two': { calls: 4 } } } }
    writeFileSync(join(it_.shop.home, 'config.json'), JSON.stringify(config))
    const scripted = model({ two })
    const memory = await it_.open(scripted.completer)
    it_.say(said)
    await memory.refresh()
    it_.clock.add(7 * HOUR)
    const { deferred, problems } = await memory.refresh()
    expect(scripted.of('two')).toBe(4)
    expect(deferred?.two.passes).toMatchObject([{ outcome: 'failed', changed: 0 }])
    expect(problems).toHaveLength(1)
    await memory.refresh()
    expect(scripted.of('two')).toBe(4)
    expect(await it_.names(memory)).toEqual([])
    expect(existsSync(summaryFile())).toBe(false)
    expect((await memory.status()).deferred?.problem).toContain('not done after 4 turns')
    // The ledger is right to the token: what the model told, call by call.
    const spent = (await memory.status()).models.spent.find(({ kind }) => kind === 'stage-two')
    expect(spent).toMatchObject({ calls: 4, inputTokens: 400, outputTokens: 40 })
  })

  it('whoever stops it in the middle goes on where it was', async () => {
    const stop = new AbortController()
    const scripted = model({
      two: ({ steps = [] }, at) => {
        if (at === 1) stop.abort()
        return steps.length === 0 ? { calls: [{ id: 'c', name: 'remember', input: note }] } : summary
      },
    })
    const memory = await it_.open(scripted.completer)
    it_.say(said)
    await memory.refresh()
    it_.clock.add(7 * HOUR)
    await expect(memory.refresh({ now: true, signal: stop.signal })).rejects.toMatchObject({ code: 'CANCELLED' })
    expect(await it_.names(memory)).toEqual([])
    expect((await memory.refresh({ now: true })).deferred).toMatchObject({
      one: { memories: 0 },
      two: { passes: [{ changed: 1 }] },
    })
    expect(scripted.of('one')).toBe(1)
  })

  it('a conversation that is set off leaves nothing: not its memory, its note, or a line of the summary', async () => {
    const scripted = model()
    const memory = await it_.open(scripted.completer)
    it_.say(said)
    await memory.refresh()
    it_.clock.add(7 * HOUR)
    await memory.refresh()
    await memory.sessions.setMode({ id: SESSION, mode: 'off' })
    expect(await it_.names(memory)).toEqual([])
    expect(existsSync(summaryFile())).toBe(false)
    expect((await memory.status()).deferred).toMatchObject({ memories: 0, nextPass: null })
    const asked = scripted.asked.length
    it_.clock.add(7 * HOUR)
    await memory.refresh({ now: true })
    expect(scripted.asked).toHaveLength(asked)
  })

  it.each([
    ['forgotten', async (memory: Awaited<ReturnType<Reading['open']>>) => void (await memory.forget('Nightly export'))],
    [
      'removed by hand',
      async () => {
        for (const file of readdirSync(projectFolder()).filter((name) => name.startsWith('project_')))
          rmSync(join(projectFolder(), file))
      },
    ],
  ])('a note that is %s stands in the summary no longer', async (_, remove) => {
    const memory = await it_.open(model().completer)
    it_.say(said)
    await memory.refresh()
    it_.clock.add(7 * HOUR)
    await memory.refresh()
    await memory.remember({ text: 'Deploys go out on Tuesday.', type: 'project', layer: 'project' })
    expect(existsSync(summaryFile())).toBe(true)
    await remove(memory)
    await memory.refresh()
    expect(existsSync(summaryFile())).toBe(false)
  })

  it.each(['read-only', 'review', 'off'] as const)(
    'a conversation that is %s is read by no model of the pipeline',
    async (mode) => {
      const scripted = model()
      const memory = await it_.open(scripted.completer)
      it_.say(said)
      await memory.refresh()
      await memory.sessions.setMode({ id: SESSION, mode })
      it_.clock.add(7 * HOUR)
      await memory.refresh({ now: true })
      expect([scripted.of('one'), scripted.of('two')]).toEqual([0, 0])
    },
  )

  it('without a model nothing happens, and refresh and status say why, on the command line too', async () => {
    const memory = await it_.open()
    it_.say(said)
    await memory.refresh()
    it_.clock.add(7 * HOUR)
    expect((await memory.refresh()).deferred).toMatchObject({ one: { waiting: 1, stopped: 'no model is set up' } })
    const refreshed = (await it_.shop.cli(['refresh', '--now', '--json'])).json<RefreshResult>()
    expect(refreshed.deferred?.two.passes).toEqual([])
    expect((await it_.shop.cli(['status'])).stdout).toContain('deferred  0 conversations read')
    expect((await it_.shop.cli(['status', '--json'])).json<StatusReport>().deferred).toMatchObject({ lastPass: null })
  })
})
