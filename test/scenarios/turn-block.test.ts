/** The notes beside a message for agents that are built on the library: news, gates, and the search beside the model. */
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Block, Memory, ShownBlock } from '../../src/domain/index.ts'
import { createMemory, createPrefetch } from '../../src/index.ts'
import { createWorkshop, type Workshop } from '../support/cli.ts'
import { writeTranscript } from '../support/transcript.ts'

let shop: Workshop
const open: Memory[] = []
beforeEach(() => {
  shop = createWorkshop('tidepool')
})
afterEach(async () => {
  for (const memory of open.splice(0)) await memory.close()
  shop.remove()
})

async function opened(environment: Record<string, string> = {}): Promise<Memory> {
  const around = { environment, userHome: shop.root, temporaryDirectory: tmpdir() }
  const memory = await createMemory({ home: shop.home, cwd: shop.project, surroundings: around })
  open.push(memory)
  return memory
}

const kept = (memory: Memory, text: string, name: string) =>
  memory.remember({ text, name, type: 'project', layer: 'project', author: 'agent' })
const asTurn = ({ text }: Block): ShownBlock => ({ kind: 'turn', text, time: null })
const asks = 'Where does the harbour app keep its charts?'

describe('the turn block of the library [I2]', () => {
  it('what another process wrote or forgot since the start block comes first, marked, once', async () => {
    const memory = await opened()
    await kept(memory, 'The harbour app keeps its charts in the blue pool', 'charts')
    await kept(memory, 'The old office stands in Lantern Lane', 'old office')
    const { text } = await memory.context()
    const start: ShownBlock = { kind: 'start', text, time: new Date().toISOString() }
    await shop.cli(['remember', 'The tide table is read from the green pool', '--type', 'project', '--name', 'tides'])
    await shop.cli(['forget', 'old office', '--yes'])

    const first = await memory.context({ prompt: asks, shown: [start] })
    expect(first.entries.map(({ name, why }) => [name, why])).toEqual([
      ['tides', 'written or changed since this session began'],
      ['charts', 'recalled for this message'],
    ])
    expect(first.text).toContain('\nForgotten since this session began: old office\n')
    expect((await memory.context({ prompt: asks, shown: [start] })).text).toBe(first.text)

    const again = await memory.context({ prompt: asks, shown: [start, asTurn(first)] })
    expect(again.text).toBe('')
    // After a compaction the conversation holds neither block.
    const cut = await memory.context({ prompt: asks, sessionStart: new Date(Date.now() + 1_000).toISOString() })
    expect(cut.entries.map(({ name }) => name)).toEqual(['charts'])
  })

  it('the first message of a conversation hears what was kept in the background [W22]', async () => {
    const said = [{ user: "No, don't use npm in this repository, use pnpm." }, { assistant: 'Understood.' }] as const
    const session = '7f1c2a44-0000-4000-8000-000000000001'
    const file = writeTranscript(shop, said, { session, start: new Date(Date.now() - 3_600_000).toISOString() })
    await shop.cli(['capture', file])
    const memory = await opened()
    const prompt = 'Good morning, what is next on the list?'
    const { text } = await memory.context({ prompt, begins: 'own:2' })
    expect(text).toContain('Kept in the background since the last session: "')
    expect((await memory.context({ prompt })).text).not.toContain('Kept in the background')
  })

  it.each<[string, string, Record<string, string>, string | undefined]>([
    ['a question', asks, {}, undefined],
    ['one word', 'ok', {}, 'few words'],
    ['two Chinese characters', '继续', {}, 'few words'],
    ['nothing but a block of ours', '<keepsake-facts>\nx\n</keepsake-facts>', {}, 'no message'],
    ['switched off', asks, { KEEPSAKE_INJECT_TURN: 'false' }, 'off'],
    ['no bytes left', asks, { KEEPSAKE_INJECT_SESSION_BYTES: '0' }, 'no budget'],
  ])('says which gate was closed: %s [I3]', async (_, prompt, environment, closed) => {
    await kept(await opened(), 'The harbour app keeps its charts in the blue pool', 'charts')
    const block = await (await opened(environment)).context({ prompt })
    expect(block.closed).toBe(closed)
    expect(block.text === '').toBe(closed !== undefined)
  })

  it('a hook has the same gates: switched off it says nothing, not even news [I3]', async () => {
    await kept(await opened(), 'The harbour app keeps its charts in the blue pool', 'charts')
    const input = { session_id: 's', transcript_path: join(shop.root, 'none.jsonl'), prompt: asks }
    expect((await shop.hook('UserPromptSubmit', input)).stdout).toContain('blue pool')
    writeFileSync(join(shop.home, 'config.json'), '{"worker": false, "inject": {"turn": false}}\n')
    expect((await shop.hook('UserPromptSubmit', input)).stdout).toBe('')
  })
})

describe('prefetch beside a real memory [I3]', () => {
  async function settled(prefetch: ReturnType<typeof createPrefetch>): Promise<void> {
    while (prefetch.state() === 'running') await new Promise((resolve) => setImmediate(resolve))
  }

  it('gives the block that was asked for, once it is there', async () => {
    const memory = await opened()
    await kept(memory, 'The harbour app keeps its charts in the blue pool', 'charts')
    const prefetch = createPrefetch(memory)
    prefetch.begin({ prompt: asks, signal: new AbortController().signal })
    expect(prefetch.take()).toBeNull()
    await settled(prefetch)
    expect(prefetch.take()?.text).toContain('blue pool')
    expect(prefetch.take()).toBeNull()
  })

  it('what was not taken is given with the next message', async () => {
    const memory = await opened()
    await kept(memory, 'The harbour app keeps its charts in the blue pool', 'charts')
    const prefetch = createPrefetch(memory)
    prefetch.begin({ prompt: asks, signal: new AbortController().signal })
    await settled(prefetch)
    prefetch.begin({ prompt: 'ok', signal: new AbortController().signal })
    await vi.waitFor(() => expect(prefetch.take()?.text).toContain('blue pool'), { timeout: 10_000 })
    expect(prefetch.take()).toBeNull()
    expect(prefetch.state()).toBe('few words')
  })
})
