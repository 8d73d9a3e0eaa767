/** Vectors are held in memory by each connection: what another one adds, takes out or begins anew must be seen. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { exampleNote, seededRandom } from '../../testing/search-index-corpus.ts'
import { findSqliteDriver } from '../sqlite/find-driver.ts'
import { createMemorySearchIndex } from './memory-search-index.ts'
import type { SearchIndex } from './search-index.ts'
import { openSqliteSearchIndex } from './sqlite-search-index.ts'

const driver = findSqliteDriver()
const folder = mkdtempSync(join(tmpdir(), 'keepsake-vectors-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const layers = ['global', 'projects/a', 'projects/b']
const MODEL = { name: 'model', dimensions: 4, spaced: null, unspaced: null }

function embedMissing(index: SearchIndex, random: (below: number) => number, limit: number): void {
  if (index.vectors.model(MODEL.name) === null) index.vectors.beginModel(MODEL)
  const missing = index.vectors
    .missingNotes(MODEL.name, layers, 200)
    .toSorted((one, other) => (one.layer + one.file < other.layer + other.file ? -1 : 1))
  index.vectors.putNotes(
    MODEL.name,
    missing.slice(0, limit).map((place) => ({
      ...place,
      vector: random(9) === 0 ? null : Float32Array.from({ length: 4 }, () => random(7) - 3),
    })),
  )
}

describe.skipIf(!driver)('vectors in index.db', () => {
  it.each([1, 2, 3])(
    'a reader that holds them gives the answers of the memory driver over a whole life (%i)',
    (seed) => {
      const open = (readOnly = false) =>
        openSqliteSearchIndex({ file: join(folder, `life-${seed}.db`), driver: driver!, readOnly })
      const [writer, memory] = [open(), createMemorySearchIndex()]
      const reader = open(true)
      const random = seededRandom(seed)
      for (let step = 0; step < 400; step++) {
        const act = random(240)
        const [drawn, layer, file] = [random(1_000_000), layers[random(3)] ?? 'global', `n${random(15)}.md`]
        const note = exampleNote(file, { layer, body: `${random(4)}`, withheld: random(12) === 0 ? 'threat' : null })
        for (const index of [writer, memory]) {
          if (act < 100) index.putNotes(layer, [note], [])
          else if (act < 140) index.putNotes(layer, [], [file])
          else if (act < 232) embedMissing(index, seededRandom(drawn), 3)
          else if (act < 236) index.vectors.dropModel(MODEL.name)
          else if (act === 236) index.clear()
        }
        const query = { model: MODEL.name, vector: Float32Array.from([1, random(3) - 1, random(3) - 1, 0.5]) }
        const scopes = layers.filter((_, at) => (drawn >> at) % 2 === 0)
        const wanted = memory.vectors.searchNotes(query, scopes, 50)
        for (const index of [reader, writer])
          expect(withoutDust(index.vectors.searchNotes(query, scopes, 50))).toEqual(withoutDust(wanted))
        expect(reader.vectors.countNotes(MODEL.name, scopes)).toEqual(memory.vectors.countNotes(MODEL.name, scopes))
      }
      reader.close()
      writer.close()
    },
  )
})

/** Sums differ in their last digits with the order of rows. */
function withoutDust({ spread, ...rest }: ReturnType<SearchIndex['vectors']['searchNotes']>) {
  return { ...rest, mean: spread.mean.toFixed(9), deviation: spread.deviation.toFixed(9) }
}
