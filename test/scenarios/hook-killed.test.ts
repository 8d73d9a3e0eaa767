/** BL-25: the hook that ends a turn or a session is killed, or never runs. The next start reads what it would have told. */
import { spawn } from 'node:child_process'
import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cleanEnvironment, distribution } from '../support/cli.ts'
import { createReading, NATIVE, type Reading, scriptedModel, turnsOf } from '../support/reading.ts'
import { writeTranscript } from '../support/transcript.ts'

let reading: Reading
beforeEach(() => {
  reading = createReading()
})
afterEach(() => reading.close())

/** A hook as the agent starts it, ended by the signal after so many milliseconds. */
function killedHook(event: string, signal: NodeJS.Signals, afterMs: number): Promise<void> {
  const { home, project, root } = reading.shop
  const hook = spawn(process.execPath, [join(distribution, 'hook.js'), 'claude-code', event], {
    cwd: project,
    env: cleanEnvironment(home),
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  hook.stdin.on('error', () => undefined)
  hook.stdin.end(
    JSON.stringify({
      hook_event_name: event,
      session_id: NATIVE,
      cwd: project,
      transcript_path: join(root, `${NATIVE}.jsonl`),
    }),
  )
  setTimeout(() => hook.kill(signal), afterMs)
  return new Promise((done) => hook.on('close', () => done()))
}

/** A line of which only the beginning was written. */
async function tornLine(): Promise<void> {
  mkdirSync(join(reading.shop.home, 'journal'), { recursive: true })
  appendFileSync(join(reading.shop.home, 'journal', 'queue.jsonl'), '{"version":1,"time":"2026-11-20T09:00:00Z","eve')
}

describe('BL-25 [A2] [W12] the end of a session whose hook is killed', () => {
  it.each<[string, () => Promise<void>]>([
    ['SIGTERM 50 ms after its start', () => killedHook('SessionEnd', 'SIGTERM', 50)],
    ['SIGKILL 50 ms after its start', () => killedHook('SessionEnd', 'SIGKILL', 50)],
    ['SIGKILL at once', () => killedHook('SessionEnd', 'SIGKILL', 0)],
    ['the hook never fires', async () => undefined],
    ['its line is torn', tornLine],
    [
      'each hook of the turn is killed',
      async () => {
        await killedHook('Stop', 'SIGKILL', 5)
        await killedHook('PreCompact', 'SIGTERM', 20)
        await killedHook('SessionEnd', 'SIGKILL', 10)
      },
    ],
  ])('%s: the next start reads its words, and once', async (_, hook) => {
    const model = scriptedModel()
    const memory = await reading.open(model)
    reading.say(turnsOf(1, 2))
    await memory.refresh()
    writeTranscript(reading.shop, turnsOf(1, 4))
    await hook()
    for (let start = 0; start < 3; start++) {
      // Without a word that the session ended, it is read once it stands still.
      reading.clock.add(60 * 60_000)
      await memory.refresh()
    }
    expect(await reading.names(memory)).toEqual(['fixture 1', 'fixture 2', 'fixture 3'])
    const shown = model.requests.flatMap(({ prompt }) =>
      [...prompt.split('New messages:')[1]!.matchAll(/Fixture (\d)/g)].map((match) => match[1]),
    )
    expect(shown.sort()).toEqual(['1', '2', '3'])
  })
})

describe('a session of our own worker [W16] [BL-20]', () => {
  it.each(['Stop', 'SessionEnd', 'PreCompact', 'SessionStart', 'UserPromptSubmit'])(
    '%s leaves no line',
    async (event) => {
      const transcript = writeTranscript(reading.shop, turnsOf(1, 2))
      const input = { session_id: NATIVE, transcript_path: transcript, source: 'startup', prompt: 'which fixture?' }
      const run = await reading.shop.hook(event, input, { environment: { KEEPSAKE_WORKER: '1' } })
      expect(run).toMatchObject({ code: 0, stdout: '' })
      const model = scriptedModel()
      const memory = await reading.open(model)
      reading.clock.add(60 * 60_000)
      await memory.refresh()
      expect([(await memory.sessions.list()).total, model.requests.length]).toEqual([0, 0])
    },
  )

  it('a transcript of one of our own questions, captured by hand, gives no words of a user and no question', async () => {
    const first = scriptedModel()
    const memory = await reading.open(first)
    reading.say(turnsOf(1, 2), { kind: 'session-end' })
    await memory.refresh()
    const question = first.requests[0]?.prompt ?? ''
    const own = 'd0000000-0000-4000-8000-000000000009'
    const file = writeTranscript(reading.shop, [{ user: question }, { assistant: '{"notes": []}' }], {
      session: own,
      messageIds: 'dddddddd',
    })
    const result = await memory.capture({ file, agent: 'claude-code' })
    expect(result.skipped).toMatchObject({ 'own-block': 1 })
    reading.clock.add(60 * 60_000)
    await memory.refresh()
    expect(first.requests).toHaveLength(1)
  })
})
