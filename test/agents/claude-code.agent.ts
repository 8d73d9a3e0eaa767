/**
 * The main job with the real client: wired by our own command line, taught once, known in the next conversation and in
 * another worktree, unknown elsewhere, and gone without a trace after uninstall.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeModel, type FakeRequest, startFakeModel } from '../support/fake-model.ts'
import { type ClaudeClient, createClaudeClient } from './claude-client.ts'

const cli = join(import.meta.dirname, '..', '..', 'dist', 'cli.js')

const rule = 'Use pnpm in this repository, never npm'
const spoken = "No, don't use moment.js in this repository, use Temporal: moment is frozen and heavy."

/** As a person may have it: foreign hook, odd indentation, no line end. */
const settingsBefore = `{
    "permissions": { "allow": ["Bash"] },
  "hooks": { "Stop": [ {"hooks":[{"type":"command","command":"true"}]} ] },
      "autoMemoryEnabled": true }`

let root: string
let home: string
let project: string
let worktree: string
let other: string
let model: FakeModel
let client: ClaudeClient
let sessionId = ''

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'keepsake-claude-'))
  home = join(root, 'home')
  project = makeRepository('tidepool')
  other = makeRepository('elsewhere')
  worktree = join(root, 'tidepool-fix')
  execFileSync('git', ['-C', project, 'worktree', 'add', '-q', worktree])
  model = await startFakeModel(({ toolNames }, index) => ({
    text: toolNames.length > 0 ? `Answer ${index}.` : '<summary>\nThey talked about dates.\n</summary>',
  }))
  client = createClaudeClient({ binary: process.env.KEEPSAKE_CLAUDE ?? '', home, modelUrl: model.url })
  for (const folder of [project, worktree, other]) client.trust(folder)
  writeFileSync(join(client.configDirectory, 'settings.json'), settingsBefore)
})

afterAll(async () => {
  await model.close()
  rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 })
})

function makeRepository(name: string): string {
  const folder = join(root, name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'README.md'), `# ${name}\n`)
  const git = (...given: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=Dev', '-c', 'user.email=dev@example.com', ...given])
  git('init', '-q', '-b', 'main')
  git('add', '.')
  git('commit', '-qm', `Start of ${name}`)
  return folder
}

function keepsake(cwd: string, ...given: string[]): string {
  const environment = { PATH: process.env.PATH, HOME: home, CLAUDE_CONFIG_DIR: client.configDirectory }
  const run = spawnSync(process.execPath, [cli, ...given], { cwd, env: environment, encoding: 'utf8' })
  expect(run.status, `${given.join(' ')}: ${run.stdout}${run.stderr}`).toBe(0)
  return run.stdout
}

/** One run of the client, and the requests that the model got in it. */
async function talk(cwd: string, prompt: string, resume?: string): Promise<readonly FakeRequest[]> {
  const before = model.requests().length
  const run = await client.run({ cwd, prompt, resume })
  expect(run.code, run.stderr + run.stdout).toBe(0)
  sessionId = run.sessionId
  return model.requests().slice(before)
}

const startBlocks = ({ everything }: FakeRequest) => everything.split('<keepsake-memory kind="start"').length - 1

describe.skipIf(!process.env.KEEPSAKE_CLAUDE)('Claude Code', () => {
  it('is wired by install, with its MCP server connected', async () => {
    const report = JSON.parse(keepsake(project, 'install', 'claude-code', '--json'))
    expect(report.problems).toEqual([])
    keepsake(project, 'remember', rule, '--type', 'feedback', '--layer', 'project')
    const arguments_ = ['--output-format', 'stream-json', '--verbose']
    const run = await client.run({ cwd: other, prompt: 'hello', arguments: arguments_ })
    const init = JSON.parse(run.stdout.split('\n').find((line) => line.includes('"subtype":"init"')) ?? '{}')
    expect(init.mcp_servers).toEqual([expect.objectContaining({ name: 'keepsake', status: 'connected' })])
  })

  it('start, resume, /compact, resume: exactly one start block in each request, with the rule in it', async () => {
    const steps = [
      await talk(project, 'What does this project do?'),
      await talk(project, 'And how is it tested?', sessionId),
      await talk(project, '/compact', sessionId),
      await talk(project, 'Go on.', sessionId),
      await talk(project, 'And then?', sessionId),
    ]
    expect(steps.map((requests) => requests.length > 0)).toEqual([true, true, true, true, true])
    for (const request of steps.flat()) {
      expect(startBlocks(request)).toBe(1)
      expect(request.everything).toContain(rule)
    }
  })

  it('what was said in one conversation is known in the next', async () => {
    await talk(project, spoken)
    // The worker that the hook started does it by itself; one that waits for its look back does it after that.
    const described = () => keepsake(project, 'list', '--json')
    await expect.poll(described, { timeout: 120_000, interval: 1_000 }).toContain('Temporal')
    const [request] = await talk(project, 'Which library for dates?')
    expect(request?.everything).toContain('Temporal')
  })

  it('is seen from another worktree', async () => {
    const [request] = await talk(worktree, 'What does this project do?')
    expect(startBlocks(request!)).toBe(1)
    expect(request?.everything).toContain(rule)
  })

  it('nothing of it in another repository', async () => {
    const requests = await talk(other, 'Which package manager, and which library for dates?')
    expect(requests.length).toBeGreaterThan(0)
    for (const request of requests) {
      expect(request.everything).not.toContain(rule)
      expect(request.everything).not.toContain('Temporal')
      expect(startBlocks(request)).toBeLessThanOrEqual(1)
    }
  })

  it('uninstall gives the bytes back and leaves nothing in the state file', async () => {
    keepsake(project, 'uninstall', 'claude-code')
    expect(readFileSync(join(client.configDirectory, 'settings.json'), 'utf8')).toBe(settingsBefore)
    expect(readFileSync(join(client.configDirectory, '.claude.json'), 'utf8')).not.toContain('keepsake"')
    const [request] = await talk(project, 'Still there?')
    expect(request?.everything).not.toContain('keepsake-memory')
  })
})
