import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type TrustSignal, trustFrom, UNTRIED } from './trust.ts'

const steps = (signals: string) =>
  [...signals].map((sign, at) => ({ session: `s${at}`, signal: (sign === '+' ? 'helped' : 'misled') as TrustSignal }))

describe('trustFrom [R10]', () => {
  it.each<[string, number]>([
    ['', 0.5],
    ['+', 0.55],
    ['-', 0.4],
    ['++-', 0.5],
    ['+++++++++', 0.95],
    ['++++++++++', 1],
    ['+++++++++++++++', 1],
    ['-----', 0],
    ['--------', 0],
    ['-+-+', 0.4],
  ])('%j comes to %d', (signals, value) => {
    expect(trustFrom(steps(signals)).value).toBe(value)
  })

  it('a note that nobody tried has what no step gives', () => {
    expect(trustFrom([])).toEqual(UNTRIED)
  })

  it('counts one step a session, and there the worse one', () => {
    const [helped, misled] = [{ session: 's', signal: 'helped' } as const, { session: 's', signal: 'misled' } as const]
    expect(trustFrom([helped, helped, helped])).toEqual({ value: 0.55, helped: 1, misled: 0 })
    expect(trustFrom([misled, helped])).toEqual({ value: 0.4, helped: 0, misled: 1 })
  })

  it('is the same in any order, stays in 0..1, and no session moves it by more than a step', () => {
    const any = fc.array(
      fc.record({
        session: fc.constantFrom('a', 'b', 'c', 'd', '会话'),
        signal: fc.constantFrom('helped' as const, 'misled' as const),
      }),
    )
    fc.assert(
      fc.property(
        any.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([all, shuffled]) => {
          const trust = trustFrom(all)
          expect(trustFrom(shuffled)).toEqual(trust)
          expect(trust.value).toBeGreaterThanOrEqual(0)
          expect(trust.value).toBeLessThanOrEqual(1)
          expect(trust.helped + trust.misled).toBe(new Set(all.map(({ session }) => session)).size)
        },
      ),
    )
  })
})
