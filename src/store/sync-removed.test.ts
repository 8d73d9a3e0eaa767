import { describe, expect, it } from 'vitest'
import type { Layer } from '../domain/index.ts'
import { createSyncHarness, exampleNote, globalLayer, projectLayer, THREAT_WORDS } from '../testing/sync-harness.ts'
import { createSync } from './sync.ts'

const MINUTE = 60_000
type Harness = ReturnType<typeof createSyncHarness>

const idOf = (n: number) => `01JQ00000000000000000000${String(n).padStart(2, '0')}`

/** A layer of `count` notes that were looked at an hour ago. */
async function layerOf(count: number): Promise<Harness> {
  const harness = createSyncHarness()
  for (let n = 0; n < count; n++)
    harness.put(`n${n}.md`, exampleNote({ id: idOf(n), name: `Note ${n}` }, `words of note ${n}`))
  harness.pass(60 * MINUTE)
  await harness.run()
  return harness
}

describe('a note removed by hand', () => {
  it('leaves the index at once and is a forget after a second look 10 minutes later', async () => {
    const harness = await layerOf(10)
    const { source: _, ...fields } = { id: idOf(50), name: 'With evidence', source: '' }
    const source = '\n  - {session: "claude-code:s", role: user, quote: "q", hash: abc}\n  - {role: user, hash: abc}'
    harness.put('gone.md', exampleNote({ ...fields, source }, 'the words'))
    await harness.run()
    harness.remove('gone.md')
    expect(await harness.run()).toMatchObject({ removed: 1, forgotten: 0 })
    expect(harness.rows().some((row) => row.file === 'gone.md')).toBe(false)
    harness.pass(10 * MINUTE - 1)
    expect(await harness.run()).toMatchObject({ removed: 0, forgotten: 0 })
    expect(harness.buried).toEqual([])
    harness.pass(1)
    expect(await harness.run()).toMatchObject({ removed: 0, forgotten: 1 })
    const { tombstones } = harness.dependencies
    expect(harness.buried).toEqual([
      {
        noteId: idOf(50),
        nameKey: tombstones.nameKey('With evidence'),
        textKey: tombstones.textKey('the words'),
        evidenceKeys: ['key of abc'],
      },
    ])
    harness.pass(10 * MINUTE)
    expect(await harness.run()).toMatchObject({ forgotten: 0 })
    expect(harness.buried).toHaveLength(1)
  })

  it('is no forget where a team shares it: others took it out, not the user [T1]', async () => {
    const harness = createSyncHarness()
    const team: Layer = { name: 'team', key: `${projectLayer.key}/team`, directory: `${projectLayer.directory}/team` }
    for (let n = 0; n < 10; n++) harness.put(`n${n}.md`, exampleNote({ id: idOf(n) }, `words of note ${n}`), {}, team)
    harness.pass(60 * MINUTE)
    await harness.run(team)
    harness.remove('n3.md', team)
    expect(await harness.run(team)).toMatchObject({ removed: 1 })
    harness.pass(11 * MINUTE)
    expect(await harness.run(team)).toMatchObject({ forgotten: 0 })
    expect(harness.buried).toEqual([])
  })

  it('leaves no words in the state while it waits', async () => {
    const harness = await layerOf(2)
    harness.remove('n0.md')
    await harness.run()
    expect(JSON.stringify(harness.memory.state.missing('global'))).not.toMatch(/words|Note 0/)
    expect(harness.memory.state.noteKeys('global', 'n0.md')).toBeNull()
  })

  it('gets no second tombstone when a forget left one already', async () => {
    const harness = await layerOf(3)
    const textKey = harness.dependencies.tombstones.textKey('words of note 1')
    harness.buried.push({ noteId: idOf(1), nameKey: 'n', textKey, evidenceKeys: [] })
    harness.remove('n1.md')
    await harness.run()
    harness.pass(10 * MINUTE)
    expect(await harness.run()).toMatchObject({ forgotten: 1 })
    expect(harness.buried).toHaveLength(1)
  })

  it('of a withheld note is a forget of its words', async () => {
    const harness = await layerOf(3)
    harness.put('bad.md', THREAT_WORDS)
    await harness.run()
    harness.remove('bad.md')
    await harness.run()
    harness.pass(10 * MINUTE)
    await harness.run()
    expect(harness.buried.map((each) => each.textKey)).toEqual([harness.dependencies.tombstones.textKey(THREAT_WORDS)])
  })

  it('is a forget of its text even when the state was lost before', async () => {
    const harness = await layerOf(3)
    harness.memory.state.removeNoteKeys('global', ['n1.md'])
    harness.remove('n1.md')
    await harness.run()
    harness.pass(10 * MINUTE)
    await harness.run()
    expect(harness.buried).toMatchObject([{ noteId: idOf(1), evidenceKeys: [] }])
  })

  it('has its keys made again when the state was lost and the file is still there', async () => {
    const harness = await layerOf(3)
    harness.memory.state.removeNoteKeys('global', ['n1.md'])
    expect(await harness.run()).toMatchObject({ read: 1, changed: 0 })
    expect(harness.memory.state.noteKeys('global', 'n1.md')?.id).toBe(idOf(1))
    expect(await harness.run()).toMatchObject({ read: 0 })
  })
})

describe('how many may go at once', () => {
  it.each<[string, number, number, number]>([
    ['the only note', 1, 1, 1],
    ['one of two', 2, 1, 1],
    ['one of four', 4, 1, 1],
    ['two of four', 4, 2, 0],
    ['two of ten: a fifth', 10, 2, 0],
    ['two of eleven: less than a fifth', 11, 2, 2],
    ['both of two', 2, 2, 0],
    ['nineteen of a hundred', 100, 19, 19],
    ['twenty of a hundred', 100, 20, 0],
    ['all of a hundred', 100, 100, 0],
  ])('%s', async (_, count, gone, forgotten) => {
    const harness = await layerOf(count)
    for (let n = 0; n < gone; n++) harness.remove(`n${n}.md`)
    expect(await harness.run()).toMatchObject({ removed: gone, forgotten: 0 })
    harness.pass(10 * MINUTE)
    const together = gone - forgotten
    expect(await harness.run()).toMatchObject({ forgotten, removedTogether: together })
    expect(harness.buried).toHaveLength(forgotten)
    expect(harness.memory.state.missing('global')).toEqual([])
    expect(harness.rows()).toHaveLength(count - gone)
  })

  it('a slow removal of many is many, however often it is looked at', async () => {
    const harness = await layerOf(20)
    for (let n = 0; n < 20; n++) {
      harness.remove(`n${n}.md`)
      await harness.run()
      harness.pass(MINUTE)
    }
    for (let look = 0; look < 15; look++) {
      await harness.run()
      harness.pass(MINUTE)
    }
    expect(harness.buried.length).toBeLessThanOrEqual(1)
  })

  it('one that goes long after many is a forget again', async () => {
    const harness = await layerOf(20)
    for (let n = 0; n < 10; n++) harness.remove(`n${n}.md`)
    await harness.run()
    harness.pass(10 * MINUTE)
    await harness.run()
    harness.remove('n15.md')
    await harness.run()
    harness.pass(10 * MINUTE)
    expect(await harness.run()).toMatchObject({ forgotten: 1 })
    expect(harness.buried.map((each) => each.noteId)).toEqual([idOf(15)])
  })
})

describe('a note that turns up again', () => {
  const bare = 'a bare note without any id'
  it.each<[string, (harness: Harness) => void, Record<string, number>]>([
    ['the same id at another path', (h) => h.move('n1.md', 'renamed.md'), { moved: 1 }],
    ['the same id in a sub-folder', (h) => h.move('n1.md', 'sub/n1.md'), { moved: 1 }],
    [
      'the same id, rewritten',
      (h) => {
        h.remove('n1.md')
        h.put('new.md', exampleNote({ id: idOf(1) }, 'rewritten words'))
      },
      { moved: 1 },
    ],
    ['a bare file at another path', (h) => h.move('bare.md', 'other.md'), { moved: 1 }],
    [
      'the same text under another id',
      (h) => {
        h.remove('n1.md')
        h.put('new.md', exampleNote({ id: idOf(70) }, 'words of note 1'))
      },
      { moved: 1 },
    ],
    ['a note whose twin stays', (h) => h.remove('twin.md'), { moved: 1 }],
    [
      'the same path with other words',
      (h) => h.put('n1.md', exampleNote({ id: idOf(71) }, 'quite other words')),
      { moved: 0 },
    ],
  ])('%s: a move, no removal', async (_, change, expected) => {
    const harness = await layerOf(10)
    harness.put('bare.md', bare)
    harness.put('twin.md', exampleNote({ id: idOf(60) }, 'words of note 2'))
    await harness.run()
    change(harness)
    expect(await harness.run()).toMatchObject({ forgotten: 0, ...expected })
    harness.pass(10 * MINUTE)
    await harness.run()
    harness.pass(10 * MINUTE)
    await harness.run()
    expect(harness.buried).toEqual([])
    expect(harness.memory.state.missing('global')).toEqual([])
  })

  it.each<[string, number]>([
    ['soon', MINUTE],
    ['just in time', 10 * MINUTE],
    ['long after', 24 * 60 * MINUTE],
  ])('the same file comes back %s, when nobody looked meanwhile', async (_, wait) => {
    const harness = await layerOf(10)
    const kept = harness.fileOf('n3.md')!
    harness.remove('n3.md')
    await harness.run()
    harness.pass(wait)
    harness.put('n3.md', kept.bytes)
    expect(await harness.run()).toMatchObject({ returned: 1, forgotten: 0 })
    harness.pass(10 * MINUTE)
    await harness.run()
    expect([harness.buried, harness.rows().length]).toEqual([[], 10])
  })

  it.each<[string, readonly ('from' | 'to')[]]>([
    ['the old layer is looked at first', ['from', 'to']],
    ['the new layer is looked at first', ['to', 'from']],
  ])('in another layer is a move: %s', async (_, order) => {
    const harness = await layerOf(10)
    harness.move('n2.md', 'n2.md', globalLayer, projectLayer)
    for (let look = 0; look < 3; look++) {
      for (const end of order) await harness.run(end === 'from' ? globalLayer : projectLayer)
      harness.pass(10 * MINUTE)
    }
    expect([harness.buried, harness.memory.state.missing('global')]).toEqual([[], []])
    expect(harness.rows(projectLayer).map((row) => row.id)).toEqual([idOf(2)])
  })

  it('a move is no removal even when the index failed in the middle of it', async () => {
    const harness = await layerOf(10)
    harness.move('n1.md', 'renamed.md')
    const failing = () => {
      const { index } = harness.memory
      const putNotes = (layer: string, notes: Parameters<typeof index.putNotes>[1], removed: readonly string[]) => {
        if (notes.length > 0) throw new Error('locked')
        index.putNotes(layer, notes, removed)
      }
      return { ...index, putNotes }
    }
    const report = await createSync({ ...harness.dependencies, index: failing }).layer(globalLayer)
    expect([report.state, harness.rows().length]).toEqual(['failed', 9])
    harness.pass(20 * MINUTE)
    expect(await harness.run()).toMatchObject({ moved: 1, forgotten: 0 })
    expect(harness.buried).toEqual([])
  })

  it('a removal counts even when the index failed before its row was out', async () => {
    const harness = await layerOf(10)
    harness.remove('n1.md')
    const failing = () => ({
      ...harness.memory.index,
      putNotes: () => {
        throw new Error('locked')
      },
    })
    await createSync({ ...harness.dependencies, index: failing }).layer(globalLayer)
    harness.pass(10 * MINUTE)
    expect(await harness.run()).toMatchObject({ removed: 1, forgotten: 1 })
  })

  it('without any state, rows still follow the files and nothing is decided', async () => {
    const harness = createSyncHarness()
    harness.put('a.md', 'words')
    harness.put('b.md', 'more words')
    const sync = createSync({ ...harness.dependencies, state: () => null })
    await sync.layer(globalLayer)
    expect(harness.rows().map((row) => row.updated)).toEqual([null, null])
    harness.remove('a.md')
    expect(await sync.layer(globalLayer)).toMatchObject({ removed: 1, forgotten: 0 })
    expect([harness.rows().length, harness.buried]).toEqual([1, []])
  })
})
