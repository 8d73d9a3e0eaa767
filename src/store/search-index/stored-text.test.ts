import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compareText } from './row-order.ts'
import { fromStored, toStored } from './stored-text.ts'

const text = fc.string({ unit: fc.constantFrom('a', '\u0000', '\u0001', '\u0002', '\u0003', '%', '守'), maxLength: 12 })

it('gives back any text, holds no zero character and keeps the order', () => {
  fc.assert(
    fc.property(text, text, (left, right) => {
      expect(fromStored(toStored(left))).toBe(left)
      expect(toStored(left)).not.toContain('\u0000')
      expect(Math.sign(compareText(toStored(left), toStored(right)))).toBe(Math.sign(compareText(left, right)))
    }),
    { numRuns: 1_000 },
  )
})
