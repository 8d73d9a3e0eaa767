import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../testing/search-index-corpus.ts'
import { createBlock, nearestRows, similarityAt, toUnit } from './nearest.ts'

/** Unit vectors that lie around a few centres, as those of texts do. */
function corpus(rows: number, dimensions: number, seed: number) {
  const random = seededRandom(seed)
  const draw = () => Float32Array.from({ length: dimensions }, () => random(2_001) / 1_000 - 1)
  const centres = Array.from({ length: 20 }, draw)
  return Array.from({ length: rows }, () => {
    const [centre, own] = [centres[random(centres.length)]!, draw()]
    return toUnit(own.map((value, at) => value * 0.6 + (centre[at] ?? 0)))!
  })
}

function blocksOf(vectors: readonly Float32Array[], size: number) {
  const blocks = []
  for (let start = 0; start < vectors.length; start += size) {
    const part = vectors.slice(start, start + size)
    const matrix = Float32Array.from(part.flatMap((vector) => [...vector]))
    blocks.push(
      createBlock(
        part.map((_, at) => start + at),
        matrix,
      ),
    )
  }
  return blocks
}

const plain = (vectors: readonly Float32Array[], query: Float32Array) =>
  vectors
    .map((vector, id) => ({ id, similarity: similarityAt(query, vector, 0) }))
    .sort((left, right) => right.similarity - left.similarity || left.id - right.id)

describe('nearest vectors', () => {
  it('are those of a plain sort, however the rows are cut into blocks', () => {
    fc.assert(
      fc.property(
        fc.nat(1_000),
        fc.integer({ min: 1, max: 70 }),
        fc.integer({ min: 1, max: 40 }),
        (seed, size, count) => {
          const [query, ...vectors] = corpus(80, 7, seed)
          const found = nearestRows(blocksOf(vectors, size), query!, count)
          expect(found.rows).toBe(vectors.length)
          expect(found.near).toEqual(plain(vectors, query!).slice(0, count))
        },
      ),
      { numRuns: 50 },
    )
  })

  it.each([100, 256, 384])(
    'chosen by bits first: nearly all of the ten nearest, with their whole similarity (%i numbers)',
    (dimensions) => {
      // Rows and questions lie around the same centres: a question has near rows, as in texts.
      const [queries, vectors] = [corpus(2_040, dimensions, 3).slice(2_000), corpus(2_000, dimensions, 3)]
      const blocks = blocksOf(vectors, 700)
      let same = 0
      for (const query of queries) {
        const known = new Map(
          plain(vectors, query)
            .slice(0, 10)
            .map(({ id, similarity }) => [id, similarity]),
        )
        const { near: found } = nearestRows(blocks, query, 10, 0)
        same += found.filter(({ id, similarity }) => known.get(id) === similarity).length
        expect(found).toEqual(found.toSorted((left, right) => right.similarity - left.similarity))
      }
      expect(same).toBeGreaterThanOrEqual(380)
    },
  )

  it.each([
    ['zeros', [0, 0]],
    ['no number', [Number.NaN, 1]],
    ['no end', [Number.NEGATIVE_INFINITY, 1]],
    ['nothing', []],
  ])('a vector of %s has no direction', (_, values) => {
    expect(toUnit(Float32Array.from(values))).toBeNull()
  })
})
