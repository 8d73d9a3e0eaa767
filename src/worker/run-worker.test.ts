import { describe, expect, it } from 'vitest'
import type { RefreshResult } from '../domain/index.ts'
import { runWorker } from './run-worker.ts'

const result = (more: Partial<RefreshResult> = {}): RefreshResult => ({
  layers: [],
  captured: 0,
  settled: 0,
  waiting: 0,
  conflicts: [],
  jobs: { done: 0, written: 0, waiting: 0, dead: 0, nextDue: null },
  problems: [],
  ...more,
})

const NOW = Date.parse('2026-03-01T10:00:00Z')
const due = (seconds: number, more: Partial<RefreshResult> = {}) => {
  const nextDue = new Date(NOW + seconds * 1_000).toISOString()
  return result({ jobs: { done: 0, written: 0, waiting: 1, dead: 0, nextDue }, ...more })
}

function harness(results: readonly (RefreshResult | Error)[], prepareProblem: string | null = null) {
  const lines: string[] = []
  const waits: number[] = []
  let calls = 0
  let now = NOW
  const clock = { now: () => now }
  const memory = {
    async refresh() {
      const next = results[calls++] ?? result()
      if (next instanceof Error) throw next
      return next
    },
  }
  const prepared: number[] = []
  const prepareHook = async () => {
    prepared.push(calls)
    return prepareProblem
  }
  const run = (signal = new AbortController().signal) =>
    runWorker({
      memory,
      signal,
      clock,
      log: (line) => lines.push(line),
      prepareHook,
      wait: async (ms) => {
        waits.push(ms)
        now += ms
      },
    })
  return { run, lines, waits, prepared, calls: () => calls }
}

describe('runWorker [A2]', () => {
  it('ends at once when nothing waits', async () => {
    const it = harness([result({ captured: 3 })])
    await it.run()
    expect(it.calls()).toBe(1)
    expect(it.waits).toEqual([])
    expect(it.lines[0]).toContain('3 messages')
  })

  it('looks back once, after displaced files came of age, and never more often', async () => {
    const it = harness([result({ waiting: 2 }), result({ waiting: 2 }), result({ waiting: 2 })])
    await it.run()
    expect(it.calls()).toBe(2)
    expect(it.waits).toEqual([61_000])
  })

  it.each<[string, RefreshResult[], number[]]>([
    ['words that are debounced', [due(30)], [31_000]],
    ['words that came while it waited', [due(30), due(45)], [31_000, 15_000]],
    [
      'what is due within the minute, whichever is first',
      [due(20, { waiting: 1 }), result({ waiting: 1 })],
      [21_000, 40_000],
    ],
    ['nothing that is due later: the next start does it', [due(61)], []],
    ['nothing that would take more than a minute in all', [due(30), due(62)], [31_000]],
    ['nothing that was due already and is still there', [due(-5)], []],
  ])('waits for %s [W12]', async (_, results, waits) => {
    const it = harness(results)
    await it.run()
    expect(it.waits).toEqual(waits)
    expect(it.calls()).toBe(waits.length + 1)
  })

  it('does not wait when it is told to stop', async () => {
    const stop = new AbortController()
    stop.abort()
    const it = harness([result({ waiting: 1 })])
    await it.run(stop.signal)
    expect(it.waits).toEqual([])
  })

  it('prepares the hook once, after the work that waits and before it waits itself', async () => {
    const it = harness([result({ waiting: 2 }), result()], 'The disk is full')
    await it.run()
    expect(it.prepared).toEqual([1])
    expect(it.waits).toEqual([61_000])
    expect(it.lines).toContain('The disk is full')
  })

  it('says what went wrong and ends', async () => {
    const it = harness([new Error('disk is gone')])
    await it.run()
    expect(it.lines).toEqual(['pass 1: disk is gone'])
  })
})
