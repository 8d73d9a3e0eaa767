/** What a person said becomes notes by a model, after the turn, in the background: lazily, once, and whatever happens. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createReading,
  fact,
  NATIVE,
  type Reading,
  readFacts,
  SESSION,
  scriptedModel,
  turnsOf,
} from '../support/reading.ts'
import type { Said } from '../support/transcript.ts'

let reading: Reading
beforeEach(() => {
  reading = createReading()
})
afterEach(() => reading.close())

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const answered = (...said: string[]): Said[] => said.flatMap((user) => [{ user }, { assistant: 'Understood.' }])

describe('extraction after a turn [W12] [W13]', () => {
  it('words that stand still become notes that quote them, and are read once', async () => {
    const model = scriptedModel()
    const memory = await reading.open(model)
    reading.say(turnsOf(1, 3))
    expect((await memory.refresh()).jobs).toMatchObject({ done: 0, waiting: 0 })
    reading.clock.add(HOUR)
    const { jobs, problems } = await memory.refresh()
    expect(problems).toEqual([])
    expect(jobs).toEqual({ done: 1, written: 2, waiting: 0, dead: 0, nextDue: null })
    expect(await reading.names(memory)).toEqual(['fixture 1', 'fixture 2'])
    const note = await memory.read('fixture 1')
    expect(note?.note.source).toMatchObject([
      { session: SESSION, role: 'user', quote: fact(1), time: '2026-11-20T09:00:00Z' },
    ])
    reading.clock.add(DAY)
    await memory.refresh()
    expect(model.requests).toHaveLength(1)
    const { queue } = await memory.status()
    expect(queue).toMatchObject({ waiting: 0, dead: 0, lastError: null })
    expect(queue.lastRun).toMatchObject({ about: SESSION, calls: 1, inputTokens: 100, outputTokens: 10, written: 2 })
  })

  it.each<[string, readonly Said[], number]>([
    ['a preference', answered('I prefer the long form of dates'), 30 * SECOND],
    ['a correction in Chinese', answered('不对，报告要先给老王看'), 30 * SECOND],
    ['a request to keep', answered('Remember that Otter is the slow one'), 30 * SECOND],
    [
      'thirty messages',
      answered(...Array.from({ length: 15 }, (_, at) => `please run suite number ${at} once more`)),
      30 * SECOND,
    ],
    ['words of work, when they stand still', answered('please run the whole suite again'), 30 * MINUTE],
  ])('lazy: %s', async (_, said, afterMs) => {
    const model = scriptedModel(() => '{"notes": []}')
    const memory = await reading.open(model)
    reading.clock.set(Date.parse('2026-11-20T09:00:00Z') + (said.length - 1) * MINUTE)
    reading.say(said)
    await memory.refresh()
    reading.clock.add(afterMs - SECOND)
    await memory.refresh()
    expect(model.requests).toHaveLength(0)
    reading.clock.add(SECOND)
    expect((await memory.refresh()).jobs).toMatchObject({ done: 1, waiting: 0 })
    expect(model.requests).toHaveLength(1)
  })

  it.each(['before-compaction', 'session-end'] as const)('lazy: %s asks at once', async (kind) => {
    const model = scriptedModel()
    const memory = await reading.open(model)
    reading.say(turnsOf(1, 2), { kind })
    expect((await memory.refresh()).jobs).toMatchObject({ done: 1, written: 1 })
    expect(model.requests).toHaveLength(1)
  })

  it('a person who does not want to wait: all that is unread is read now', async () => {
    const model = scriptedModel()
    const memory = await reading.open(model)
    reading.say(turnsOf(1, 2))
    expect((await memory.refresh({ now: true })).jobs).toMatchObject({ done: 1, written: 1 })
  })

  it.each<[string, readonly Said[]]>([
    ['thanks', answered('thanks', 'ok', '好的')],
    [
      'what only the assistant and a tool said',
      [{ user: 'go' }, { tool: 'Bash', result: fact(1) }, { assistant: fact(2) }],
    ],
    ['a pasted log', answered(`\`\`\`\n${fact(1)}\n\`\`\``)],
  ])('nobody is ever asked about %s', async (_, said) => {
    const model = scriptedModel()
    const memory = await reading.open(model)
    reading.say(said, { kind: 'session-end' })
    for (const ms of [0, HOUR, DAY]) {
      reading.clock.add(ms)
      await memory.refresh()
    }
    expect([model.requests.length, await reading.names(memory)]).toEqual([0, []])
  })

  it('words that follow at once are read together, and a lively talk is read every ten minutes', async () => {
    const model = scriptedModel()
    const memory = await reading.open(model)
    const said = (turns: number) =>
      answered(...Array.from({ length: turns }, (_, at) => `Perfect, keep doing that. ${fact(at)}`))
    for (const turns of [1, 2, 3]) {
      reading.say(said(turns))
      await memory.refresh()
      reading.clock.add(20 * SECOND)
    }
    expect(model.requests).toHaveLength(0)
    reading.clock.add(20 * SECOND)
    await memory.refresh()
    expect(model.requests).toHaveLength(1)
    for (let turns = 4; turns < 14; turns++) {
      reading.say(said(turns))
      await memory.refresh()
      reading.clock.add(MINUTE)
    }
    await memory.refresh()
    expect(model.requests).toHaveLength(2)
    expect(await reading.names(memory)).toContain('fixture 8')
  })

  it('without a model nothing is queued; what was said before one was set up is not read later', async () => {
    const without = await reading.open()
    reading.say(turnsOf(1, 2), { kind: 'session-end' })
    await without.refresh()
    expect((await without.jobs.list()).total).toBe(0)
    await without.close()
    const model = scriptedModel()
    const memory = await reading.open(model)
    reading.say(turnsOf(1, 3), { kind: 'session-end' })
    expect((await memory.refresh()).jobs).toMatchObject({ done: 1, written: 1 })
    expect(await reading.names(memory)).toEqual(['fixture 2'])
  })

  it.each<[string, readonly Said[]]>([
    ['by our tool', [{ tool: 'mcp__keepsake__memory_save', result: 'Saved: x' }]],
    [
      'after other tools',
      [
        { tool: 'Bash', result: 'ok' },
        { tool: 'mcp__keepsake__memory_save', result: 'Saved: x' },
      ],
    ],
    [
      'twice',
      [
        { tool: 'mcp__keepsake__memory_save', result: 'Saved: x' },
        { tool: 'mcp__keepsake__memory_save', result: 'Saved: y' },
      ],
    ],
  ])('a turn in which the agent wrote memory %s is not read, the turns around it are', async (_, tools) => {
    const model = scriptedModel()
    const memory = await reading.open(model)
    const own: Said[] = [{ user: fact(2) }, ...tools, { assistant: 'Saved.' }]
    reading.say([...turnsOf(1, 2), ...own, ...turnsOf(3, 4)], { kind: 'session-end' })
    await memory.refresh()
    expect(await reading.names(memory)).toEqual(['fixture 1', 'fixture 3'])
    expect(model.requests[0]?.prompt).not.toContain('Fixture 2')
  })

  it.each<[string, object]>([
    ['all layers are read-only', { modes: { global: 'read-only', project: 'read-only' } }],
    ['all layers are off', { modes: { global: 'off', project: 'off' } }],
    ['the words of conversations are not kept', { capture: { sessions: false } }],
  ])('nobody is asked while %s', async (_, config) => {
    writeFileSync(join(reading.shop.home, 'config.json'), JSON.stringify({ worker: false, ...config }))
    const model = scriptedModel()
    const memory = await reading.open(model)
    reading.say(turnsOf(1, 2), { kind: 'session-end' })
    await memory.refresh()
    await memory.close()
    // Opened again, what was said then stays unread.
    writeFileSync(join(reading.shop.home, 'config.json'), '{"worker": false}')
    const later = await reading.open(model)
    reading.event('session-end')
    await later.refresh()
    expect(model.requests).toHaveLength(0)
  })

  it('a session that is set off while it waits is not read, and leaves no answer of a model behind', async () => {
    const model = scriptedModel(() => 'I saw Fixture 1. Which one do you mean?')
    const memory = await reading.open(model)
    reading.say(turnsOf(1, 2), { kind: 'session-end' })
    await memory.refresh()
    expect((await memory.jobs.list()).jobs).toMatchObject([{ state: 'dead', raw: expect.stringContaining('Fixture') }])
    await memory.sessions.setMode({ id: SESSION, mode: 'off' })
    expect((await memory.jobs.list()).total).toBe(0)
    reading.say(turnsOf(1, 3), { kind: 'session-end' })
    await memory.refresh()
    expect(model.requests).toHaveLength(2)
  })

  it('a layer in review: the note waits for a yes', async () => {
    writeFileSync(
      join(reading.shop.home, 'config.json'),
      '{"worker": false, "modes": {"global": "review", "project": "review"}}',
    )
    const memory = await reading.open(scriptedModel())
    reading.say(turnsOf(1, 2), { kind: 'session-end' })
    expect((await memory.refresh()).jobs).toMatchObject({ done: 1, written: 1 })
    expect([await reading.names(memory), (await memory.review()).total]).toEqual([[], 1])
  })

  it('what rules wrote in the same turn, and what was kept before, is in the question', async () => {
    const model = scriptedModel()
    const memory = await reading.open(model)
    await memory.remember({ text: 'The lab closes at noon on Fridays.', name: 'lab hours' })
    reading.say(answered(`Always use biome for linting in this repository, never eslint. ${fact(1)}`), {
      kind: 'session-end',
    })
    await memory.refresh()
    const kept = model.requests[0]?.prompt.split('New messages:')[0]
    expect(kept).toContain('biome')
    expect(kept).toContain('lab hours')
  })

  it('what the user takes back is not shown to the model', async () => {
    const model = scriptedModel()
    const memory = await reading.open(model)
    reading.say([...turnsOf(1, 2), ...answered('actually, forget that'), ...turnsOf(3, 4)], { kind: 'session-end' })
    await memory.refresh()
    expect(model.requests[0]?.prompt).not.toContain('Fixture 1')
    expect(await reading.names(memory)).toEqual(['fixture 3'])
  })

  it('a note that retires another one: only one that is there under this name and about the same', async () => {
    const replacing = (replaces: string) => () => {
      const quotes = [{ message: 1, words: fact(1) }]
      const words = { description: fact(1), text: fact(1) }
      return JSON.stringify({ notes: [{ type: 'project', name: 'fixture 1', ...words, quotes, replaces }] })
    }
    const memory = await reading.open(scriptedModel(replacing('owner of fixture 1')))
    await memory.remember({ text: 'Fixture 1 belongs to the Otter team.', name: 'owner of fixture 1', type: 'project' })
    await memory.remember({ text: 'Lunch is at twelve.', name: 'lunch', type: 'project' })
    reading.say(turnsOf(1, 2), { kind: 'session-end' })
    await memory.refresh()
    expect((await memory.list({ status: 'superseded' })).notes.map(({ name }) => name)).toEqual(['owner of fixture 1'])
    const other = await reading.open(scriptedModel(replacing('lunch')))
    reading.say(turnsOf(1, 2), {
      kind: 'session-end',
      session: 'a0000000-0000-4000-8000-000000000002',
      messageIds: 'aaaaaaaa',
    })
    await other.refresh()
    expect((await memory.list({ status: 'superseded' })).notes.map(({ name }) => name)).toEqual(['owner of fixture 1'])
  })
})

describe('BL-62 [W12] every message is read exactly once', () => {
  const lines = (from: number, to: number): Said[] =>
    Array.from({ length: to - from }, (_, at) =>
      (from + at) % 2 === 0 ? { user: fact(from + at) } : { assistant: `Line ${from + at}.` },
    )
  const fork = 'b0000000-0000-4000-8000-000000000003'

  it.each<[string, (step: () => Promise<void>) => Promise<void>]>([
    [
      'compaction at 527, 600 lines, 50 more after a resume, a fork of the first 300',
      async (step) => {
        reading.say(lines(0, 527), { kind: 'before-compaction' })
        await step()
        reading.say(lines(0, 600), { kind: 'session-end' })
        await step()
        reading.say(lines(0, 650), { kind: 'session-end' })
        await step()
        reading.say(lines(0, 300), { kind: 'session-end', session: fork })
        await step()
      },
    ],
    [
      'the fork is read first',
      async (step) => {
        reading.say(lines(0, 300), { kind: 'session-end', session: fork })
        await step()
        reading.say(lines(0, 650), { kind: 'session-end' })
        await step()
      },
    ],
    [
      'all of it is captured before any of it is read',
      async (step) => {
        reading.say(lines(0, 300), { session: fork })
        reading.say(lines(0, 650), { kind: 'session-end' })
        reading.event('session-end', fork)
        await step()
      },
    ],
    [
      'the transcript is read again from its beginning, under another path',
      async (step) => {
        reading.say(lines(0, 650), { kind: 'session-end' })
        await step()
        const file = join(reading.shop.root, 'moved', `${NATIVE}.jsonl`)
        const { cpSync } = await import('node:fs')
        cpSync(join(reading.shop.root, `${NATIVE}.jsonl`), file)
        await (await reading.open()).capture({ file, agent: 'claude-code' })
        await step()
      },
    ],
    [
      'the fork goes on by itself',
      async (step) => {
        reading.say(lines(0, 400), { kind: 'session-end' })
        await step()
        reading.say(lines(0, 650), { kind: 'session-end', session: fork })
        await step()
      },
    ],
  ])('%s', async (_, play) => {
    const seen: number[] = []
    const model = scriptedModel((request) => {
      const part = request.prompt.split('New messages:')[1] ?? ''
      for (const [, number] of part.matchAll(/(?:Fixture|Line) (\d+)[ .]/g)) seen.push(Number(number))
      return '{"notes": []}'
    })
    const memory = await reading.open(model)
    await play(async () => {
      for (let round = 0; round < 4; round++) await memory.refresh()
      expect((await memory.jobs.list()).total).toBe(0)
    })
    expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 650 }, (_, at) => at))
  })
})

describe('BL-19 [W12] [W16] no model can go on and on', () => {
  const notes = (fields: string) => `{"notes": [${fields}]}`

  it.each<[string, string, 'done' | 'dead', number]>([
    ['always says ok', 'ok', 'done', 1],
    ['always asks', 'Which of the fixtures do you mean?', 'dead', 2],
    ['always asks in Chinese', '请问你指的是哪个夹具？', 'dead', 2],
    ['always leaves fields out', notes('{"type": "project", "name": "x"}'), 'dead', 2],
    [
      'always adds a field',
      notes(
        `{"type": "project", "name": "x", "description": "x", "text": "${fact(1)}", "quotes": [{"message": 1, "words": "x"}], "confidence": 0.58}`,
      ),
      'dead',
      2,
    ],
    ['never ends its thoughts', '<think>Let me see. The user says', 'dead', 2],
    ['breaks off', '{"notes": [{"type": "project", "na', 'dead', 2],
    [
      'gives what nobody said',
      notes(
        `{"type": "project", "name": "x", "description": "x", "text": "The sky is green.", "quotes": [{"message": 1, "words": "The sky is green."}]}`,
      ),
      'done',
      1,
    ],
  ])('one that %s', async (_, answer, end, calls) => {
    const model = scriptedModel(() => answer)
    const memory = await reading.open(model)
    reading.say(turnsOf(1, 2), { kind: 'session-end' })
    for (let day = 0; day < 4; day++) {
      await memory.refresh()
      reading.clock.add(DAY)
    }
    expect(model.requests).toHaveLength(calls)
    expect(calls).toBeLessThanOrEqual(5)
    const { queue, checks } = await memory.status()
    expect([queue.dead, queue.waiting]).toEqual([end === 'dead' ? 1 : 0, 0])
    expect(checks.some(({ name, state }) => name === 'queue' && state === 'warning')).toBe(end === 'dead')
    expect(await reading.names(memory)).toEqual([])
  })

  it('one that is never there is asked with a growing back-off, and status says what to do', async () => {
    const model = scriptedModel(() => {
      throw new Error('connect ECONNREFUSED 127.0.0.1:11434')
    })
    const memory = await reading.open(model)
    reading.say(turnsOf(1, 2), { kind: 'session-end' })
    for (let minute = 0; minute < 120; minute++) {
      await memory.refresh()
      reading.clock.add(MINUTE)
    }
    // At 0, 1, 3, 7, 15, 31 and 63 minutes.
    expect(model.requests).toHaveLength(7)
    const { queue, checks } = await memory.status()
    expect(queue).toMatchObject({ waiting: 1, dead: 0, lastError: expect.stringContaining('ECONNREFUSED') })
    expect(checks.find(({ name }) => name === 'queue')?.hint).toContain('keepsake queue retry')
    const mended = await reading.open(scriptedModel())
    expect(await mended.jobs.run()).toMatchObject({ done: 1, written: 1, waiting: 0 })
  })

  it('quota prose with a success code is no answer: the words wait, and are read when there is a quota', async () => {
    let isOut = true
    const model = scriptedModel((request) =>
      isOut ? 'You have hit your usage limit. Try again at 5 pm.' : readFacts(request),
    )
    const memory = await reading.open(model)
    reading.say(turnsOf(1, 2), { kind: 'session-end' })
    await memory.refresh()
    expect((await memory.status()).queue).toMatchObject({ waiting: 1, dead: 0 })
    isOut = false
    reading.clock.add(HOUR)
    await memory.refresh()
    expect(await reading.names(memory)).toEqual(['fixture 1'])
  })

  it('one model that is down is not asked again for the next conversation in the same run', async () => {
    const model = scriptedModel(() => {
      throw new Error('down')
    })
    const memory = await reading.open(model)
    for (const at of [1, 2, 3])
      reading.say(turnsOf(at, at + 1), {
        kind: 'session-end',
        session: `c0000000-0000-4000-8000-00000000000${at}`,
        messageIds: `c000000${at}`,
      })
    await memory.refresh()
    expect([model.requests.length, (await memory.status()).queue.waiting]).toEqual([1, 3])
  })

  it('a day that is spent: what is left waits until the next one', async () => {
    writeFileSync(join(reading.shop.home, 'config.json'), '{"worker": false, "budget": {"perDay": {"calls": 12}}}')
    const model = scriptedModel()
    const memory = await reading.open(model)
    for (const at of [1, 2, 3, 4])
      reading.say(turnsOf(at, at + 1), {
        kind: 'session-end',
        session: `c0000000-0000-4000-8000-00000000000${at}`,
        messageIds: `c000000${at}`,
      })
    await memory.refresh()
    const today = model.requests.length
    expect(today).toBeGreaterThan(0)
    expect(today).toBeLessThan(4)
    reading.clock.add(HOUR)
    await memory.refresh()
    expect(model.requests).toHaveLength(today)
    expect((await memory.status()).queue.nextDue).toBe('2026-11-21T00:00:00Z')
    for (let day = 0; day < 4; day++) {
      reading.clock.add(DAY)
      await memory.refresh()
    }
    expect(await reading.names(memory)).toEqual(['fixture 1', 'fixture 2', 'fixture 3', 'fixture 4'])
  })

  it.each([
    '{"notes": []}',
    'Nothing to save.',
    '',
    '[]',
    '没有需要保存的内容。',
    '```json\n{"notes": []}\n```',
    'NO_REPLY',
  ])('an empty answer (%j) is success, and never asked for again [W13]', async (answer) => {
    const model = scriptedModel(() => answer)
    const memory = await reading.open(model)
    reading.say(turnsOf(1, 2), { kind: 'session-end' })
    for (let round = 0; round < 3; round++) {
      expect((await memory.refresh()).problems).toEqual([])
      reading.clock.add(DAY)
    }
    expect([model.requests.length, (await memory.jobs.list()).total]).toEqual([1, 0])
  })
})
