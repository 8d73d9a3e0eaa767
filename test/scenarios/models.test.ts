/** Language models as a person sets them up: what they cost is held to its ceilings, and their programs are never watched. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { homeFiles, type StatusReport } from '../../src/domain/index.ts'
import { cleanEnvironment, createWorkshop, distribution, type Workshop } from '../support/cli.ts'
import { type FakeAgentCli, makeFakeAgentCli, printedBy } from '../support/fake-agent-cli.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'

let shop: Workshop
beforeEach(() => {
  shop = createWorkshop()
})
afterEach(() => shop.remove())

function settings(value: object): void {
  writeFileSync(join(shop.home, 'config.json'), JSON.stringify({ worker: false, ...value }))
}

describe('a signed-in agent as the model [W18] [W16]', () => {
  let agent: FakeAgentCli
  beforeEach(() => {
    agent = makeFakeAgentCli(join(shop.root, 'bin'), 'claude')
    settings({ worker: true, models: { small: 'agent:claude' } })
  })
  const askModels = () => shop.cli(['doctor', '--ask-models', '--json'], { environment: { PATH: agent.path } })
  const journal = () => join(shop.home, homeFiles.journal)

  /** As an agent runs the hooks that are in its settings, should they not be off after all. */
  function hookOf(event: string) {
    const transcript = join(shop.root, 'child.jsonl')
    const said = { type: 'user', message: { role: 'user', content: 'Remember: always use pnpm here' } }
    writeFileSync(transcript, `${JSON.stringify({ ...said, uuid: 'u1', timestamp: '2026-03-01T10:00:00Z' })}\n`)
    const command = [process.execPath, join(distribution, 'hook.js'), 'claude-code', event]
    const input = {
      session_id: 'child',
      transcript_path: transcript,
      cwd: shop.project,
      prompt: 'pnpm?',
      source: 'startup',
    }
    return { command, stdin: JSON.stringify({ hook_event_name: event, ...input }) }
  }

  it.each(['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'PreCompact', 'Stop', 'SessionEnd'])(
    'a hook %s that its own run fires ends at once: nothing is captured, nobody is started, nothing is asked again (BL-20)',
    async (event) => {
      agent.behave({ stdout: printedBy('claude', 'here'), hooks: [hookOf(event), hookOf(event)] })
      const { checks } = (await askModels()).json<StatusReport>()
      expect(checks).toContainEqual(expect.objectContaining({ name: 'models', state: 'ok' }))
      expect(agent.runs()).toHaveLength(1)
      expect(existsSync(journal())).toBe(false)
      const { queue, sessions } = (await shop.cli(['status', '--json'])).json<StatusReport>()
      expect([queue.journalLines, queue.workerRunning, sessions.count]).toEqual([0, false, 0])
    },
  )

  it('the same hook outside of it leaves its line', async () => {
    const { command, stdin } = hookOf('SessionEnd')
    settings({ models: { small: 'agent:claude' } })
    const run = promisify(execFile)
    const started = run(command[0]!, command.slice(1), { env: cleanEnvironment(shop.home), cwd: shop.project })
    started.child.stdin?.end(stdin)
    await started
    expect(existsSync(journal())).toBe(true)
  })

  it.each([
    'Failed to authenticate. API Error: 401',
    'Claude AI usage limit reached|1790000000',
    'Invalid API key · Please run /login',
    "You've hit your limit · resets 3pm",
    '请求过于频繁，请稍后再试',
  ])('prose about a login or a quota with exit code 0 is no answer, and it is said (BL-24): %s', async (text) => {
    agent.behave({ stdout: printedBy('claude', text) })
    const { code, stdout } = await askModels()
    const { checks, models } = JSON.parse(stdout) as StatusReport
    expect(code).toBe(5)
    expect(checks).toContainEqual(
      expect.objectContaining({ name: 'models', state: 'broken', detail: `agent:claude: the model said: ${text}` }),
    )
    expect(models.spent).toEqual([expect.objectContaining({ kind: 'probe', calls: 1, estimated: true })])
  })
})

describe('what models may cost [W16]', () => {
  let server: ModelServer
  beforeEach(async () => {
    server = await startModelServer()
  })
  afterEach(() => server.close())
  const here = () => ({ environment: { OLLAMA_HOST: server.url } })

  it('status shows the models and the day by kind of work; doctor asks each model once', async () => {
    settings({ models: { small: 'ollama:small', large: 'ollama:large' }, budget: { perDay: { calls: 20 } } })
    server.script = ({ body }) => ({ text: 'here', usage: body.model === 'small' ? { input: 31, output: 2 } : null })
    const asked = await shop.cli(['doctor', '--ask-models'], here())
    expect(server.requests.map(({ body }) => body.model)).toEqual(['small', 'large'])
    expect(asked.stdout).toMatch(/models: ollama:small answers "here" \(31 tokens read, 2 written\)/)
    expect(asked.stdout).toMatch(/models: ollama:large answers "here" \(about \d+ tokens read, \d+ written\)/)
    const { stdout } = await shop.cli(['status'], here())
    expect(stdout).toMatch(/^models {4}ollama:small, consolidation by ollama:large$/m)
    expect(stdout).toMatch(/^today {5}2 of 20 calls, ~\d+ of 1000000 tokens {2}\(~ in part our estimate\)$/m)
    expect(stdout).toMatch(/^ {10}probe: 2 calls, ~\d+ tokens read, \d+ written$/m)
    expect(server.requests).toHaveLength(2)
  })

  it('without a model it says so, and asks nobody', async () => {
    const { stdout, code } = await shop.cli(['doctor', '--ask-models'])
    expect([code, stdout]).toEqual([0, expect.stringContaining('models: no small model is set up')])
    expect((await shop.cli(['status'])).stdout).toMatch(/^models {4}none set up: notes are made by rules alone$/m)
  })

  it('a day that is used up asks nobody, in this process or the next, and the answer comes without the model', async () => {
    settings({ models: { small: 'ollama:small' }, recall: { rerank: true }, budget: { perDay: { calls: 4 } } })
    server.script = () => ({ text: '["c2"]' })
    for (const text of ['Deploys go out on Fridays', 'The deploy key is kept in the vault'])
      await shop.cli(['remember', text])
    for (const round of [1, 2, 3]) {
      const { stdout } = await shop.cli(['recall', 'deploy', '--json'], here())
      expect(JSON.parse(stdout).results).toHaveLength(2)
      expect(JSON.parse(stdout).rerank.reason === null).toBe(round < 3)
    }
    expect(server.requests).toHaveLength(2)
    const { stdout } = await shop.cli(['recall', 'deploy'], here())
    expect(stdout).toContain(
      'a day has 2 calls for rerank, 2 are used and up to 1 more would be (setting budget.perDay.calls)',
    )
  })

  it('a call whose process is killed stays counted with the most that it may cost', async () => {
    settings({ models: { small: 'ollama:small' }, recall: { rerank: true } })
    for (const text of ['Deploys go out on Fridays', 'The deploy key is kept in the vault'])
      await shop.cli(['remember', text])
    server.script = () => ({ neverAnswers: true })
    const environment = cleanEnvironment(shop.home, here().environment)
    const asking = spawn(process.execPath, [join(distribution, 'cli.js'), 'recall', 'deploy'], {
      env: environment,
      cwd: shop.project,
    })
    const ended = once(asking, 'close')
    while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
    asking.kill('SIGKILL')
    await ended
    const { models } = (await shop.cli(['status', '--json'])).json<StatusReport>()
    expect(models.spent).toEqual([
      expect.objectContaining({ kind: 'rerank', calls: 1, outputTokens: 1_000, estimated: true }),
    ])
  })

  it('a command that asks no model loads nothing of one', async () => {
    settings({ models: { small: 'openai:m', large: 'ollama:m' } })
    const modules = join(shop.root, 'modules')
    const preload = join(import.meta.dirname, '..', 'support', 'record-modules.mjs')
    const environment = cleanEnvironment(shop.home, { KEEPSAKE_TEST_MODULES: modules })
    const command = ['--import', preload, join(distribution, 'cli.js'), 'list']
    await promisify(execFile)(process.execPath, command, { env: environment, cwd: shop.project })
    const loaded = readFileSync(modules, 'utf8')
    expect(loaded).toContain('commander')
    expect(loaded.match(/node_modules\/(?:zod|ai|@ai-sdk)\//g)).toBeNull()
  })

  it('processes that ask at once share one ceiling', async () => {
    settings({ budget: { perDay: { calls: 14 } } })
    const script = join(shop.root, 'ask.mjs')
    mkdirSync(join(shop.root, 'asked'))
    const file = join(shop.root, 'asked', 'calls')
    writeFileSync(file, '')
    writeFileSync(
      script,
      `import { appendFileSync } from 'node:fs'
       import { createMemory } from ${JSON.stringify(join(distribution, 'index.js'))}
       const complete = async () => {
         appendFileSync(${JSON.stringify(file)}, '.')
         return { text: '["c2"]', tokens: { input: 10, output: 3 } }
       }
       const memory = await createMemory({ cwd: process.cwd(), completer: { id: 'mine', complete } })
       for (let at = 0; at < 8; at++) await memory.recall({ query: 'deploy', rerank: true })
       await memory.close()`,
    )
    for (const text of ['Deploys go out on Fridays', 'The deploy key is kept in the vault'])
      await shop.cli(['remember', text])
    const run = promisify(execFile)
    const one = () => run(process.execPath, [script], { env: cleanEnvironment(shop.home), cwd: shop.project })
    await Promise.all([one(), one(), one()])
    expect(readFileSync(file, 'utf8')).toBe('.'.repeat(7))
    const { models } = (await shop.cli(['status', '--json'])).json<StatusReport>()
    expect(models.spent).toEqual([
      { kind: 'rerank', calls: 7, inputTokens: 70, outputTokens: 21, money: 0, estimated: false },
    ])
  })

  it('settings that name no model, or no ceiling, say what may stand there', async () => {
    const set = (key: string, value: string) => shop.cli(['config', 'set', key, value])
    expect(await set('models.small', 'gpt')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('anthropic:<model>, openai:<model>'),
    })
    expect(await set('budget.perJob', '{"dream": {}}')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('extraction, session-note, stage-one'),
    })
    expect(await set('budget.perDay.money', 'much')).toMatchObject({ code: 2 })
    expect(await set('budget.perDay.calls', '7')).toMatchObject({ code: 0 })
    expect((await shop.cli(['config'])).stdout).toContain('budget.perDay.calls = 7  (changed)')
  })
})
