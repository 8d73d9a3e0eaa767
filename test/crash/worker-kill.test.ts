/** Real processes that read conversations, stopped and killed while work waits and while a model is asked. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type BuiltChild, buildChild } from '../support/build-child.ts'
import { BEGAN, createReading, fact, type Reading } from '../support/reading.ts'

let child: BuiltChild
beforeAll(async () => {
  child = await buildChild('test/crash/worker-child.ts')
}, 60_000)
afterAll(() => child?.dispose())

let reading: Reading
beforeEach(() => {
  reading = createReading()
})
afterEach(() => reading.close())

const MINUTE = 60_000

/** Runs a worker at this time; when it says `at`, it gets the signal. Gives what it said. */
function worker(
  atMs: number,
  { behaviour = 'answer', at = '', signal = 'SIGTERM' as NodeJS.Signals } = {},
): Promise<string[]> {
  const { home, project } = reading.shop
  const started = spawn(process.execPath, [child.file, home, project, String(BEGAN + atMs), behaviour], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  started.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
    if (at !== '' && said.split('\n').includes(at)) started.kill(signal)
  })
  return new Promise((done, failed) => {
    started.on('error', failed)
    started.on('close', () => done(said.trim().split('\n')))
  })
}

function asked(): number {
  const file = join(reading.shop.root, 'asked.log')
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0
}

/** The notes are there once, and nothing waits. */
async function expectReadOnce(mostAsked: number): Promise<void> {
  expect(asked()).toBeLessThanOrEqual(mostAsked)
  const memory = await reading.open()
  expect(await reading.names(memory)).toEqual(['fixture 1', 'fixture 2'])
  expect((await memory.jobs.list()).total).toBe(0)
  const before = asked()
  await worker(60 * 24 * MINUTE)
  expect(asked()).toBe(before)
}

/** Each turn holds a signal, so that the words wait for half a minute and no longer. */
const said = [1, 2].flatMap((number) => [
  { user: `Perfect, keep doing that. ${fact(number)}` },
  { assistant: 'Understood.' },
])

describe('BL-26 [W12] [W13] a worker that is stopped loses nothing and does nothing twice', () => {
  it.each<
    [string, { readonly at: string; readonly signal: NodeJS.Signals; readonly behaviour?: string }, number, number]
  >([
    ['SIGTERM inside the debounce window', { at: 'waiting', signal: 'SIGTERM' }, MINUTE, 1],
    ['SIGKILL inside the debounce window', { at: 'waiting', signal: 'SIGKILL' }, MINUTE, 1],
    ['SIGTERM while the model is asked', { at: 'asked', signal: 'SIGTERM', behaviour: 'hang' }, MINUTE, 2],
    ['SIGKILL while the model is asked', { at: 'asked', signal: 'SIGKILL', behaviour: 'hang' }, 4 * MINUTE, 2],
    ['SIGKILL when it is told that the model was asked', { at: 'asked', signal: 'SIGKILL' }, 4 * MINUTE, 2],
  ])('%s', async (_, how, restartAfter, mostAsked) => {
    reading.say(said)
    if (how.at === 'asked') await worker(0, { at: 'waiting' })
    const begun = how.at === 'asked' ? MINUTE : 0
    const words = await worker(begun, how)
    expect(words).toContain(how.at)
    if (how.signal === 'SIGKILL' && how.behaviour === 'hang') expect(words).not.toContain('ended')
    await worker(begun + restartAfter)
    await expectReadOnce(mostAsked)
  })

  it('stopped each time for a while, and words that come in between', async () => {
    reading.say(said.slice(0, 2))
    await worker(0, { at: 'waiting' })
    reading.say(said)
    await worker(20_000, { at: 'waiting', signal: 'SIGKILL' })
    expect(asked()).toBe(0)
    await worker(20_000 + MINUTE)
    await expectReadOnce(1)
  })

  it('two workers at one time: one of them asks', async () => {
    reading.say(said, { kind: 'session-end' })
    const [first, second] = await Promise.all([worker(0), worker(0)])
    expect([...first, ...second].filter((word) => word === 'asked')).toHaveLength(1)
    await expectReadOnce(1)
  })
})
