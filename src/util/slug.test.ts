import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { comparableName, MAX_SLUG_BYTES, slugify } from './slug.ts'
import { utf8Bytes } from './text.ts'

describe('slugify', () => {
  it.each([
    ['Use pnpm, not npm!', 'use-pnpm-not-npm'],
    ['ＡＢＣ １２', 'abc-12'],
    ['用 pnpm 安装', '用-pnpm-安装'],
    ['--a--b--', 'a-b'],
    ['🍵', ''],
    ['', ''],
  ])('%j is %j', (text, slug) => {
    expect(slugify(text)).toBe(slug)
  })

  it('is bounded and made of letters, digits and single dashes, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 120 }), (text) => {
        const slug = slugify(text)
        expect(utf8Bytes(slug)).toBeLessThanOrEqual(MAX_SLUG_BYTES)
        expect(slug).toMatch(/^(?:[\p{L}\p{M}\p{N}]+(?:-[\p{L}\p{M}\p{N}]+)*)?$/u)
      }),
    )
  })
})

describe('comparableName', () => {
  const long = '部署之前先在预发布环境里跑一遍全部的集成测试'
  it.each([
    ['Green Tea', 'green-tea!', true],
    ['Green Tea', 'Ｇｒｅｅｎ　ｔｅａ', true],
    ['🍵 ', ' 🍵', true],
    ['🍵', '☕', false],
    ['Green Tea', 'Greentea', false],
    // Their slugs are equal: both are cut in front of the last sign.
    [`${long}甲`, `${long}乙`, false],
  ])('%j and %j are the same name: %j', (one, other, same) => {
    expect(comparableName(one) === comparableName(other)).toBe(same)
  })
})
