/** What a person said becomes notes by a model, after the turn, in the background: lazily, once, and whatever happens. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createReading, fact, type Reading, scriptedModel, turnsOf } from '../support/reading.ts'

let reading: Reading
beforeEach(() => {
  reading = createReading()
})
afterEach(() => reading.close())

const MINUTE = 60_000
const idle = () => reading.clock.add(60 * MINUTE)

describe('extraction after a turn [W12] [W13]', () => {
  it('words that stand still become notes that quote them, and are read once', async () => {
    const model = scriptedModel()
    const memory = await reading.open(model)
    reading.say(turnsOf(1, 3))
    expect((await memory.refresh()).jobs).toMatchObject({ done: 0, waiting: 0 })
    idle()
    const { jobs, problems } = await memory.refresh()
    expect(problems).toEqual([])
    expect(jobs).toEqual({ done: 1, written: 2, waiting: 0, dead: 0, nextDue: null })
    expect(await reading.names(memory)).toEqual(['fixture 1', 'fixture 2'])
    const note = await memory.read('fixture 1')
    expect(note?.note.source).toMatchObject([
      {
        session: 'claude-code:7f1c2a44-0000-4000-8000-000000000001',
        role: 'user',
        quote: fact(1),
        time: '2026-11-20T09:00:00Z',
      },
    ])
    await memory.refresh()
    expect(model.requests).toHaveLength(1)
  })
})
