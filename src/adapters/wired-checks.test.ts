import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { WiringOptions } from '../domain/index.ts'
import { agents, wiredChecks } from './index.ts'

let root: string
let options: WiringOptions
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'keepsake-checks-'))
  options = {
    userHome: join(root, 'user'),
    environment: {},
    keepsakeHome: join(root, 'keepsake'),
    hookCommand: [process.execPath, import.meta.filename],
    mcpCommand: [process.execPath, import.meta.filename, 'mcp'],
  }
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

it('looks at the agents that were installed, and at no others', async () => {
  expect(await wiredChecks(agents, options)).toEqual([])
  await agents.codex?.wiring.install(options)
  expect(await wiredChecks(agents, options)).toEqual([
    { name: 'agent codex', state: 'ok', detail: 'wired as installed', hint: null },
  ])
  await agents.codex?.wiring.uninstall(options)
  expect(await wiredChecks(agents, options)).toEqual([])
})

it('says what is wrong with one of them', async () => {
  for (const { wiring } of Object.values(agents)) await wiring.install(options)
  rmSync(join(root, 'user', '.codex', 'hooks.json'))
  expect(await wiredChecks(agents, options)).toMatchObject([
    { name: 'agent claude-code', state: 'ok' },
    {
      name: 'agent codex',
      state: 'broken',
      detail: expect.stringContaining('has no hook of Keepsake for SessionStart'),
    },
  ])
})
