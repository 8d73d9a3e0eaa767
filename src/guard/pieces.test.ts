import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLook, holdsOne, toPiece } from './pieces.ts'

describe('createLook', () => {
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
  ])('%j holds %j: %s', (text, piece, expected) => expect(createLook(text)(toPiece(piece))).toBe(expected))

  it('says what includes says, for any text and piece', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '字', '💰', '.'), maxLength: 12 })
    const anything = fc.string({ unit: 'binary', maxLength: 30 })
    fc.assert(
      fc.property(fc.oneof(letters, anything), fc.oneof(letters, anything), fc.nat(30), (text, piece, at) => {
        const look = createLook(text)
        for (const each of [piece, text.slice(at, at + 4), text.slice(at)])
          expect(look(toPiece(each)), each).toBe(text.includes(each))
        expect(holdsOne(look, [piece, 'zz'].map(toPiece))).toBe(text.includes(piece) || text.includes('zz'))
      }),
      { numRuns: 2_000 },
    )
  })
})
