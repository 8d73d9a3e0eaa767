import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endOfJsonObject } from './json-object.ts'

describe('endOfJsonObject', () => {
  it.each([
    ['{}', 0, 2],
    ['{}{"a":1}', 2, 9],
    ['{"a":"}"}rest', 0, 9],
    ['{"a":"\\"}"}', 0, 11],
    ['{"a":{"b":[{}]}},', 0, 16],
    ['{"a":', 0, -1],
    ['{"a":"}', 0, -1],
    ['[{}]', 0, -1],
    ['', 0, -1],
  ])('%j from %i ends at %i', (text, start, end) => {
    expect(endOfJsonObject(text, start)).toBe(end)
  })

  it('finds the end of any object, whatever follows', () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue())
    fc.assert(
      fc.property(object, fc.string(), (value, rest) => {
        const text = JSON.stringify(value)
        expect(endOfJsonObject(text + rest)).toBe(text.length)
      }),
    )
  })
})
