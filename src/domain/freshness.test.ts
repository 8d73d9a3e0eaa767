import { estimateTokenCount } from 'tokenx'
import { describe, expect, it } from 'vitest'
import { DEFAULT_CONFIG } from './config.ts'
import { ageOf, freshnessWarning, warnFromDays } from './freshness.ts'

const now = Date.parse('2026-11-29T09:00:00Z')

describe('ageOf [I4]', () => {
  it.each([
    ['2026-11-29T00:01:00Z', 'today'],
    ['2026-11-30T00:01:00Z', 'today'],
    ['2026-11-28T23:59:00Z', 'yesterday'],
    ['2026-11-17T12:00:00Z', '12 days ago'],
    ['2025-11-29T09:00:00Z', '365 days ago'],
    [null, 'undated'],
    ['soon', 'undated'],
  ])('%s is %s', (updated, expected) => {
    expect(ageOf(updated, now)).toBe(expected)
  })
})

describe('freshnessWarning [I4]', () => {
  it('reads like this', () => {
    const of = (updated: string | null) =>
      (['en', 'zh'] as const).map((language) => freshnessWarning(updated, now, { language }))
    expect([...of('2026-11-28T09:00:00Z'), ...of('2026-11-17T09:00:00Z'), ...of(null)]).toMatchInlineSnapshot(`
      [
        "This note was written yesterday. It records one point in time: check paths, code and state before you assert it.",
        "这条笔记写于昨天，只记下当时的情况：先核对路径、代码和现状，再下断言。",
        "This note was written 12 days ago. It records one point in time: check paths, code and state before you assert it.",
        "这条笔记写于 12 天前，只记下当时的情况：先核对路径、代码和现状，再下断言。",
        "This note is of unknown age. It records one point in time: check paths, code and state before you assert it.",
        "这条笔记日期不详，只记下当时的情况：先核对路径、代码和现状，再下断言。",
      ]
    `)
  })

  it.each([
    ['2026-11-29T00:01:00Z', 1, false],
    ['2026-11-28T00:01:00Z', 1, true],
    ['2026-11-27T00:01:00Z', 3, false],
    ['2026-11-26T23:59:00Z', 3, true],
    ['2026-10-31T09:00:00Z', 30, false],
    ['2026-10-30T09:00:00Z', 30, true],
    [null, 30, true],
    ['soon', 30, true],
  ])('a note of %s is warned about from %i days on: %s', (updated, fromDays, warned) => {
    expect(freshnessWarning(updated, now, { fromDays }) !== null).toBe(warned)
  })

  it('costs at most 40 tokens, whatever the age', () => {
    for (const language of ['en', 'zh'] as const)
      for (const updated of ['1998-01-01T00:00:00Z', '2026-11-28T09:00:00Z', null])
        expect(estimateTokenCount(freshnessWarning(updated, now, { language }) ?? '')).toBeLessThanOrEqual(40)
  })
})

describe('warnFromDays [I4]', () => {
  const config = {
    fromDays: 2,
    byType: { reference: 14 },
    byProject: { 'tidewater-0a1b2c3d': { project: 5 }, 'lantern-11223344': 7 },
  }
  it.each([
    ['global', 'project', 2],
    ['global', 'reference', 14],
    ['projects/tidewater-0a1b2c3d', 'project', 5],
    ['projects/tidewater-0a1b2c3d/team', 'project', 5],
    ['projects/tidewater-0a1b2c3d', 'reference', 14],
    ['projects/tidewater-0a1b2c3d', 'feedback', 2],
    ['projects/lantern-11223344', 'reference', 7],
    ['projects/constructor', 'user', 2],
  ] as const)('a note in %s of type %s: %i', (layer, type, days) => {
    expect(warnFromDays(config, { layer, type })).toBe(days)
  })

  it('is one day where nothing is set', () => {
    expect(warnFromDays(DEFAULT_CONFIG.freshness, { layer: 'global', type: 'project' })).toBe(1)
  })
})
