/**
 * The main job with two real clients on one home: taught in Claude Code, known in Codex, and back; exactly one start
 * block over start, resume and compaction; hooks that wait for the person's trust are named; gone after uninstall.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeModel, type FakeRequest, startFakeModel } from '../support/fake-model.ts'
import { type ClaudeClient, createClaudeClient } from './claude-client.ts'
import { type CodexClient, createCodexClient } from './codex-client.ts'
import { type AgentWorkshop, createWorkshop, startBlocksIn } from './workshop.ts'

const { KEEPSAKE_CODEX: codexBinary = '', KEEPSAKE_CLAUDE: claudeBinary = '' } = process.env

const rule = 'Use pnpm in this repository, never npm'

/** As a person may have them. */
const hooksBefore = '{"hooks": { "Stop": [ {"hooks":[{"type":"command","command":"true"}]} ] } }'
const configBefore = '# mine\n[features]\nmemories = false # on purpose'

let shop: AgentWorkshop
let project: string
let other: string
let model: FakeModel
let codex: CodexClient
let claude: ClaudeClient
let sessionId = ''

beforeAll(async () => {
  shop = createWorkshop()
  project = shop.repository('tidepool')
  other = shop.repository('elsewhere')
  model = await startFakeModel((request, index) => {
    if (request.toolNames.length === 0) return { text: 'They talked about tide tables.' }
    const isFresh = request.toolResults.length === 0
    if (isFresh && request.lastUser.includes('Save this rule'))
      return {
        tools: [{ name: 'mcp__keepsake__memory_save', input: { text: 'Never commit on main', type: 'feedback' } }],
      }
    return { text: `Answer ${index}.` }
  })
  codex = createCodexClient({ binary: codexBinary, home: shop.home, modelUrl: model.url })
  claude = createClaudeClient({ binary: claudeBinary, home: shop.home, modelUrl: model.url })
  for (const folder of [project, other]) claude.trust(folder)
  writeFileSync(join(codex.configDirectory, 'hooks.json'), hooksBefore)
  writeFileSync(join(codex.configDirectory, 'config.toml'), configBefore)
})

afterAll(async () => {
  await model.close()
  shop.close()
})

/** One run of Codex, and the requests that the model got in it. */
async function talk(cwd: string, prompt: string, more: { resume?: string; compact?: boolean } = {}) {
  const before = model.requests().length
  const run = await codex.run({ cwd, prompt, ...more })
  expect(run.code, run.stderr + run.stdout).toBe(0)
  sessionId = run.sessionId
  return answersIn(model.requests().slice(before))
}

/** Not the client's own question for a summary. */
const answersIn = (requests: readonly FakeRequest[]) => requests.filter(({ toolNames }) => toolNames.length > 0)

async function talkToClaude(cwd: string, prompt: string): Promise<readonly FakeRequest[]> {
  const before = model.requests().length
  const run = await claude.run({ cwd, prompt })
  expect(run.code, run.stderr + run.stdout).toBe(0)
  return answersIn(model.requests().slice(before))
}

describe.skipIf(codexBinary === '')('Codex', () => {
  it('is wired by install, which asks for the trust that only the person can give', async () => {
    // Where the shell of the person finds Codex.
    const path = [dirname(codexBinary), process.env.PATH ?? ''].join(delimiter)
    const { status, stdout } = shop.tryKeepsake(project, ['install', 'codex'], { PATH: path })
    expect(stdout).toContain('type /hooks and trust')
    expect(stdout).toContain('Codex waits for your trust in the hooks of Keepsake (')
    expect(status).toBe(0)
    expect(shop.tryKeepsake(project, ['doctor'], { PATH: path }).stdout).toContain('BROKEN   agent codex: Codex waits')
    const config = readFileSync(join(codex.configDirectory, 'config.toml'), 'utf8')
    expect(config).not.toContain('trusted_hash')
    expect(config.startsWith(configBefore)).toBe(true)
    shop.keepsake(project, 'remember', rule, '--type', 'feedback', '--layer', 'project')
  })

  it('says nothing while its hooks are not trusted', async () => {
    const before = model.requests().length
    const run = await codex.run({ cwd: project, prompt: 'hello', trustHooks: false })
    expect(run.code, run.stderr).toBe(0)
    expect(model.requests().slice(before).map(startBlocksIn)).toEqual([0])
  })

  it('start, resume, compaction, resume: exactly one start block in each request, with the rule in it', async () => {
    const steps = [
      await talk(project, 'What does this project do?'),
      await talk(project, 'And how is it tested?', { resume: sessionId }),
      await talk(project, 'Go on.', { resume: sessionId, compact: true }),
      await talk(project, 'And then?', { resume: sessionId }),
    ]
    expect(steps.map(({ length }) => length > 0)).toEqual([true, true, true, true])
    const rollout = readFileSync(codex.transcripts().at(-1) ?? '', 'utf8')
    expect(rollout.split('"type":"compacted"').length - 1).toBe(1)
    for (const request of steps.flat()) {
      expect(startBlocksIn(request)).toBe(1)
      expect(request.everything).toContain(rule)
    }
  })

  it('saves by the tool of our server', async () => {
    const requests = await talk(project, 'Save this rule: never commit on main.')
    expect(requests.at(-1)?.toolResults.join('\n')).toContain('Saved: Never commit on main')
    expect(shop.keepsake(project, 'list', '--json')).toContain('Never commit on main')
  })

  it('nothing of it in another repository', async () => {
    for (const request of await talk(other, 'Which package manager?')) expect(request.everything).not.toContain(rule)
  })
})

describe.skipIf(codexBinary === '' || claudeBinary === '')('Claude Code and Codex', () => {
  const known = (words: string) =>
    expect.poll(() => shop.keepsake(project, 'list', '--json'), { timeout: 120_000, interval: 1_000 }).toContain(words)

  it('what was said to Claude Code is known in Codex', async () => {
    shop.keepsake(project, 'install', 'claude-code')
    await talkToClaude(project, "No, don't use moment.js in this repository, use Temporal: moment is frozen and heavy.")
    await known('Temporal')
    const [request] = await talk(project, 'Which library for dates?')
    expect(request?.everything).toContain('Temporal')
  })

  it('what was said to Codex is known in Claude Code', async () => {
    await talk(project, '不对，这个仓库不要用 console.log，要用 logger：命令的输出会被解析。')
    await known('logger')
    const [request] = await talkToClaude(project, 'How do we log?')
    expect(startBlocksIn(request!)).toBe(1)
    expect(request?.everything).toContain('logger')
  })
})

describe.skipIf(codexBinary === '')('after uninstall', () => {
  it('the bytes are back, and nothing of it is in a conversation', async () => {
    shop.keepsake(project, 'uninstall', 'codex')
    expect(readFileSync(join(codex.configDirectory, 'hooks.json'), 'utf8')).toBe(hooksBefore)
    expect(readFileSync(join(codex.configDirectory, 'config.toml'), 'utf8')).toBe(configBefore)
    const [request] = await talk(project, 'Still there?')
    expect(request?.everything).not.toContain('keepsake-memory')
  })
})
