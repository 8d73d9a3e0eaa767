import { describe, expect, it } from 'vitest'
import { exampleNote } from '../testing/search-index-corpus.ts'
import { exampleMessage, exampleSession } from '../testing/session-store-suite.ts'
import { createMemorySearchIndex } from './search-index/memory-search-index.ts'
import { createMemorySessionStore } from './sessions/memory-session-store.ts'
import { createMemoryStateStore } from './state/memory-state-store.ts'
import { createKnownLayers, createKnownSessions } from './sync-known.ts'

describe('what is known of a layer', () => {
  const setUp = () => {
    const index = createMemorySearchIndex()
    const state = createMemoryStateStore()
    index.putNotes('global', [exampleNote('a.md')], [])
    return { index, state, known: createKnownLayers() }
  }

  it('is not read again while nothing is written', () => {
    const { index, state, known } = setUp()
    const first = known('global', index, state)
    expect(first.rows.map(({ file }) => file)).toEqual(['a.md'])
    expect(known('global', index, state)).toBe(first)
  })

  it.each(['index', 'keys', 'another index', 'no state any more'])('is read again after a change: %s', (change) => {
    const { index, state, known } = setUp()
    const first = known('global', index, state)
    if (change === 'index') index.putNotes('projects/other', [exampleNote('b.md')], [])
    if (change === 'keys') state.removeNoteKeys('global', ['a.md'])
    const other = createMemorySearchIndex()
    other.putNotes('global', [exampleNote('c.md')], [])
    const after = known(
      'global',
      change === 'another index' ? other : index,
      change === 'no state any more' ? null : state,
    )
    expect(after).not.toBe(first)
    expect(after.rows.map(({ file }) => file)).toEqual([change === 'another index' ? 'c.md' : 'a.md'])
  })

  it('keeps a bounded number of layers: the oldest goes', () => {
    const { index, state, known } = setUp()
    const first = known('global', index, state)
    for (let at = 0; at < 20; at++) known(`projects/${at}`, index, state)
    expect(known('global', index, state)).not.toBe(first)
  })
})

describe('what is known of sessions', () => {
  const setUp = () => {
    const index = createMemorySearchIndex()
    const store = createMemorySessionStore()
    store.putSession(exampleSession('a'))
    const runs: number[] = []
    const known = createKnownSessions()
    const look = (report: { complete: boolean; messages: number }, project: string | null = null) =>
      known([project], [index, store], async () => {
        runs.push(report.messages)
        return { sessions: 0, failure: null, ...report }
      })
    return { index, store, runs, look }
  }
  const done = { complete: true, messages: 0 }

  it('a run that found nothing is not repeated, for these projects', async () => {
    const { look, runs } = setUp()
    await look(done)
    await look(done)
    expect(runs).toHaveLength(1)
    await look(done, 'projects/p')
    expect(runs).toHaveLength(2)
  })

  it.each([
    ['brought something in', { complete: true, messages: 3 }],
    ['was stopped', { complete: false, messages: 0 }],
  ])('one that %s is', async (_, report) => {
    const { look, runs } = setUp()
    await look(report)
    await look(report)
    expect(runs).toHaveLength(2)
  })

  it('one is repeated when a message was captured since, also while it ran', async () => {
    const { look, runs, store, index } = setUp()
    await look(done)
    store.addMessages('a', [exampleMessage('1')])
    await look(done)
    expect(runs).toHaveLength(2)
    const known = createKnownSessions()
    const late = () =>
      known(undefined, [index, store], async () => {
        runs.push(0)
        store.addMessages('a', [exampleMessage(`late ${runs.length}`)])
        return { sessions: 0, failure: null, ...done }
      })
    await late()
    await late()
    expect(runs).toHaveLength(4)
  })
})
