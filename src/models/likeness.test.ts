import { describe, expect, it } from 'vitest'
import type { Embedder } from './embedder.ts'
import { measureLikeness } from './likeness.ts'

/** Pairs come in order, first the questions, then the statements: 12 in English, 12 in Chinese. */
function model(vectorOf: (pair: number, isChinese: boolean) => number[]): Embedder {
  return {
    id: 'model',
    embed: async (texts) => texts.map((text, at) => Float32Array.from(vectorOf(at % 12, /\p{Script=Han}/u.test(text)))),
  }
}

const apart = (at: number): number[] => Array.from({ length: 12 }, (_, place) => (place === at ? 1 : 0.1))

describe('how alike unrelated texts look to a model [R4]', () => {
  it('is known for each kind of script that it can tell apart', async () => {
    const likeness = await measureLikeness(model(apart))
    expect(likeness.dimensions).toBe(12)
    expect(likeness.spaced?.mean).toBeGreaterThan(0)
    expect(likeness.spaced?.mean).toBeLessThan(0.4)
    expect(likeness.unspaced).toEqual(likeness.spaced)
  })

  it.each<[string, (pair: number, isChinese: boolean) => number[]]>([
    ['finds all Chinese texts the same', (pair, isChinese) => (isChinese ? [1, 1] : apart(pair))],
    ['gives nothing for Chinese', (pair, isChinese) => apart(pair).map((value): number => (isChinese ? 0 : value))],
    ['gives no numbers for Chinese', (pair, isChinese) => (isChinese ? apart(pair).fill(Number.NaN) : apart(pair))],
  ])('an English model that %s does not know Chinese', async (_, vectorOf) => {
    const likeness = await measureLikeness(model(vectorOf))
    expect([likeness.unspaced, likeness.spaced === null]).toEqual([null, false])
  })
})
