import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchesName, type Reach, reachOf } from './applies-to.ts'

const folders = (path: string): string[] => path.split('/').filter((part) => part !== '')

describe('reachOf [S5]', () => {
  it.each<[patterns: string[], place: string, Reach]>([
    [[], '', 'here'],
    [[], 'packages/web', 'here'],
    [[' ', ''], 'packages', 'here'],
    [['packages/api/**'], '', 'partly'],
    [['packages/api/**'], 'packages', 'partly'],
    [['packages/api/**'], 'packages/api', 'here'],
    [['packages/api/**'], 'packages/api/src', 'here'],
    [['packages/api/**'], 'packages/web', 'elsewhere'],
    [['packages/api/**'], 'packages/api-old', 'elsewhere'],
    [['packages/api'], 'packages/api/src', 'here'],
    [['./packages/api/'], 'packages/api', 'here'],
    [['packages/*/src'], 'packages/web', 'partly'],
    [['packages/*/src'], 'packages/web/src/deep', 'here'],
    [['packages/*/src'], 'docs', 'elsewhere'],
    [['**'], '', 'here'],
    [['*'], '', 'here'],
    [['**/*'], 'a', 'here'],
    [['*.go'], '', 'partly'],
    [['*.go'], 'cmd/server', 'partly'],
    [['**/*.go'], 'cmd', 'partly'],
    [['cmd/*.go'], 'cmd', 'partly'],
    [['cmd/*.go'], 'web', 'elsewhere'],
    [['Makefile'], '', 'partly'],
    [['Makefile'], 'web', 'elsewhere'],
    [['**/tests/**'], 'web', 'partly'],
    [['**/tests/**'], 'web/tests/unit', 'here'],
    [['{web,api}/**'], 'api', 'here'],
    [['{web,api}/**'], 'cli', 'elsewhere'],
    [['packages/{web,api}/{src,lib}/**'], 'packages/web/lib', 'here'],
    [['web/**', 'api/**'], 'api', 'here'],
    [['web/**', 'api/**'], 'cli', 'elsewhere'],
    [['src/[a-c]*/**'], 'src/beta', 'here'],
    [['src/[!a-c]*/**'], 'src/beta', 'elsewhere'],
    [['src/v?/**'], 'src/v2', 'here'],
    [['文档/**'], '文档/部署', 'here'],
    [['文档/**'], '代码', 'elsewhere'],
    [['cafe\u{301}/**'], 'caf\u{e9}', 'here'],
    // What cannot be judged never hides a note and never lets it stand before another one.
    [['/srv/app/**'], 'web', 'partly'],
    [['~/code/**'], 'web', 'partly'],
    [['../other/**'], 'web', 'partly'],
    [['C:/code/**'], 'web', 'partly'],
    [['!web/**'], 'web', 'partly'],
    [['web/{a,b'], 'api', 'partly'],
    [[`{${'a,'.repeat(40)}b}/**`], 'api', 'partly'],
  ])('%j in %j: %s', (patterns, place, reach) => {
    expect(reachOf(patterns, folders(place))).toBe(reach)
  })

  it('a place below one that is covered is covered too, and so is one below a foreign one', () => {
    const segment = fc.constantFrom('a', 'b', 'ab', '测试')
    const part = fc.constantFrom('a', 'b', '*', '**', 'a*', '?', '[ab]', '{a,b}', '*.ts')
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 4 }),
        fc.array(segment, { maxLength: 4 }),
        segment,
        (parts, place, more) => {
          const [above, below] = [reachOf([parts.join('/')], place), reachOf([parts.join('/')], [...place, more])]
          if (above !== 'partly') expect(below).toBe(above)
        },
      ),
    )
  })

  it('no pattern takes long', () => {
    const stars = `${'a*'.repeat(200)}b`
    expect(matchesName(stars, 'a'.repeat(2_000))).toBe(false)
    expect(reachOf([Array(200).fill('**').join('/')], Array(200).fill('a'))).toBe('here')
  })
})
