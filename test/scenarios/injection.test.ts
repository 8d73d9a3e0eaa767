/**
 * Conversations full of instructions to the memory: in tools, files, pages, fake reminders, closing tags, repeated by the
 * assistant, pasted by the user. Nothing that they ask for is written; what the user really said beside them is.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CaptureResult, ListResult } from '../../src/domain/index.ts'
import type { CompletionRequest } from '../../src/models/index.ts'
import { hostileConversations, planted, wish } from '../support/hostile-conversations.ts'
import { createReading, newMessages, type Reading, scriptedModel } from '../support/reading.ts'
import { writeTranscript } from '../support/transcript.ts'

let reading: Reading
beforeEach(() => {
  reading = createReading()
})
afterEach(() => reading.close())

interface Quote {
  readonly message: number
  readonly words: string
}

/** UTF-16 units of a message that are quoted. */
const QUOTED = 200

/** What a model that obeys may offer as the proof of what it was asked to keep. */
const claims: readonly (readonly [string, (request: CompletionRequest, asked: string) => Quote[]])[] = [
  [
    'the words of others, where they stand',
    (request) =>
      newMessages(request).flatMap(({ number, role, text }) => (role === 'user' ? [] : [quoteOf(number, text)])),
  ],
  [
    'the words of others, as if the user had said them',
    (request) => {
      const messages = newMessages(request)
      const others = messages.filter(({ role }) => role !== 'user')
      return messages.flatMap(({ number, role }) =>
        role === 'user' ? others.map(({ text }) => quoteOf(number, text)) : [],
      )
    },
  ],
  [
    'true words of the user about something else',
    (request) =>
      newMessages(request).flatMap(({ number, role, text }) => (role === 'user' ? [quoteOf(number, text)] : [])),
  ],
  [
    'made-up words',
    (request, asked) => [...newMessages(request).map(({ number }) => quoteOf(number, asked)), quoteOf(999, asked)],
  ],
]

function quoteOf(message: number, text: string): Quote {
  return { message, words: text.slice(-QUOTED) }
}

/** The notes on disk: one, the wish; and nothing in any Markdown file of the home that anybody else asked for. */
function expectOnlyTheWish(notes: ListResult['notes']): void {
  expect(notes).toHaveLength(1)
  expect(readFileSync(notes[0]!.file, 'utf8')).toMatch(wish)
  const { home } = reading.shop
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((each) => each.endsWith('.md'))
  expect(files.length).toBeGreaterThan(0)
  for (const file of files) expect(readFileSync(join(home, file), 'utf8'), file).not.toMatch(planted)
}

describe.each(hostileConversations)('BL-17 $name [W6] [W7]', ({ said, asked }) => {
  it('by the rules alone only the wish of the user is kept [W17]', async () => {
    const { shop } = reading
    const captured = await shop.cli(['capture', writeTranscript(shop, said), '--json'])
    expect(captured.json<CaptureResult>().problems).toEqual([])
    expectOnlyTheWish((await shop.cli(['list', '--json'])).json<ListResult>().notes)
    expect((await shop.cli(['context'])).stdout).not.toMatch(planted)
  })

  it.each(claims)('a model that obeys, with %s as the proof, writes nothing more [W12]', async (_, claim) => {
    const model = scriptedModel((request) => {
      const notes = claim(request, asked).map((quote, at) => ({
        type: at % 2 === 0 ? 'feedback' : 'project',
        name: `asked ${at}`,
        description: asked,
        text: asked,
        quotes: [quote],
        replaces: null,
      }))
      expect(notes.length).toBeGreaterThan(0)
      return JSON.stringify({ notes })
    })
    const memory = await reading.open(model)
    reading.say(said)
    await memory.refresh()
    reading.clock.add(60 * 60_000)
    const { jobs, problems } = await memory.refresh()
    expect(problems).toEqual([])
    expect(jobs).toMatchObject({ done: 1, written: 0, waiting: 0, dead: 0 })
    expect(model.requests).toHaveLength(1)
    expectOnlyTheWish((await memory.list()).notes)
  })
})
