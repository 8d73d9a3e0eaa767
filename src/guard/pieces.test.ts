import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createListLook, toPieceLists } from './pieces.ts'

const holds = (text: string, ...pieces: string[]) => createListLook(text, toPieceLists([[pieces]]).lists)(0)

describe('pieces', () => {
  it.each([
    ['the token is here', 'token', true],
    ['the tok is en', 'token', false],
    ['to ok ke en', 'token', false],
    ['a.b', '.', true],
    ['ab', '.', false],
    ['', 'ab', false],
    ['a', 'a', true],
    ['密码是', '密码', true],
    ['密是码', '密码', false],
    ['💰💰', '💰', true],
  ])('%j holds %j: %s', (text, piece, expected) => expect(holds(text, piece)).toBe(expected))

  it('keeps equal lists once and answers each', () => {
    const { lists, numbers } = toPieceLists([[['a', 'b'], ['c']], [['a', 'b']], []])
    expect(numbers).toEqual([[0, 1], [0], []])
    const look = createListLook('xbx', lists)
    expect([look(0), look(1), look(0), look(1)]).toEqual([true, false, true, false])
  })

  it('says what includes says, for any text and pieces', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '字', '💰', '.'), maxLength: 12 })
    const anything = fc.oneof(letters, fc.string({ unit: 'binary', maxLength: 30 }))
    fc.assert(
      fc.property(anything, anything, anything, fc.nat(30), (text, one, other, at) => {
        for (const piece of [one, text.slice(at, at + 4), text.slice(at)])
          expect(holds(text, piece, other), piece).toBe(text.includes(piece) || text.includes(other))
      }),
      { numRuns: 2_000 },
    )
  })
})
