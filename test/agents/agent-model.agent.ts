/**
 * The real programs as the model (spec W18): they answer, with nothing of the person's own setting around them: no hook, no
 * server, no rules file, no tool, and no session that is left.
 */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCompleter } from '../../src/models/drivers/create-completer.ts'
import { type FakeModel, startFakeModel } from '../support/fake-model.ts'
import { type AgentWorkshop, createWorkshop } from './workshop.ts'

const { KEEPSAKE_CODEX: codexBinary = '', KEEPSAKE_CLAUDE: claudeBinary = '' } = process.env

let shop: AgentWorkshop
let model: FakeModel
let say = 'Nothing.'
beforeAll(async () => {
  shop = createWorkshop()
  model = await startFakeModel(() => ({ text: say }))
})
afterAll(async () => {
  await model.close()
  shop.close()
})

const request = { system: 'You keep notes about tide tables.', prompt: 'What is new? 有什么新的？', maxTokens: 500 }
const tool = { name: 'read_note', description: 'Gives one note.', parameters: { type: 'object' } }
const files = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'))
    : []

/** A person's hooks on every event, each of which would leave this file. */
const trace = () => join(shop.root, 'a-hook-ran')
const hooks = () => {
  const command = { hooks: [{ type: 'command', command: `touch ${trace()}` }] }
  const events = ['SessionStart', 'UserPromptSubmit', 'Stop', 'SessionEnd', 'PostToolUse']
  return { hooks: Object.fromEntries(events.map((event) => [event, [command]])) }
}

describe.skipIf(claudeBinary === '')('Claude Code', () => {
  const completer = () => {
    const folder = join(shop.home, '.claude')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'settings.json'), JSON.stringify(hooks()))
    writeFileSync(join(folder, 'CLAUDE.md'), 'RULES OF THE PERSON')
    const environment = {
      PATH: [dirname(claudeBinary), process.env.PATH ?? ''].join(delimiter),
      HOME: shop.home,
      CLAUDE_CONFIG_DIR: folder,
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'fake',
      CLAUDECODE: '1',
    }
    return createCompleter('agent:claude:claude-sonnet-4-5', { environment, temporaryDirectory: shop.root })
  }

  it('answers with its login, and with nothing else of the person', async () => {
    say = 'Nothing is new.'
    expect(await completer().complete(request)).toEqual({ text: say, calls: [], tokens: null })
    const asked = model.requests().find(({ everything }) => everything.includes(request.prompt))
    expect(asked?.system).toContain(request.system)
    expect(asked?.toolNames).toEqual([])
    expect(asked?.everything).not.toContain('RULES OF THE PERSON')
    expect(existsSync(trace())).toBe(false)
    expect(files(join(shop.home, '.claude'))).toEqual([])
  })

  it('asks for a tool in words', async () => {
    say = 'I look. {"calls": [{"name": "read_note", "input": {"name": "a"}}]}'
    const { calls } = await completer().complete({ ...request, tools: [tool] })
    expect(calls).toEqual([{ id: 'call-1', name: 'read_note', input: { name: 'a' } }])
  })
})

describe.skipIf(codexBinary === '')('Codex', () => {
  const completer = () => {
    const folder = join(shop.home, '.codex')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'hooks.json'), JSON.stringify(hooks()))
    writeFileSync(join(folder, 'AGENTS.md'), 'RULES OF THE PERSON')
    // Where its login would lead it, it goes to the scripted model instead.
    const provider = `{name="Loopback",base_url="${model.url}/v1",wire_api="responses",env_key="FAKE_KEY"}`
    const script = `#!/bin/sh\nshift\nexec ${codexBinary} exec -c 'model_provider="fake"' -c 'model_providers.fake=${provider}' "$@"\n`
    const bin = join(shop.root, 'bin')
    mkdirSync(bin, { recursive: true })
    writeFileSync(join(bin, 'codex'), script, { mode: 0o755 })
    const environment = {
      PATH: [bin, process.env.PATH ?? ''].join(delimiter),
      HOME: shop.home,
      CODEX_HOME: folder,
      FAKE_KEY: 'fake',
    }
    return createCompleter('agent:codex:gpt-5-codex', { environment, temporaryDirectory: shop.root })
  }

  it('answers with its login, and with nothing else of the person', async () => {
    say = 'Nothing is new.'
    expect(await completer().complete(request)).toEqual({ text: say, calls: [], tokens: null })
    const asked = model.requests().findLast(({ everything }) => everything.includes(request.prompt))
    expect(asked?.everything).toContain(request.system)
    expect(asked?.toolNames.filter((name) => /shell|exec|patch|web|mcp|agent/i.test(name))).toEqual([])
    expect(existsSync(trace())).toBe(false)
    expect(files(join(shop.home, '.codex', 'sessions'))).toEqual([])
  })
})
