/** The trust of hooks, asked of a stand-in for `codex` on PATH; the real one answers in test/agents. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { WiringOptions } from '../../../domain/index.ts'
import { askForHooks, findCodex } from './hook-trust.ts'
import { codexWiring as wiring } from './wiring.ts'

let root: string
let options: WiringOptions
let codex: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'keepsake-trust-'))
  const bin = join(root, 'bin')
  codex = join(bin, 'codex')
  mkdirSync(bin)
  options = {
    userHome: join(root, 'user'),
    environment: { PATH: `relative:${join(root, 'nowhere')}:${bin}:${dirname(process.execPath)}` },
    keepsakeHome: join(root, 'keepsake'),
    hookCommand: [process.execPath, import.meta.filename],
    mcpCommand: [process.execPath, import.meta.filename, 'mcp'],
  }
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** A program that answers `hooks/list` with what `answer` (the body of a function of the request) gives. */
function standIn(answer: string): void {
  writeFileSync(
    codex,
    `#!/usr/bin/env node
const { readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
writeFileSync(join(${JSON.stringify(root)}, 'asked.json'), JSON.stringify({ words: process.argv.slice(2), home: process.env.CODEX_HOME, pid: process.pid }))
const hooks = () => Object.entries(JSON.parse(readFileSync(join(process.env.CODEX_HOME, 'hooks.json'), 'utf8')).hooks)
  .map(([event, [group]]) => ({ eventName: event, command: group.hooks[0].command, enabled: true, trustStatus: 'trusted' }))
const send = (message) => process.stdout.write(JSON.stringify(message) + '\\n')
const answer = (request) => { ${answer} }
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const request = JSON.parse(line)
  if (request.method === 'initialize') send({ id: request.id, result: {} })
  if (request.method === 'hooks/list') { send({ method: 'notice' }); answer(request) }
})
`,
    { mode: 0o755 },
  )
}

const list = (change: string) =>
  `const all = hooks(); ${change}; send({ id: request.id, result: { data: [{ hooks: all }] } })`
const asked = () => JSON.parse(readFileSync(join(root, 'asked.json'), 'utf8'))

describe('verify', () => {
  it.each<[string, string, readonly unknown[]]>([
    ['all are trusted', list(''), []],
    ['all are managed', list("for (const hook of all) hook.trustStatus = 'managed'"), []],
    [
      'none is trusted',
      list("for (const hook of all) hook.trustStatus = 'untrusted'"),
      [
        'Codex waits for your trust in the hooks of Keepsake (SessionStart, UserPromptSubmit, Stop, PreCompact, SessionEnd): open Codex, type /hooks and trust them; until then it skips them without a word',
      ],
    ],
    ['one was changed since', list("all[2].trustStatus = 'modified'"), [expect.stringContaining('(Stop)')]],
    ['one is off', list('all[0].enabled = false'), [expect.stringContaining('switched off in Codex (SessionStart)')]],
    ['hooks of others are not asked about', list("all.push({ command: 'x', trustStatus: 'untrusted' })"), []],
    ['ours are not known', list('all.length = 0'), [expect.stringContaining('[features] hooks = false')]],
    ['an older Codex', 'send({ id: request.id, error: { code: -32600 } })', [expect.stringContaining('did not say')]],
    ['it ends without an answer', 'process.exit(1)', [expect.stringContaining('did not say')]],
    [
      'an answer in another shape',
      'send({ id: request.id, result: { data: [null, { hooks: [7] }] } })',
      [expect.stringContaining('does not know')],
    ],
  ])('%s', async (_, answer, expected) => {
    standIn(answer)
    await wiring.install(options)
    const before = readFileSync(join(options.userHome, '.codex', 'config.toml'))
    expect(await wiring.verify(options)).toEqual(expected)
    expect(asked()).toMatchObject({ words: ['app-server'], home: join(options.userHome, '.codex') })
    // The trust itself is the person's.
    expect(readFileSync(join(options.userHome, '.codex', 'config.toml'))).toEqual(before)
  })

  it('asks nothing before the hooks are there', async () => {
    standIn(list(''))
    expect(await wiring.verify(options)).not.toEqual([])
    expect(existsSync(join(root, 'asked.json'))).toBe(false)
  })

  it('says nothing where there is no Codex', async () => {
    await wiring.install(options)
    expect(await findCodex(options.environment)).toBeNull()
    expect(await wiring.verify(options)).toEqual([])
  })
})

it('gives up in time on a program that does not answer, and ends it', async () => {
  standIn('')
  const question = { executable: codex, folder: root, environment: { ...options.environment, CODEX_HOME: root } }
  expect(await askForHooks({ ...question, timeoutMs: 1_500 })).toBeNull()
  const { pid } = asked()
  await expect.poll(() => isRunning(pid), { timeout: 5_000 }).toBe(false)
})

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    // No such process: the answer.
    return false
  }
}
