import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { watch } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startWorker } from './start-worker.ts'

let root: string
let home: string
let script: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'keepsake-worker-'))
  home = join(root, 'home')
  script = join(root, 'worker.mjs')
  mkdirSync(join(home, 'logs'), { recursive: true })
  writeFileSync(join(home, 'home.json'), '{"format": 1}')
  writeFileSync(
    script,
    `import { writeFileSync, renameSync } from 'node:fs'
     console.log('a line for the log')
     const { KEEPSAKE_WORKER, KEEPSAKE_HOME, OTHER } = process.env
     writeFileSync('told.tmp', JSON.stringify({ KEEPSAKE_WORKER, KEEPSAKE_HOME, OTHER, cwd: process.cwd() }))
     renameSync('told.tmp', 'told.json')`,
  )
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

async function told(): Promise<unknown> {
  const file = join(home, 'told.json')
  const stop = AbortSignal.timeout(20_000)
  for await (const _ of watch(home, { signal: stop })) if (existsSync(file)) break
  return JSON.parse(readFileSync(file, 'utf8'))
}

it('starts it apart, marked, in the home, with its output in the log', async () => {
  const answer = told()
  expect(startWorker({ home, script, project: null, environment: { OTHER: 'kept' } })).toBe(true)
  expect(await answer).toEqual({ KEEPSAKE_WORKER: '1', KEEPSAKE_HOME: home, OTHER: 'kept', cwd: home })
  expect(readFileSync(join(home, 'logs', 'worker.log'), 'utf8')).toBe('a line for the log\n')
  expect(statSync(join(home, 'logs', 'worker.log')).mode & 0o777).toBe(0o600)
})

it('puts a full log aside and keeps one old one', async () => {
  const log = join(home, 'logs', 'worker.log')
  writeFileSync(`${log}.1`, 'oldest')
  writeFileSync(log, 'x'.repeat(1024 * 1024 + 1))
  const answer = told()
  startWorker({ home, script, project: null, environment: {} })
  await answer
  expect(statSync(`${log}.1`).size).toBe(1024 * 1024 + 1)
  expect(readFileSync(log, 'utf8')).toBe('a line for the log\n')
})

it.each([
  ['there is no home', () => rmSync(join(home, 'home.json'))],
  ['there is no worker', () => rmSync(script)],
])('does not start when %s', (_, damage) => {
  damage()
  expect(startWorker({ home, script, project: null, environment: {} })).toBe(false)
  expect(existsSync(join(home, 'logs', 'worker.log'))).toBe(false)
})
