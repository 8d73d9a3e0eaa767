import { describe, expect, it } from 'vitest'
import { MemoryError } from '../errors.ts'
import { exampleMessage, exampleSession } from '../testing/session-store-suite.ts'
import { createMemorySearchIndex } from './search-index/memory-search-index.ts'
import type { IndexedMessage, SearchIndex } from './search-index/search-index.ts'
import { createMemorySessionStore } from './sessions/memory-session-store.ts'
import { createKnownSessions } from './sync-known.ts'
import { syncSessions } from './sync-sessions.ts'

function setUp() {
  const memory = createMemorySearchIndex()
  const batches: IndexedMessage[][] = []
  const index: SearchIndex = {
    ...memory,
    putMessages(messages) {
      batches.push([...messages])
      memory.putMessages(messages)
    },
  }
  const store = createMemorySessionStore()
  const knownSessions = createKnownSessions()
  const run = (options = {}) => syncSessions({ index: () => index, knownSessions }, store, options)
  const indexed = () => batches.flat().map(({ session, ordinal }) => `${session} ${ordinal}`)
  return { index, store, batches, run, indexed }
}

const messages = (count: number, from = 0, prefix = 'm') =>
  Array.from({ length: count }, (_, n) => exampleMessage(`${prefix}${from + n}`))

describe('sync of sessions', () => {
  it('brings each message in once, with its scope and speaker', async () => {
    const { store, run, batches } = setUp()
    store.putSession(exampleSession('a', { project: 'projects/shop-1a2b3c4d', started: '2026-03-02T00:00:00Z' }))
    store.putSession(exampleSession('b', { started: '2026-03-01T00:00:00Z' }))
    store.addMessages('a', [
      exampleMessage('1', '用 pnpm'),
      exampleMessage('2', 'done', { role: 'tool', toolName: 'Bash' }),
    ])
    store.addMessages('b', [exampleMessage('3', 'hello', { role: 'assistant' })])
    expect(await run()).toEqual({ messages: 3, sessions: 2, complete: true, failure: null })
    const scope = 'session:projects/shop-1a2b3c4d'
    expect(batches).toEqual([
      [
        { session: 'a', ordinal: 0, scope, speaker: 'user', body: '用 pnpm' },
        { session: 'a', ordinal: 1, scope, speaker: 'tool Bash', body: 'done' },
      ],
      [{ session: 'b', ordinal: 0, scope: 'session:none', speaker: 'assistant', body: 'hello' }],
    ])
    expect(await run()).toEqual({ messages: 0, sessions: 0, complete: true, failure: null })
    expect(batches).toHaveLength(2)
  })

  it('brings in only what lags', async () => {
    const { store, run, indexed } = setUp()
    store.putSession(exampleSession('a'))
    store.addMessages('a', messages(3))
    await run()
    store.addMessages('a', messages(5))
    expect(await run()).toMatchObject({ messages: 2, sessions: 1 })
    expect(indexed()).toEqual(['a 0', 'a 1', 'a 2', 'a 3', 'a 4'])
  })

  it('indexes shared messages in each session that holds them', async () => {
    const { store, run, indexed } = setUp()
    for (const id of ['a', 'fork']) {
      store.putSession(exampleSession(id))
      store.addMessages(id, messages(2))
    }
    await run()
    expect(indexed().sort()).toEqual(['a 0', 'a 1', 'fork 0', 'fork 1'])
  })

  it('builds a session anew when the index holds more than the store', async () => {
    const { store, run, index } = setUp()
    store.putSession(exampleSession('a'))
    store.addMessages('a', messages(5))
    await run()
    store.removeSession('a')
    store.putSession(exampleSession('a'))
    store.addMessages('a', messages(2, 10))
    expect(await run()).toMatchObject({ messages: 2 })
    expect(index.messageCount('a')).toBe(2)
  })

  it('keeps transactions small, by count and by size', async () => {
    const { store, run, batches, indexed } = setUp()
    store.putSession(exampleSession('a'))
    store.addMessages('a', messages(500))
    store.addMessages(
      'a',
      Array.from({ length: 6 }, (_, n) => exampleMessage(`large${n}`, `${n} `.repeat(40_000))),
    )
    expect(await run()).toMatchObject({ messages: 506 })
    expect(Math.max(...batches.map((batch) => batch.length))).toBeLessThanOrEqual(30)
    const characters = batches.map((batch) => batch.reduce((sum, each) => sum + each.body.length, 0))
    expect(Math.max(...characters)).toBeLessThanOrEqual(80_000)
    expect(new Set(indexed()).size).toBe(506)
  })

  it('stops at a limit or a signal and goes on at the next call', async () => {
    const { store, run, indexed } = setUp()
    for (const id of ['a', 'b', 'c']) {
      store.putSession(exampleSession(id))
      store.addMessages(id, messages(100, 0, id))
    }
    expect(await run({ signal: AbortSignal.abort() })).toMatchObject({ messages: 0, complete: false, failure: null })
    const first = await run({ maxMessages: 120 })
    expect(first).toMatchObject({ complete: false })
    expect(first.messages).toBeLessThan(200)
    expect(await run()).toMatchObject({ messages: 300 - first.messages, complete: true })
    expect(new Set(indexed()).size).toBe(300)
    expect(indexed()).toHaveLength(300)
  })

  it('looks at every session, however many there are', async () => {
    const { store, run } = setUp()
    for (let n = 0; n < 450; n++) {
      store.putSession(exampleSession(`s${n}`))
      store.addMessages(`s${n}`, messages(1, n))
    }
    expect(await run()).toEqual({ messages: 450, sessions: 450, complete: true, failure: null })
  })

  it('reports what stands in the way and goes on later', async () => {
    const { store, index, run } = setUp()
    store.putSession(exampleSession('a'))
    store.addMessages('a', messages(100))
    let calls = 0
    const putMessages: SearchIndex['putMessages'] = (batch) => {
      if (++calls === 2) throw new MemoryError('SQLITE_BUSY', 'locked', { hint: 'Try again.' })
      index.putMessages(batch)
    }
    const failure = { code: 'SQLITE_BUSY', message: 'locked', hint: 'Try again.' }
    expect(
      await syncSessions({ index: () => ({ ...index, putMessages }), knownSessions: createKnownSessions() }, store, {}),
    ).toMatchObject({
      complete: false,
      failure,
    })
    expect(await run()).toMatchObject({ messages: 70, complete: true })
  })
})
