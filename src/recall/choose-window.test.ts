import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseWindow } from './choose-window.ts'

const size = { tokens: 10, length: 1_000 }
const of = (marks: string, tokens = 1) => [...marks].map((mark) => ({ tokens, length: 1, isMatch: mark === 'x' }))

describe('the stretch that a model is shown [R8]', () => {
  it.each([
    ['all that fits', '..x..', 0, 4],
    ['where most matches stand', 'x...............xx.....', 13, 22],
    ['the first of equals, with what follows it', 'x.............x', 0, 9],
    ['the end, when nothing matches', '....................', 10, 19],
  ])('%s', (_, marks, from, to) => {
    const window = chooseWindow(of(marks), size)
    expect(window).toEqual({ from, to })
  })

  it('nothing of nothing', () => expect(chooseWindow([], size)).toBeNull())

  it('never more than fits, never fewer matches than another stretch of that size holds', () => {
    const message = fc.record({ tokens: fc.integer({ min: 1, max: 10 }), length: fc.nat(300), isMatch: fc.boolean() })
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 14 }), (messages) => {
        const fits = (from: number, to: number) => {
          const part = messages.slice(from, to + 1)
          const sum = (what: 'tokens' | 'length') => part.reduce((total, each) => total + each[what], 0)
          return sum('tokens') <= size.tokens && sum('length') <= size.length
        }
        const matches = (from: number, to: number) => messages.slice(from, to + 1).filter((each) => each.isMatch).length
        const window = chooseWindow(messages, size)
        expect(window && fits(window.from, window.to)).toBe(true)
        for (let from = 0; from < messages.length; from++)
          for (let to = from; to < messages.length && fits(from, to); to++)
            expect(matches(window?.from ?? 0, window?.to ?? 0)).toBeGreaterThanOrEqual(matches(from, to))
      }),
      { numRuns: 200 },
    )
  })
})
