import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeAgentCli, makeFakeAgentCli, printedBy } from '../../../test/support/fake-agent-cli.ts'
import { agentPrograms } from '../../domain/index.ts'
import { testCompleter } from '../../testing/completer-suite.ts'
import { jobsOf } from '../../testing/jobs-of.ts'
import { createCompleter } from './create-completer.ts'

const request = { system: 'You keep notes.', prompt: 'What is new?', maxTokens: 321 }

describe.each(agentPrograms)('%s as the model [W18]', (program) => {
  let root: string
  let work: string
  let agent: FakeAgentCli
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'keepsake-agent-cli-'))
    work = join(root, 'work')
    mkdirSync(work)
    agent = makeFakeAgentCli(join(root, 'bin'), program)
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))
  const created = (more: Record<string, string> = {}, name = `agent:${program}`) =>
    createCompleter(name, { environment: { PATH: agent.path, ...more }, temporaryDirectory: work })
  const lastRun = () => agent.runs().at(-1)!

  testCompleter('driver', async () => ({
    completer: created(),
    answers: ({ text = '', calls, neverAnswers = false, refuses }) => {
      const said = calls ? `I look.\n${JSON.stringify({ calls })}` : text
      agent.behave({ stdout: printedBy(program, refuses ?? said, refuses !== undefined), neverEnds: neverAnswers })
    },
    lastQuestion: () => [...lastRun().given, lastRun().input].join('\n').replaceAll('\\"', '"'),
    questions: () => agent.runs().length,
  }))

  it('is marked, is no part of the session around it, and runs in an empty folder that is gone afterwards (BL-20)', async () => {
    agent.behave({ stdout: printedBy(program, 'yes') })
    await created({ CLAUDECODE: '1', CLAUDE_PROJECT_DIR: '/work', KEEPSAKE_HOME: '/kept' }).complete(request)
    const { environment, cwd } = lastRun()
    expect(environment).toMatchObject({ KEEPSAKE_WORKER: '1', KEEPSAKE_SESSION_MODE: 'off', KEEPSAKE_MODEL_CHILD: '1' })
    expect(environment).toMatchObject({ CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1', KEEPSAKE_HOME: '/kept' })
    expect(environment).not.toHaveProperty('CLAUDECODE')
    expect(environment).not.toHaveProperty('CLAUDE_PROJECT_DIR')
    expect(cwd).toContain('keepsake-model-')
    expect(readdirSync(work)).toEqual([])
  })

  it('is never asked from inside a question (BL-20)', async () => {
    const before = agent.runs().length
    const inside = created({ KEEPSAKE_MODEL_CHILD: '1' })
    await expect(inside.complete(request)).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' })
    expect(agent.runs()).toHaveLength(before)
  })

  it('hooks, memory, tools and servers are off, and no session is left (BL-20)', async () => {
    agent.behave({ stdout: printedBy(program, 'yes') })
    await created({}, `agent:${program}:some-model`).complete(request)
    const given = lastRun().given.join(' ')
    const wanted = {
      claude: [
        '-p',
        '--safe-mode',
        '--strict-mcp-config',
        'disableAllHooks',
        '--tools ',
        '--no-session-persistence',
        '--model some-model',
      ],
      codex: [
        'exec',
        '--ignore-user-config',
        'features.hooks=false',
        'features.shell_tool=false',
        '-s read-only',
        '--ephemeral',
        '-m some-model',
      ],
    }
    for (const flag of wanted[program]) expect(given).toContain(flag)
    // What is in a conversation is in no list of processes.
    expect(given).not.toContain(request.prompt)
  })

  it.each([
    'Failed to authenticate. API Error: 401',
    'Claude AI usage limit reached|1790000000',
    'Invalid API key · Please run /login',
    'Rate limit exceeded. Please try again in 20s.',
    '请先登录',
  ])('prose with a good exit code is no answer (BL-24): %s', async (text) => {
    for (const stdout of [text, printedBy(program, text), printedBy(program, text, true)]) {
      agent.behave({ stdout })
      const begun = jobsOf(created()).begin('probe')
      if (!begun.ok) throw new Error(begun.message)
      expect(await begun.job.ask(request)).toMatchObject({ ok: false, reason: 'unavailable' })
      expect(begun.job.spent()).toMatchObject({ calls: 1, estimated: true })
    }
  })

  it.each<[string, Parameters<FakeAgentCli['behave']>[0], RegExp]>([
    ['ends badly', { code: 1, stderr: 'not signed in' }, /ended with 1: not signed in/],
    ['ends badly and says it in the wrong place', { code: 3, stdout: 'no such model' }, /ended with 3: no such model/],
  ])('a program that %s', async (_, behaviour, message) => {
    agent.behave(behaviour)
    await expect(created().complete(request)).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: expect.stringMatching(message),
    })
  })

  it('a program that is not there', async () => {
    const completer = createCompleter(`agent:${program}`, { environment: { PATH: work }, temporaryDirectory: work })
    await expect(completer.complete(request)).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: `The program ${program} is not installed here`,
    })
  })
})
