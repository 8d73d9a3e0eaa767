/** Each message is read once, wherever it stands: cursor, turns passed over, forks, resumed conversations. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Session } from '../../domain/index.ts'
import { createMemorySessionStore } from '../../store/sessions/memory-session-store.ts'
import type { NewMessage } from '../../store/sessions/session-store.ts'
import { MAX_SKIPPED } from '../../store/state/extraction-cursors.ts'
import { createMemoryStateStore } from '../../store/state/memory-state-store.ts'
import { beginReading, markSeen, moveTo, passOver, unreadOf } from './unread.ts'

const nothing = { project: null, title: null, tags: [], branch: null, cwd: null, started: null, ended: null }
const session = (id: string): Session => ({ id, agent: 'claude-code', ...nothing, summary: null, parent: null })
/** Every third message is the user's: a turn has three. */
const message = (number: number): NewMessage => ({
  id: `claude-code:m${number}`,
  idGiven: true,
  role: number % 3 === 0 ? 'user' : 'assistant',
  content: `words ${number}`,
  toolName: null,
  time: null,
  hash: `${number}`,
})
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at)

function stores() {
  const sessions = createMemorySessionStore()
  const cursors = createMemoryStateStore().extractions
  const both = { sessions, cursors }
  return {
    ...both,
    /** As a capture does it. */
    add(id: string, numbers: readonly number[], { isRead = true, isPassedOver = false } = {}) {
      if (isRead) beginReading(both, id, 1)
      sessions.putSession(session(id))
      sessions.addMessages(id, numbers.map(message))
      if (isPassedOver) passOver(both, id, { messages: numbers.map(message), now: 2 })
    },
    unread: (id: string, limit = 1_000) =>
      unreadOf(both, id, limit).messages.map(({ message: { hash } }) => Number(hash)),
    /** Reads it as a job does, in pieces. */
    read(id: string, limit = 1_000) {
      const read: number[] = []
      for (;;) {
        const { messages, upTo, hasMore } = unreadOf(both, id, limit)
        read.push(...messages.map(({ message: { hash } }) => Number(hash)))
        moveTo(both, id, { upTo, now: 3, isRead: true })
        if (!hasMore) return read
      }
    },
    both,
  }
}

describe('what a model has not read [W12]', () => {
  it('is all of a new conversation, and later what came since', () => {
    const store = stores()
    store.add('a', range(0, 6))
    expect(store.unread('a')).toEqual(range(0, 6))
    expect(store.read('a')).toEqual(range(0, 6))
    store.add('a', range(0, 9))
    expect(store.unread('a')).toEqual([6, 7, 8])
  })

  it('is given in pieces that follow each other', () => {
    const store = stores()
    store.add('a', range(0, 450))
    expect(unreadOf(store.both, 'a', 3)).toMatchObject({ upTo: 2, hasMore: true })
    expect(store.read('a', 7)).toEqual(range(0, 450))
    expect(store.unread('a')).toEqual([])
  })

  it('is nothing of what was stored before a model was there, and all that comes then', () => {
    const store = stores()
    store.add('a', range(0, 6), { isRead: false })
    expect(store.unread('a')).toEqual([])
    store.add('a', range(0, 9))
    expect(store.unread('a')).toEqual([6, 7, 8])
  })

  it('is no turn in which the agent wrote memory itself; the turns around it are', () => {
    const store = stores()
    store.add('a', range(0, 3))
    store.add('a', range(3, 6), { isPassedOver: true })
    store.add('a', range(6, 9))
    expect(store.unread('a')).toEqual([0, 1, 2, 6, 7, 8])
    expect(store.read('a', 4)).toEqual([0, 1, 2, 6, 7, 8])
    expect(store.cursors.get('a')).toMatchObject({ ordinal: 8, skipped: [] })
  })

  it('a turn that was read in two halves is passed over from its beginning', () => {
    const store = stores()
    store.add('a', range(0, 5))
    store.add('a', [5], { isPassedOver: true })
    expect(store.unread('a')).toEqual([0, 1, 2])
  })

  it('turns passed over are bounded, and none of them is read', () => {
    const store = stores()
    for (const turn of range(0, 3 * MAX_SKIPPED))
      store.add('a', range(turn * 3, turn * 3 + 3), { isPassedOver: turn % 2 === 0 })
    expect(store.cursors.get('a')?.skipped.length).toBeLessThanOrEqual(MAX_SKIPPED)
    expect(store.read('a').filter((number) => Math.floor(number / 3) % 2 === 0)).toEqual([])
  })

  it('what is decided about, or read less far, never moves the cursor back', () => {
    const store = stores()
    store.add('a', range(0, 9))
    moveTo(store.both, 'a', { upTo: 5, now: 7, isRead: true })
    moveTo(store.both, 'a', { upTo: 2, now: 9, isRead: true })
    markSeen(store.both, 'a', 1, 9)
    expect(store.cursors.get('a')).toMatchObject({ ordinal: 5, seen: 5, readAt: 7 })
  })

  it('a place that holds another message is no place: then nothing is known to be unread', () => {
    const store = stores()
    store.add('a', range(0, 6))
    store.read('a')
    store.sessions.removeSession('a')
    store.add('a', range(30, 40))
    expect(store.unread('a')).toEqual([])
  })
})

describe('BL-62 [W12] resumed and forked conversations are read once', () => {
  it.each<[string, (store: ReturnType<typeof stores>) => number[]]>([
    [
      'a fork of what was read',
      (store) => {
        store.add('a', range(0, 60))
        const read = store.read('a')
        store.add('b', range(0, 30))
        return [...read, ...store.read('b')]
      },
    ],
    [
      'a fork before anything was read, the fork first',
      (store) => {
        store.add('a', range(0, 60))
        store.add('b', range(0, 30))
        return [...store.read('b'), ...store.read('a')]
      },
    ],
    [
      'a fork that goes on by itself, in pieces',
      (store) => {
        store.add('a', range(0, 45))
        store.add('b', [...range(0, 30), ...range(45, 60)])
        return [...store.read('a', 7), ...store.read('b', 7)]
      },
    ],
    [
      'a resumed conversation under a new id',
      (store) => {
        store.add('a', range(0, 30))
        const read = store.read('a')
        store.add('c', range(0, 60))
        return [...read, ...store.read('c')]
      },
    ],
    [
      'a fork of a fork',
      (store) => {
        store.add('a', range(0, 30))
        store.add('b', range(0, 45))
        store.add('c', range(0, 60))
        return [...store.read('c', 10), ...store.read('b'), ...store.read('a')]
      },
    ],
  ])('%s', (_, play) => {
    const read = play(stores())
    expect(read.toSorted((a, b) => a - b)).toEqual(range(0, 60))
  })

  it('a fork of a conversation from before a model was there gives only its own words', () => {
    const store = stores()
    store.add('a', range(0, 30), { isRead: false })
    store.add('b', [...range(0, 30), 40, 41])
    expect(store.read('b')).toEqual([40, 41])
  })

  it('a fork of a turn that the agent kept itself', () => {
    const store = stores()
    store.add('a', range(0, 3), { isPassedOver: true })
    store.add('b', range(0, 6))
    expect(store.read('b')).toEqual([3, 4, 5])
  })

  it('whatever is added, forked and read in whatever order: nothing twice, and at the end nothing is left', () => {
    const step = fc.record({
      id: fc.constantFrom('a', 'b', 'c'),
      to: fc.integer({ min: 1, max: 40 }),
      limit: fc.integer({ min: 1, max: 9 }),
      reads: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const store = stores()
        const read: number[] = []
        const added = new Set<number>()
        for (const { id, to, limit, reads } of steps) {
          store.add(id, range(0, to))
          for (const number of range(0, to)) added.add(number)
          if (reads) read.push(...store.read(id, limit))
        }
        for (const id of ['a', 'b', 'c']) read.push(...store.read(id))
        expect(read.toSorted((a, b) => a - b)).toEqual([...added].toSorted((a, b) => a - b))
      }),
    )
  })
})
