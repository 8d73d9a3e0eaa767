/** What `install` says and how it ends: wired, waiting for a step of the person, or only looked at. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createWorkshop, type Workshop } from '../support/cli.ts'

let shop: Workshop
beforeEach(() => {
  shop = createWorkshop()
})
afterEach(() => shop.remove())

/** A Codex that knows our hooks and gives their trust as `trust`. */
function codexIs(trust: string, enabled = true): Record<string, string> {
  const bin = join(shop.root, 'bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(
    join(bin, 'codex'),
    `#!/usr/bin/env node
const { readFileSync } = require('node:fs')
const file = require('node:path').join(process.env.CODEX_HOME, 'hooks.json')
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  const send = (result) => process.stdout.write(JSON.stringify({ id, result }) + '\\n')
  if (method === 'initialize') send({})
  if (method !== 'hooks/list') return
  const entries = Object.entries(JSON.parse(readFileSync(file, 'utf8')).hooks)
  const hooks = entries.map(([eventName, [group]]) => ({ eventName, command: group.hooks[0].command, enabled: ${enabled}, trustStatus: ${JSON.stringify(trust)} }))
  send({ data: [{ hooks }] })
})
`,
    { mode: 0o755 },
  )
  return { PATH: `${bin}:${dirname(process.execPath)}:${process.env.PATH ?? ''}` }
}

describe('install [A1]', () => {
  it.each<[string, string, boolean, number, RegExp]>([
    ['trusts them', 'trusted', true, 0, /From now on conversations with this agent are captured/],
    [
      'has yet to be told to trust them',
      'untrusted',
      true,
      0,
      /Codex waits for your trust .*type \/hooks and trust them/,
    ],
    ['saw them change', 'modified', true, 0, /Codex waits for your trust/],
    ['has them switched off', 'trusted', false, 5, /switched off in Codex/],
  ])('a Codex that %s: its line and exit code', async (_, trust, enabled, code, line) => {
    const environment = codexIs(trust, enabled)
    const run = await shop.cli(['install', 'codex'], { environment })
    expect(run.stdout).toMatch(line)
    expect(run.code, run.stderr).toBe(code)
    if (trust === 'trusted' && enabled) return
    // Doctor says it until it is done.
    const doctor = await shop.cli(['doctor'], { environment })
    expect(doctor.stdout).toMatch(/agent codex: .*Codex/)
  })

  it.each(['claude-code', 'codex'])('--dry-run of %s ends with 0 and changes nothing', async (agent) => {
    const before = readdirSync(shop.root)
    const run = await shop.cli(['install', agent, '--dry-run'])
    expect(run.code, run.stderr).toBe(0)
    expect(run.stdout).toContain('this was a dry run')
    expect(readdirSync(shop.root)).toEqual(before)
    expect(existsSync(join(shop.home, 'receipts'))).toBe(false)
  })

  it('asks for a new start of open sessions only when something changed', async () => {
    expect((await shop.cli(['install', 'claude-code'])).stdout).toContain('need a new start')
    const again = await shop.cli(['install', 'claude-code'])
    expect(again.stdout).toContain('unchanged')
    expect(again.stdout).not.toContain('need a new start')
  })

  it('--dry-run over settings that cannot be read ends as install would', async () => {
    mkdirSync(join(shop.root, '.claude'))
    writeFileSync(join(shop.root, '.claude', 'settings.json'), '{ "hooks": [')
    const codes = [
      (await shop.cli(['install', 'claude-code', '--dry-run'])).code,
      (await shop.cli(['install', 'claude-code'])).code,
    ]
    expect(codes).toEqual([4, 4])
  })
})
