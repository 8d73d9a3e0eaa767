import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  codePoints,
  cutBytes,
  cutCodePoints,
  cutGraphemes,
  cutMarkdown,
  graphemes,
  labelOf,
  normaliseForComparison,
  oneLine,
  utf8Bytes,
  wellFormed,
} from './text.ts'

const anyText = fc.string({ unit: 'binary', maxLength: 200 })

describe('cutMarkdown', () => {
  const code = '```ts\nconst a = 1\nconst b = 2\n```'
  it.each<[string, string, { maxLines?: number; maxBytes?: number }, string]>([
    ['what fits stays as it is', `Run:\n${code}\n`, {}, `Run:\n${code}\n`],
    ['before a block that would stay open', `Run:\n\n${code}`, { maxBytes: 20 }, 'Run:'],
    ['nothing, when it begins with such a block', code, { maxLines: 3 }, ''],
    ['behind a block that is closed', `${code}\nand then go on`, { maxLines: 5, maxBytes: 42 }, `${code}\nand then`],
    ['tildes are such marks too', `a\n~~~~\nb\n~~~\nc\nd`, { maxLines: 5 }, 'a'],
    ['a longer mark closes', `a\n\`\`\`\nb\n\`\`\`\`\nc\nd`, { maxLines: 5 }, `a\n\`\`\`\nb\n\`\`\`\`\nc`],
    ['CRLF', `Run:\r\n${code.replaceAll('\n', '\r\n')}`, { maxLines: 3 }, 'Run:'],
    ['Chinese, on a character', '部署前先跑灯塔检查', { maxBytes: 10 }, '部署前'],
    ['emoji, whole', '👩‍👩‍👧‍👦👩‍👩‍👧‍👦', { maxBytes: 30 }, '👩‍👩‍👧‍👦'],
  ])('BL-37 %s', (_, text, { maxLines = 100, maxBytes = 1_000 }, expected) => {
    expect(cutMarkdown(text, { maxLines, maxBytes })).toBe(expected)
  })
})

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

describe('graphemes without the segmenter', () => {
  const ranges = [
    [0x0a, 0x0a],
    [0x20, 0x7e],
    [0x2010, 0x2027],
    [0x3001, 0x3029],
    [0x3041, 0x3096],
    [0x30a1, 0x30fa],
    [0x3400, 0x4dbf],
    [0x4e00, 0x9fff],
    [0xff01, 0xff5e],
  ] as const
  const all = ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => String.fromCharCode(first + index)),
  )
  const segments = (text: string) => [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment)

  it('says the same as the segmenter for every character of its ranges', () => {
    expect(segments(all.join(''))).toEqual(all)
    expect([...graphemes(all.join(''))]).toEqual(all)
  })

  it('says the same as the segmenter for any text', () => {
    const piece = fc.oneof(
      fc.constantFrom(...all),
      fc.constantFrom('\r\n', 'e\u0301', '👩‍💻', '\u3099', 'ﾞ', '\u200d', '한'),
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece, { maxLength: 12 }).map((each) => each.join('')),
          anyText,
        ),
        (text) => {
          expect([...graphemes(text)]).toEqual(segments(text))
        },
      ),
      { numRuns: 2_000 },
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
