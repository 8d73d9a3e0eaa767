/** `keepsake eval dialect`: models that were taught rules are told apart by what they do with them. */
import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dialectNames } from '../../src/engine/index.ts'
import { type Completer, DEFAULT_CONFIG } from '../../src/index.ts'
import { openInProcess } from '../../src/mcp/index.ts'
import { type DialectReport, type EvalDialectOptions, evalDialect } from '../../src/measure/index.ts'
import { createWorkshop } from '../support/cli.ts'
import { ignoringModel, lostModel, misquotingModel, obeyingModel } from '../support/dialect-models.ts'
import { startModelServer } from '../support/model-server.ts'

let temporaryDirectory: string
beforeEach(() => {
  temporaryDirectory = realpathSync(mkdtempSync(join(tmpdir(), 'keepsake-dialect-')))
})
afterEach(() => rmSync(temporaryDirectory, { recursive: true, force: true }))

const measure = (completer: Completer, more: Partial<EvalDialectOptions> = {}): Promise<DialectReport> =>
  evalDialect({
    rulesFile: null,
    dialects: dialectNames,
    completer,
    settings: DEFAULT_CONFIG,
    temporaryDirectory,
    openTools: (memory) => openInProcess(memory, '0.0.0'),
    ...more,
  })

const figures = (report: DialectReport) =>
  report.dialects.map(({ dialect, opened, verified, cited, obeyed }) => [
    dialect,
    ...[opened, verified, cited, obeyed].map((share) => (share === null ? '-' : `${share.n}/${share.of}`)),
  ])

/** Dialects that ask for a list at the end of an answer. */
const LISTS = ['library', 'codex']

describe('eval dialect [I12]', () => {
  it('a model that does as it was taught has all of it, in every dialect, and nothing is left behind', async () => {
    const report = await measure(obeyingModel())
    expect(figures(report)).toEqual(
      dialectNames.map((name) => [name, '12/12', '9/9', LISTS.includes(name) ? '20/20' : '-', '20/20']),
    )
    expect(report).toMatchObject({ model: 'obeys', rules: 20, done: 120, of: 120, stopped: null })
    for (const { calls, inputTokens } of report.dialects) {
      expect(calls).toBe(20 * 3 + 9)
      expect(inputTokens).toBeGreaterThan(0)
    }
    expect(readdirSync(temporaryDirectory)).toEqual([])
  })

  it('a model that ignores what it was taught has nothing of it', async () => {
    const report = await measure(ignoringModel())
    expect(figures(report)).toEqual(
      dialectNames.map((name) => [name, '0/12', '0/9', LISTS.includes(name) ? '0/20' : '-', '0/20']),
    )
  })

  it('a model that names notes which it made up has all but that', async () => {
    const report = await measure(misquotingModel(), { dialects: LISTS })
    expect(figures(report)).toEqual(LISTS.map((name) => [name, '12/12', '9/9', '0/20', '20/20']))
  })

  it('a model that never comes to an answer has obeyed nothing, and costs what a task may cost', async () => {
    const model = lostModel()
    const report = await measure(model, { dialects: ['plain'] })
    expect(figures(report)).toEqual([['plain', '0/12', '9/9', '-', '0/20']])
    expect(model.requests).toHaveLength(20 * 8)
  })

  it('each task is a conversation of its own, with the block of the dialect before the words of the user', async () => {
    const model = obeyingModel()
    await measure(model, { dialects: ['codex'] })
    const first = model.requests.filter(({ steps }) => (steps ?? []).length === 0)
    expect(first).toHaveLength(20)
    // Of memory it hears from the block alone.
    expect([...new Set(first.map(({ system }) => system))]).toMatchInlineSnapshot(`
      [
        "You are a coding agent. You work for one user, in one small project. Answer the last message of the user.

      Use tools where they help. When you have what you need, answer in text and call no tool. Be brief: only what was asked.",
      ]
    `)
    for (const { prompt, tools } of first) {
      expect(prompt).toMatch(/^<keepsake-memory kind="start">\n[\s\S]*\n<\/keepsake-memory>\n\n.+/)
      expect(tools?.map(({ name }) => name).sort()).toEqual(['list_files', 'memory_get', 'memory_search', 'read_file'])
    }
  })

  it('stopped by the person it gives what it has, for the same rules in each dialect', async () => {
    const stop = new AbortController()
    const report = await measure(obeyingModel(), {
      signal: stop.signal,
      onProgress: ({ tasks }) => tasks === 12 && stop.abort(),
    })
    expect(report).toMatchObject({ done: 12, of: 120, stopped: 'it was stopped' })
    expect(new Set(report.dialects.map(({ tasks }) => tasks))).toEqual(new Set([2]))
    expect(readdirSync(temporaryDirectory)).toEqual([])
  })

  it('a model that goes away in the middle ends the run; its figures are of what was answered', async () => {
    const obeying = obeyingModel()
    const report = await measure(
      {
        id: 'goes',
        complete: async (request) => {
          if (obeying.requests.length > 10) throw new Error('connection refused')
          return obeying.complete(request)
        },
      },
      { dialects: ['plain'] },
    )
    expect(report.stopped).toMatch(/could not be asked/)
    expect(report.done).toBeLessThan(10)
    expect(report.dialects[0]?.tasks).toBe(report.done - 3)
    expect(report.tasks.filter(({ unanswered }) => unanswered !== null)).toHaveLength(3)
  })

  it('a model that cannot be asked at all is an error with a hint', async () => {
    const absent = { id: 'absent', complete: () => Promise.reject(new Error('connection refused')) }
    await expect(measure(absent)).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE', hint: expect.any(String) })
  })
})

describe('keepsake eval dialect [I12] [U1]', () => {
  it('says that there is no model, and how to name one', async () => {
    const shop = createWorkshop()
    const run = await shop.cli(['eval', 'dialect'])
    expect(run.code).toBe(5)
    expect(run.stderr).toMatch(/No model is set up[\s\S]*--model <model>.*models\.small/)
    expect((await shop.cli(['eval', 'dialect', '--agent', 'nobody', '--model', 'ollama:x'])).code).toBe(2)
    shop.remove()
  })

  it('prints a table for rules of your own, asked of the model that is named', async () => {
    const shop = createWorkshop()
    const server = await startModelServer()
    server.script = ({ body }) =>
      JSON.stringify(body).includes('which installer?') && !JSON.stringify(body).includes('Install with uv,')
        ? { calls: [{ name: 'memory_get', input: { note: 'installer' } }] }
        : { text: 'uv pip install' }
    const rules = join(shop.root, 'rules.jsonl')
    const rule = { type: 'feedback', name: 'installer', description: 'What installs packages', opens: true }
    const task = { task: 'which installer?', must: ['\\buv\\b'], mustNot: ['^pip'] }
    writeFileSync(rules, JSON.stringify({ id: 'a', ...rule, text: 'Install with uv, not with pip.', ...task }))
    const ask = (...more: string[]) =>
      shop.cli(['eval', 'dialect', '--rules', rules, '--model', 'ollama:qwen3:8b', ...more], {
        environment: { OLLAMA_HOST: server.url },
      })
    const run = await ask('--agent', 'plain')
    expect(run).toMatchObject({ code: 0 })
    expect(run.stdout.replace(/~?\d{3,}/, '<tokens>')).toMatchInlineSnapshot(`
      "1 rule, 1 dialect, ollama:qwen3:8b
               opened  verified  cited  obeyed  calls  tokens
      plain 2  1/1     -         -      1/1     2      36
      "
    `)
    const report = (await ask('--list', '--json')).json<DialectReport>()
    expect(report.tasks.map(({ dialect, obeyed }) => [dialect, obeyed])).toEqual(
      dialectNames.map((name) => [name, true]),
    )
    writeFileSync(rules, JSON.stringify({ id: 'a', ...rule, ...task, must: ['('] }))
    expect(await ask()).toMatchObject({ code: 2, stderr: expect.stringContaining('line 1') })
    await server.close()
    shop.remove()
  })
})
