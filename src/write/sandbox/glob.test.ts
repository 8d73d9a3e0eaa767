import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchesGlob } from './glob.ts'

describe('matchesGlob', () => {
  it.each([
    ['project/a.md', 'project/*.md', true],
    ['project/deep/a.md', 'project/*.md', false],
    ['project/deep/a.md', 'project/**.md', true],
    ['project/deep/a.md', '**/a.md', true],
    ['project/deep/a.md', 'project/**/a.md', true],
    ['project/a.md', 'project/?.md', true],
    ['project/ab.md', 'project/?.md', false],
    ['project/部署.md', 'project/??.md', true],
    ['project/a.md', 'project', false],
    ['project/a.md', '*', false],
    ['project/a.md', '**', true],
    ['project/a.md', 'project/a.md*', true],
    ['project/(a+)+.md', 'project/(a+)+.md', true],
  ])('%s like %s: %s', (path, pattern, expected) => {
    expect(matchesGlob(path, pattern)).toBe(expected)
  })

  it('a pattern that a regular expression would drown in ends at once', () => {
    expect(matchesGlob(`${'a'.repeat(255)}b`, `${'a*'.repeat(100)}c`)).toBe(false)
  })

  it('agrees with the plain meaning of each sign, for any path and pattern', () => {
    const signs = fc.array(fc.constantFrom('a', '/', '*', '?', '.'), { maxLength: 8 }).map((all) => all.join(''))
    fc.assert(
      fc.property(signs, signs, (path, pattern) => {
        const source = pattern
          .replace(/\./g, '\\.')
          .replace(/\*{2,}/g, 'M')
          .replace(/\*/g, '[^/]*')
          .replace(/M/g, '[^]*')
          .replace(/\?/g, '[^/]')
        expect(matchesGlob(path, pattern)).toBe(new RegExp(`^${source}$`).test(path))
      }),
    )
  })
})
