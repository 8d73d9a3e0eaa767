import { estimateTokenCount } from 'tokenx'
import { describe, expect, it } from 'vitest'
import { ageOf, freshnessWarning } from './freshness.ts'

const now = Date.parse('2026-11-29T09:00:00Z')

describe('ageOf', () => {
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

describe('freshnessWarning', () => {
  it('says nothing about a note of today', () => {
    expect(freshnessWarning('2026-11-29T00:01:00Z', now)).toBeNull()
  })

  it('names the age and costs at most 40 tokens', () => {
    const warning = freshnessWarning('1998-01-01T00:00:00Z', now)
    expect(warning).toMatchInlineSnapshot(
      `"This note was written 10559 days ago. It records one point in time: check paths, code and state before you assert it."`,
    )
    expect(estimateTokenCount(warning ?? '')).toBeLessThanOrEqual(40)
    expect(freshnessWarning(null, now)).toContain('of unknown age')
  })
})
