/**
 * Conversations full of instructions to the memory: in tools, files, pages, fake reminders, closing tags, repeated by the
 * assistant, pasted by the user. Nothing that they ask for is written; what the user really said beside them is.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CaptureResult, ListResult } from '../../src/domain/index.ts'
import { vetoNote } from '../../src/write/extract/index.ts'
import { createWorkshop, type Workshop } from '../support/cli.ts'
import { hostileConversations, planted, wish } from '../support/hostile-conversations.ts'
import { type Said, writeTranscript } from '../support/transcript.ts'

let shop: Workshop
beforeEach(() => {
  shop = createWorkshop('tidepool')
})
afterEach(() => shop.remove())

describe.each(hostileConversations)('BL-17 $name [W6] [W7]', ({ said, asked }) => {
  it('by the rules alone: only the wish of the user is kept [W17]', async () => {
    const captured = await shop.cli(['capture', writeTranscript(shop, said), '--json'])
    expect(captured.json<CaptureResult>().problems).toEqual([])
    const { notes } = (await shop.cli(['list', '--json'])).json<ListResult>()
    expect(notes).toHaveLength(1)
    expect(readFileSync(notes[0]!.file, 'utf8')).toMatch(wish)
    const files = readdirSync(shop.home, { recursive: true, encoding: 'utf8' }).filter((each) => each.endsWith('.md'))
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) expect(readFileSync(join(shop.home, file), 'utf8'), file).not.toMatch(planted)
    expect((await shop.cli(['context'])).stdout).not.toMatch(planted)
  })

  it('no quote makes the asked note the user’s: not the true words of another, not a made-up one', () => {
    const messages = said.map((each, index) => ({ index, toolName: null, time: null, ...spoken(each) }))
    const users = messages.filter(({ role }) => role === 'user')
    const claims = [
      // What was said, at its own place and at a place of the user.
      ...messages.flatMap(({ index, content }) =>
        [index, ...users.map((user) => user.index)].map((message) => ({ message, words: content.slice(-200) })),
      ),
      ...users.map(({ index }) => ({ message: index, words: asked })),
      { message: 999, words: asked },
    ]
    for (const quote of claims)
      for (const type of ['feedback', 'user', 'project'] as const) {
        const note = { type, text: asked, quotes: [quote], messages, existing: [], sensitive: 'refuse' } as const
        expect(vetoNote(note), JSON.stringify(quote)).not.toBeNull()
      }
  })
})

function spoken(said: Said): { readonly role: 'user' | 'assistant' | 'tool'; readonly content: string } {
  if ('user' in said) return { role: 'user', content: said.user }
  return 'assistant' in said ? { role: 'assistant', content: said.assistant } : { role: 'tool', content: said.result }
}
