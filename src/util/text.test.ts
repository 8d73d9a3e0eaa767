import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  codePoints,
  cutBytes,
  cutCodePoints,
  cutGraphemes,
  graphemes,
  labelOf,
  normaliseForComparison,
  oneLine,
  utf8Bytes,
  wellFormed,
} from './text.ts'

const anyText = fc.string({ unit: 'binary', maxLength: 200 })

describe('cuts', () => {
  it.each([
    ['abc', 2, 'ab'],
    ['💰💰', 5, '💰'],
    ['💰💰', 3, ''],
    ['👩‍💻x', 11, '👩‍💻'],
    ['👩‍💻x', 10, ''],
    ['中文字', 7, '中文'],
    ['e\u0301e\u0301', 4, 'e\u0301'],
    ['', 5, ''],
  ])('cutBytes(%j, %i) is %j', (text, maxBytes, expected) => {
    expect(cutBytes(text, maxBytes)).toBe(expected)
  })

  it.each([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'ab…'],
    ['👩‍💻👩‍💻👩‍💻', 2, '👩‍💻…'],
    ['中文字', 2, '中…'],
  ])('cutGraphemes(%j, %i) is %j', (text, max, expected) => {
    expect(cutGraphemes(text, max)).toBe(expected)
  })

  it.each([
    ['abcd', 3, 'abc'],
    ['💰💰💰', 2, '💰💰'],
    ['👩‍💻👩‍💻', 4, '👩‍💻'],
    ['👩‍💻', 2, ''],
    ['中文字', 5, '中文字'],
  ])('cutCodePoints(%j, %i) is %j', (text, max, expected) => {
    expect(cutCodePoints(text, max)).toBe(expected)
  })

  it('BL-45 a cut is a prefix of whole graphemes and within its bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), fc.nat(300), (text, maxBytes) => {
        const cut = cutBytes(text, maxBytes)
        expect(utf8Bytes(cut)).toBeLessThanOrEqual(maxBytes)
        expect([...graphemes(text)].slice(0, [...graphemes(cut)].length).join('')).toBe(cut)
      }),
    )
  })
})

describe('other tools', () => {
  it('wellFormed repairs lone surrogates and keeps the rest', () => {
    expect(wellFormed('a\ud83dz')).toBe('a\ufffdz')
    fc.assert(fc.property(anyText, (text) => wellFormed(text).isWellFormed()))
  })

  it('counts code points, joins lines, compares by NFKC', () => {
    expect(codePoints('a💰中')).toBe(3)
    expect(oneLine(' a\n\t b ')).toBe('a b')
    expect(normaliseForComparison(' ＦＵＬＬ  Width ')).toBe('full width')
  })

  it.each([
    [{ name: 'Use pnpm', description: 'Use pnpm, never npm' }, 'Use pnpm, never npm'],
    [{ name: 'package manager', description: 'Use pnpm' }, 'package manager: Use pnpm'],
    [{ name: 'Use pnpm…', description: 'use pnpm here' }, 'use pnpm here'],
    [{ name: 'bare', description: '' }, 'bare'],
  ])('labelOf %o', (note, expected) => {
    expect(labelOf(note)).toBe(expected)
  })
})
