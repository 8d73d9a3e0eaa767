/** Any text on the doors of recall that no person calls: near notes of a write, and notes for a message, in 100 places. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Layer } from '../domain/index.ts'
import { createMemorySearchIndex } from '../store/search-index/memory-search-index.ts'
import type { SearchIndex } from '../store/search-index/search-index.ts'
import { openSqliteSearchIndex } from '../store/search-index/sqlite-search-index.ts'
import { findSqliteDriver } from '../store/sqlite/find-driver.ts'
import { anyQuestion, common, leaksIn, secretOf } from '../testing/any-question.ts'
import { globalLayer } from '../testing/recall-harness.ts'
import { exampleNote } from '../testing/search-index-corpus.ts'
import { createRecall } from './create-recall.ts'

const PLACES = 100
const RUNS = 1_000
const placeKey = (index: number) => `projects/place-${index}`
const layerOf = (index: number): Layer => ({ name: 'project', key: placeKey(index), directory: `/home/${index}` })

const drivers: [string, () => SearchIndex | null][] = [
  ['in memory', createMemorySearchIndex],
  [
    'SQLite',
    () => {
      const driver = findSqliteDriver()
      return driver && openSqliteSearchIndex({ file: ':memory:', driver })
    },
  ],
]

/** One recall for each place, all over one index. */
function createPlaces(index: SearchIndex) {
  const files = new Map<string, ReturnType<typeof exampleNote>>()
  const put = (layer: string, body: string) => {
    const note = exampleNote('word.md', { layer, name: `word of ${layer}`, body })
    files.set(layer, note)
    index.putNotes(layer, [note], [])
  }
  put('global', 'what holds everywhere')
  for (let at = 0; at < PLACES; at++) put(placeKey(at), `${common.join(', ')}: ${secretOf(at)}`)
  return (at: number) =>
    createRecall({
      index: () => index,
      layers: () => [globalLayer, layerOf(at)],
      readNote: async (layer) => files.get(layer) ?? null,
      clock: { now: () => Date.parse('2026-11-29T12:00:00Z') },
    })
}

describe.each(drivers)('any text, on an index %s [R9] (BL-14) (BL-38)', (_, create) => {
  it('nearest and turnHits never throw and never leave the place', async ({ skip }) => {
    const index = create()
    if (index === null) return skip()
    const recallAt = createPlaces(index)
    const scopes = (at: number) => ['global', placeKey(at)]
    await fc.assert(
      fc.asyncProperty(fc.nat(PLACES - 1), anyQuestion(PLACES), async (at, text) => {
        const recall = recallAt(at)
        expect(leaksIn(recall.nearest(text, scopes(at), 5), text, at)).toEqual([])
        const hits = await recall.turnHits({ prompt: text })
        expect(leaksIn(hits, text, at)).toEqual([])
        expect(hits.every(({ note }) => scopes(at).includes(note.layer))).toBe(true)
      }),
      { numRuns: RUNS },
    )
    expect(recallAt(7).nearest(common.join(' '), scopes(7), 5)).toMatchObject([{ layer: placeKey(7) }])
    const [hit] = await recallAt(7).turnHits({ prompt: common.join(', ') })
    expect(hit?.note.body).toContain(secretOf(7))
    index.close()
  }, 60_000)
})
