import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mostValuableFirst, placedByIndex, type ValuedNote } from './value-order.ts'

const note = (id: string, fields: Partial<ValuedNote> = {}): ValuedNote => ({
  ...{
    id,
    layer: 'global',
    file: `${id}.md`,
    pinned: false,
    voice: 'fact',
    mutes: [],
    updated: '2026-05-01T10:00:00Z',
  },
  ...fields,
})
const earned = (trust: number, lastUsed: string | null = null) => ({ earned: { trust, lastUsed } })
const order = (notes: readonly ValuedNote[]) => notes.toSorted(mostValuableFirst).map(({ id }) => id)

describe('which note comes first [S4]', () => {
  it.each<[string, readonly ValuedNote[], readonly string[]]>([
    [
      'the one that was used last, then the one that was changed last',
      [
        note('old'),
        note('new', { updated: '2026-06-01T10:00:00Z' }),
        note('used', earned(0.5, '2026-07-01T09:00:00Z')),
        note('used before', earned(0.9, '2026-05-20T09:00:00Z')),
      ],
      ['used', 'new', 'used before', 'old'],
    ],
    [
      'what misled more than it helped comes last, however new and used',
      [
        note('misled', { ...earned(0.45, '2026-08-01T09:00:00Z'), updated: '2026-08-01T09:00:00Z' }),
        note('untried', { updated: null }),
        note('even', earned(0.5)),
      ],
      ['even', 'untried', 'misled'],
    ],
    [
      'pins and rules before any use',
      [
        note('used', earned(1, '2026-09-01T09:00:00Z')),
        note('rule', { voice: 'rule' }),
        note('pin', { pinned: true, ...earned(0.1) }),
      ],
      ['pin', 'rule', 'used'],
    ],
    [
      'two uses on one day do not move a note',
      [note('b', earned(0.5, '2026-07-01T23:00:00Z')), note('a', earned(0.5, '2026-07-01T01:00:00Z'))],
      ['a', 'b'],
    ],
    [
      'a change stands before a use on its day',
      [note('used', earned(0.5, '2026-07-01T23:00:00Z')), note('changed', { updated: '2026-07-01T00:00:01Z' })],
      ['changed', 'used'],
    ],
  ])('%s', (_, notes, expected) => {
    expect(order(notes)).toEqual(expected)
    expect(order(notes.toReversed())).toEqual(expected)
  })
})

describe('places that an index gives [S4] [I1]', () => {
  const day = fc.integer({ min: 1, max: 28 }).map((number) => `2026-05-${String(number).padStart(2, '0')}T10:00:00Z`)
  const stored = fc.array(
    fc.record({
      updated: fc.option(day),
      lastUsed: fc.option(day),
      trust: fc.constantFrom(0.3, 0.5, 0.6),
      voice: fc.constantFrom('rule', 'fact', 'quoted'),
      pinned: fc.boolean(),
    }),
    { maxLength: 20 },
  )

  it('who does not know what notes earned has them in the same order, from the index alone', () => {
    fc.assert(
      fc.property(stored, (all) => {
        const known = all.map(({ lastUsed, trust, ...fields }, at) =>
          note(`n${at}`, { ...fields, ...earned(trust, lastUsed) }),
        )
        const sorted = known.toSorted(mostValuableFirst)
        const lines = sorted.map(({ file, updated }) => ({ target: file, date: updated?.slice(0, 10) ?? null }))
        const unknown = known.map(({ earned: _, ...each }) => each)
        expect(order(placedByIndex(unknown, lines))).toEqual(sorted.map(({ id }) => id))
      }),
    )
  })

  it('a note that changed since keeps its own date, and one without a line too', () => {
    const notes = [
      note('a', { updated: '2026-05-01T10:00:00Z' }),
      note('changed', { updated: '2026-06-02T10:00:00Z' }),
      note('without', { updated: '2026-06-01T10:00:00Z' }),
      note('b', { updated: '2026-05-03T10:00:00Z' }),
    ]
    const lines = ['a', 'b', 'changed'].map((id) => ({
      target: `${id}.md`,
      date: id === 'a' ? '2026-05-01' : '2026-05-03',
    }))
    expect(order(placedByIndex(notes, lines))).toEqual(['changed', 'without', 'a', 'b'])
    expect(order(placedByIndex(notes, []))).toEqual(['changed', 'without', 'b', 'a'])
  })
})
