import { describe, expect, it } from 'vitest'
import { timeBounds } from './time-bounds.ts'

/** A Sunday: the week began on the 23rd. */
const NOW = Date.parse('2026-11-29T12:00:00Z')
const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString().replace('.000', ''))
const since = (text: string) => iso(timeBounds({ since: text }, NOW).fromMs)
const until = (text: string) => iso(timeBounds({ until: text }, NOW).toMs)

describe('timeBounds [R9]', () => {
  it.each([
    ['2026-05-03', '2026-05-03T00:00:00Z', '2026-05-04T00:00:00Z'],
    ['2026-05-03T08:30:00Z', '2026-05-03T08:30:00Z', '2026-05-03T08:30:00Z'],
    ['2026-05-03T08:30', '2026-05-03T08:30:00Z', '2026-05-03T08:30:00Z'],
    ['2026-05-03T08:30:00+02:00', '2026-05-03T06:30:00Z', '2026-05-03T06:30:00Z'],
    ['2026-12', '2026-12-01T00:00:00Z', '2027-01-01T00:00:00Z'],
    ['2025', '2025-01-01T00:00:00Z', '2026-01-01T00:00:00Z'],
    ['7d', '2026-11-22T12:00:00Z', '2026-11-22T12:00:00Z'],
    ['3周', '2026-11-08T12:00:00Z', '2026-11-08T12:00:00Z'],
    ['2w ago', '2026-11-15T12:00:00Z', '2026-11-15T12:00:00Z'],
    ['2个月前', '2026-09-29T12:00:00Z', '2026-09-29T12:00:00Z'],
    ['12h', '2026-11-29T00:00:00Z', '2026-11-29T00:00:00Z'],
    ['1y', '2025-11-29T12:00:00Z', '2025-11-29T12:00:00Z'],
    ['7 days', '2026-11-22T12:00:00Z', '2026-11-22T12:00:00Z'],
    ['3 weeks ago', '2026-11-08T12:00:00Z', '2026-11-08T12:00:00Z'],
    ['1 month ago', '2026-10-29T12:00:00Z', '2026-10-29T12:00:00Z'],
    ['2 Years', '2024-11-29T12:00:00Z', '2024-11-29T12:00:00Z'],
    ['2个小时前', '2026-11-29T10:00:00Z', '2026-11-29T10:00:00Z'],
    ['today', '2026-11-29T00:00:00Z', '2026-11-30T00:00:00Z'],
    ['昨天', '2026-11-28T00:00:00Z', '2026-11-29T00:00:00Z'],
    ['This week', '2026-11-23T00:00:00Z', '2026-11-30T00:00:00Z'],
    ['上周', '2026-11-16T00:00:00Z', '2026-11-23T00:00:00Z'],
    ['上个月', '2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z'],
    ['last month', '2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z'],
    ['上个礼拜', '2026-11-16T00:00:00Z', '2026-11-23T00:00:00Z'],
    ['去年', '2025-01-01T00:00:00Z', '2026-01-01T00:00:00Z'],
  ])('%s: from %s, before %s', (text, from, to) => {
    expect([since(text), until(text)]).toEqual([from, to])
  })

  it.each(['9999', '9999-12', '9999-12-31'])(
    'until %s is before the year 10000, which sorts before all others',
    (text) => {
      expect(until(text)).toBe('9999-12-31T23:59:59.999Z')
    },
  )

  it('without words there is no bound', () => {
    expect(timeBounds({}, NOW)).toEqual({ fromMs: null, toMs: null })
  })

  it.each(['', 'soon', '2026-13', '2026-02-30', '7 parsecs', '下周一', '99999d', '2026-05-03T99:99'])(
    '%j names no time',
    (text) => {
      for (const field of ['since', 'until'])
        expect(() => timeBounds({ [field]: text }, NOW)).toThrow(
          expect.objectContaining({ code: 'INPUT_INVALID', data: { field } }),
        )
    },
  )
})
