/**
 * Reflection with the real client: the prompt of our server as a slash command, the skill from the package, and the tool
 * that saves, called by a scripted model that follows the example of the prompt.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ListResult } from '../../src/domain/index.ts'
import { type FakeModel, type FakeReply, type FakeRequest, startFakeModel } from '../support/fake-model.ts'
import { type ClaudeClient, createClaudeClient } from './claude-client.ts'

const packageFolder = resolve(import.meta.dirname, '../..')
const cli = join(packageFolder, 'dist', 'cli.js')
const opening = 'Look back over this conversation. Keep what later sessions need'

let root: string
let project: string
let model: FakeModel
let client: ClaudeClient

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'keepsake-reflection-'))
  project = join(root, 'tidepool')
  mkdirSync(project)
  execFileSync('git', ['-C', project, 'init', '-q', '-b', 'main'])
  model = await startFakeModel(obedient)
  client = createClaudeClient({
    binary: process.env.KEEPSAKE_CLAUDE ?? '',
    home: join(root, 'home'),
    modelUrl: model.url,
  })
  client.trust(project)
  keepsake('install', 'claude-code')
  const staging = ['--type', 'reference', '--name', 'staging host', '--description', 'Where staging is']
  keepsake('remember', 'Staging is at stage-1.example', ...staging)
})

afterAll(async () => {
  await model.close()
  rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 })
})

const save = 'mcp__keepsake__memory_save'

/** Does once what the example of the prompt does, where the prompt stands before it. The client loads tools when asked. */
function obedient({ everything, toolNames, toolResults }: FakeRequest): FakeReply {
  const [, example] = /^memory_save (\{.*\})$/m.exec(everything) ?? []
  // What loads a tool answers without words.
  if (example === undefined || toolResults.some((result) => result.trim() !== '')) return { text: 'Done.' }
  if (toolNames.includes(save)) return { tools: [{ name: save, input: JSON.parse(example) }] }
  return { tools: [{ name: 'ToolSearch', input: { query: `select:${save}`, max_results: 1 } }] }
}

function keepsake(...given: string[]): string {
  const environment = { PATH: process.env.PATH, HOME: client.home, CLAUDE_CONFIG_DIR: client.configDirectory }
  const run = spawnSync(process.execPath, [cli, ...given], { cwd: project, env: environment, encoding: 'utf8' })
  expect(run.status, `${given.join(' ')}: ${run.stdout}${run.stderr}`).toBe(0)
  return run.stdout
}

const kept = () => (JSON.parse(keepsake('list', '--json')) as ListResult).notes.map(({ name }) => name).sort()

describe.skipIf(!process.env.KEEPSAKE_CLAUDE)('reflection in Claude Code [W18]', () => {
  it('/mcp__keepsake__reflect gives the prompt with what is kept; what the agent saves is there', async () => {
    const allowed = ['--allowedTools', save]
    const run = await client.run({ cwd: project, prompt: '/mcp__keepsake__reflect', arguments: allowed })
    expect(run.code, run.stderr + run.stdout).toBe(0)
    const asked = model.requests().find(({ everything }) => everything.includes(opening))
    expect(asked?.everything).toContain('reference | project')
    expect(kept()).toEqual(['deploy command', 'staging host', '发布日期'])
  })

  it('the skill of the package is offered to the model once it is copied', async () => {
    const skills = join(client.configDirectory, 'skills')
    mkdirSync(skills, { recursive: true })
    cpSync(join(packageFolder, 'skills', 'keepsake-reflect'), join(skills, 'keepsake-reflect'), { recursive: true })
    const before = model.requests().length
    expect((await client.run({ cwd: project, prompt: '/keepsake-reflect' })).code).toBe(0)
    const asked = model.requests().slice(before)
    expect(asked.some(({ everything }) => everything.includes(opening))).toBe(true)
    const plain = model.requests().length
    expect((await client.run({ cwd: project, prompt: 'hello' })).code).toBe(0)
    const [offered] = model.requests().slice(plain)
    expect(offered?.everything).toContain('keepsake-reflect')
    expect(offered?.everything).not.toContain(opening)
  })
})
