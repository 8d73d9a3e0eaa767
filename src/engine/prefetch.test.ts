import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Block, type ContextInput, EMPTY_BLOCK, type ReadResult, type ShownBlock } from '../domain/index.ts'
import { createPrefetch, type Prefetch } from './prefetch.ts'

const ID = '01J00000000000000000000001'
const HASH = 'ab'.repeat(32)

/** A turn block with one note, as the engine writes it. */
function block(words: string, id = ID, hash = HASH): Block {
  const text = `<keepsake-memory kind="turn">\n### ${words} (${id}@${hash.slice(0, 8)}, project, project, today)\n${words}\n</keepsake-memory>`
  return { ...EMPTY_BLOCK, text, bytes: Buffer.byteLength(text) }
}

interface Asked {
  readonly input: ContextInput
  answer(block: Block): Promise<void>
  fail(error: Error): Promise<void>
}

/** Each call of `context` waits until the test answers it. */
function scriptedMemory() {
  const asked: Asked[] = []
  const notes = new Map<string, { hash: string; status?: string; standing?: string }>([[ID, { hash: HASH }]])
  const settled = async () => {
    for (let round = 0; round < 20; round++) await Promise.resolve()
  }
  return {
    asked,
    notes,
    settled,
    context: (input: ContextInput = {}) =>
      new Promise<Block>((resolve, reject) => {
        input.signal?.addEventListener('abort', () => reject(new Error('given up')), { once: true })
        asked.push({
          input,
          answer(found) {
            resolve(found)
            return settled()
          },
          fail(error) {
            reject(error)
            return settled()
          },
        })
      }),
    read: async (id: string) => {
      const known = notes.get(id)
      if (known === undefined) return null
      const standing = { state: known.standing ?? 'stands' }
      const read = { note: { id, hash: known.hash, status: known.status ?? 'active' }, summary: { standing } }
      return read as unknown as ReadResult // The part that is looked at.
    },
  }
}

let memory: ReturnType<typeof scriptedMemory>
let problems: unknown[]
let prefetch: Prefetch
const unhandled: unknown[] = []
const onUnhandled = (error: unknown) => unhandled.push(error)

beforeEach(() => {
  memory = scriptedMemory()
  problems = []
  prefetch = createPrefetch(memory, { onProblem: (error) => problems.push(error) })
  process.on('unhandledRejection', onUnhandled)
})
afterEach(async () => {
  await new Promise((resolve) => setImmediate(resolve))
  process.off('unhandledRejection', onUnhandled)
  expect(unhandled).toEqual([])
})

function begin(prompt: string, more: { shown?: readonly ShownBlock[]; signal?: AbortSignal } = {}): void {
  prefetch.begin({ prompt, shown: more.shown ?? [], signal: more.signal ?? new AbortController().signal })
}

const shownAs = ({ text }: Block): ShownBlock => ({ kind: 'turn', text, time: null })

describe('createPrefetch [I3]', () => {
  it('gives nothing before a turn, nothing while it runs, then the block once', async () => {
    expect([prefetch.state(), prefetch.take()]).toEqual(['idle', null])
    begin('which port')
    expect([prefetch.state(), prefetch.take()]).toEqual(['running', null])
    await memory.asked[0]?.answer(block('port 8081'))
    expect(prefetch.state()).toBe('ready')
    expect(prefetch.take()?.text).toContain('port 8081')
    expect(prefetch.take()).toBeNull()
  })

  it('hands on what the memory needs to know, and no more', () => {
    const shown = [shownAs(block('a'))]
    prefetch.begin({
      prompt: 'which port',
      shown,
      toolUses: [{ name: 'Bash', failed: false }],
      begins: 'own:1',
      signal: new AbortController().signal,
    })
    expect(memory.asked[0]?.input).toEqual({
      prompt: 'which port',
      shown,
      toolUses: [{ name: 'Bash', failed: false }],
      begins: 'own:1',
      signal: expect.any(AbortSignal),
    })
  })

  it.each(['off', 'no message', 'no budget', 'few words'] as const)(
    'says that the gate "%s" is closed',
    async (closed) => {
      begin('ok')
      await memory.asked[0]?.answer({ ...EMPTY_BLOCK, closed })
      expect([prefetch.state(), prefetch.take()]).toEqual([closed, null])
    },
  )

  it('news are given though there were too few words to search for', async () => {
    begin('ok')
    await memory.asked[0]?.answer({ ...block('changed'), closed: 'few words' })
    expect([prefetch.state(), prefetch.take()?.text]).toEqual(['few words', block('changed').text])
  })

  it('switched off by the host it asks nothing', async () => {
    prefetch = createPrefetch(memory, { isOn: false })
    begin('which port')
    await memory.settled()
    expect([memory.asked.length, prefetch.state(), prefetch.take()]).toEqual([0, 'off', null])
  })

  it('a search that fails is told and gives nothing', async () => {
    begin('which port')
    await memory.asked[0]?.fail(new Error('locked'))
    expect([prefetch.state(), prefetch.take(), problems.length]).toEqual(['failed', null, 1])
  })
})

describe('a turn that is given up [I3]', () => {
  it('before it began: nothing is asked', async () => {
    begin('which port', { signal: AbortSignal.abort() })
    await memory.settled()
    expect([memory.asked.length, prefetch.state(), prefetch.take()]).toEqual([0, 'stopped', null])
  })

  it('while it runs: the search ends, nothing is given and nothing told', async () => {
    const turn = new AbortController()
    begin('which port', { signal: turn.signal })
    turn.abort()
    await memory.settled()
    expect(memory.asked[0]?.input.signal?.aborted).toBe(true)
    expect([prefetch.state(), prefetch.take(), problems]).toEqual(['stopped', null, []])
    begin('another question')
    await memory.settled()
    expect(prefetch.take()).toBeNull()
  })

  it('after it was found: it is not given, nor with the next message', async () => {
    const turn = new AbortController()
    begin('which port', { signal: turn.signal })
    await memory.asked[0]?.answer(block('port 8081'))
    turn.abort()
    expect(prefetch.take()).toBeNull()
    begin('another question')
    await memory.settled()
    expect(prefetch.take()).toBeNull()
  })

  it('with the conversation all that runs ends', async () => {
    begin('one thing')
    begin('another thing')
    prefetch.stop()
    await memory.settled()
    expect(memory.asked.at(-1)?.input.signal?.aborted).toBe(true)
    expect([prefetch.state(), prefetch.take(), problems]).toEqual(['stopped', null, []])
  })
})

describe('what comes late [I3]', () => {
  const late = block('port 8081')
  /** The first message is not answered in time, the second one is being searched for. */
  async function comesLate(more: { shown?: readonly ShownBlock[] } = {}): Promise<void> {
    begin('which port')
    begin('and which host', more)
    await memory.asked[0]?.answer(late)
  }

  it('is given with the next message while that one is still running, and once', async () => {
    await comesLate()
    expect(prefetch.take()).toEqual(late)
    expect(prefetch.take()).toBeNull()
  })

  it('what is found for the message itself goes first; the late one is dropped', async () => {
    await comesLate()
    await memory.asked[1]?.answer(block('host alder'))
    expect(prefetch.take()?.text).toContain('host alder')
    expect(prefetch.take()).toBeNull()
    begin('a third thing')
    await memory.settled()
    expect(prefetch.take()).toBeNull()
  })

  it('is given where the message itself finds nothing', async () => {
    await comesLate()
    await memory.asked[1]?.answer(EMPTY_BLOCK)
    expect(prefetch.take()).toEqual(late)
  })

  it('at most one block a turn: what finishes after it is for the next turn', async () => {
    await comesLate()
    expect(prefetch.take()).toEqual(late)
    const other = block('host alder', '01J00000000000000000000002')
    memory.notes.set('01J00000000000000000000002', { hash: HASH })
    await memory.asked[1]?.answer(other)
    expect(prefetch.take()).toBeNull()
    begin('a third thing', { shown: [shownAs(late)] })
    await memory.settled()
    expect(prefetch.take()).toEqual(other)
  })

  it('is dropped with the turn after the next', async () => {
    begin('which port')
    begin('and which host')
    begin('and which user')
    await memory.asked[0]?.answer(late)
    expect(prefetch.take()).toBeNull()
  })

  it.each<[string, () => void, readonly ShownBlock[]]>([
    ['forgotten', () => memory.notes.clear(), []],
    ['changed', () => memory.notes.set(ID, { hash: 'cd'.repeat(32) }), []],
    ['archived', () => memory.notes.set(ID, { hash: HASH, status: 'archived' }), []],
    ['overridden', () => memory.notes.set(ID, { hash: HASH, standing: 'overridden' }), []],
    ['shown meanwhile', () => undefined, [shownAs(block('another wording of it'))]],
    ['over what the conversation may show', () => undefined, [{ kind: 'turn', text: 'x'.repeat(59_950), time: null }]],
  ])('is dropped when it is %s', async (_, change, shown) => {
    change()
    await comesLate({ shown })
    expect(prefetch.take()).toBeNull()
    expect(problems).toEqual([])
  })
})
