import { describe, expect, it } from 'vitest'
import { createQuietLayers } from './sync-known.ts'
import { emptyTally, reportOf, type SyncReport } from './sync-report.ts'

const minute = 60_000

/** A layer of so many files, its watch and its stores, each in the test's hand. */
function harness({ files = 1_000 } = {}) {
  const state = { quiet: true, generation: ['g1'] as unknown[] | null, now: 0, looks: 0, open: 0, watchable: true }
  const layers = createQuietLayers(() => {
    if (!state.watchable) return null
    state.open++
    state.quiet = true
    return { isQuiet: async () => state.quiet, close: () => void state.open-- }
  })
  const look = async (): Promise<SyncReport> => {
    state.looks++
    return reportOf('global', { ...emptyTally(), listed: files }, { state: 'ok' })
  }
  const run = () => layers.run({ directory: '/layer', generation: () => state.generation, now: state.now, look })
  return { state, layers, run }
}

async function looksIn({ state, run }: ReturnType<typeof harness>): Promise<number> {
  const before = state.looks
  await run()
  return state.looks - before
}

describe('createQuietLayers', () => {
  it('looks twice, then not again while nothing happens', async () => {
    const quiet = harness()
    const looks = []
    for (let round = 0; round < 4; round++) looks.push(await looksIn(quiet))
    expect(looks).toEqual([1, 1, 0, 0])
    expect(quiet.state.open).toBe(1)
  })

  it.each<[string, (state: ReturnType<typeof harness>['state']) => void]>([
    ['a file changed', (state) => Object.assign(state, { quiet: false })],
    ['a store was written', (state) => Object.assign(state, { generation: ['g2'] })],
    ['a store was opened anew', (state) => Object.assign(state, { generation: [{}, 'g1'] })],
    ['a store cannot be opened', (state) => Object.assign(state, { generation: null })],
    ['a minute went by', (state) => Object.assign(state, { now: state.now + minute })],
    ['the clock was put back', (state) => Object.assign(state, { now: state.now - 2 * minute })],
  ])('looks again when %s', async (_, change) => {
    const quiet = harness()
    for (let round = 0; round < 3; round++) await quiet.run()
    change(quiet.state)
    expect(await looksIn(quiet)).toBe(1)
  })

  it('trusts no look that wrote to a store', async () => {
    const quiet = harness()
    let generation = 0
    Object.defineProperty(quiet.state, 'generation', { get: () => [`g${generation++}`] })
    const looks = []
    for (let round = 0; round < 4; round++) looks.push(await looksIn(quiet))
    expect(looks).toEqual([1, 1, 1, 1])
    expect(quiet.state.open).toBe(0)
  })

  it.each([
    ['few files', harness({ files: 20 }), true],
    ['no watch to be had', harness(), false],
  ])('looks each time with %s', async (_, quiet, watchable) => {
    quiet.state.watchable = watchable
    const looks = []
    for (let round = 0; round < 4; round++) looks.push(await looksIn(quiet))
    expect(looks).toEqual([1, 1, 1, 1])
  })

  it('keeps one watch when two searches look at one time', async () => {
    const quiet = harness()
    await quiet.run()
    await Promise.all([quiet.run(), quiet.run(), quiet.run()])
    expect(quiet.state.open).toBe(1)
  })

  it('gives its watches back', async () => {
    const quiet = harness()
    for (let round = 0; round < 3; round++) await quiet.run()
    quiet.layers.close()
    expect(quiet.state.open).toBe(0)
    expect(await looksIn(quiet)).toBe(1)
  })
})
