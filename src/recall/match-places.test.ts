import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findMatches, soughtIn } from './match-places.ts'
import { createQueryParser } from './parse-query.ts'

const parse = createQueryParser()
const found = (text: string, question: string) => {
  const { kind, places } = findMatches(text, soughtIn(parse(question), question))
  return [kind, places.map(({ start, end }) => text.slice(start, end))]
}
const filler = ' filler that says nothing at all '.repeat(8)
const zhFiller = '这里没有什么值得注意的内容只是一些填充的句子'.repeat(10)

describe('where a text holds what was asked [R8]', () => {
  it.each<[string, string, string, string, string[]]>([
    ['the whole phrase', `pool blue${filler}the Blue-Pool is up`, 'blue pool', 'phrase', ['Blue-Pool']],
    [
      'the phrase with its small words',
      'roll it back. Roll back the pool!',
      'roll back the pool',
      'phrase',
      ['Roll back the pool'],
    ],
    ['other forms of the words', 'we were rolling back pools', 'roll back pool', 'phrase', ['rolling back pools']],
    [
      'what stands in quotes',
      `pool blue${filler}blue pool`,
      'when was the "blue pool" closed',
      'phrase',
      ['blue pool'],
    ],
    ['a Chinese phrase', `守护${zhFiller}守护进程修好了`, '守护进程', 'phrase', ['守护进程']],
    ['a traditional one', '資料庫在這裡', '资料库', 'phrase', ['資料庫']],
    ['Latin glued to Chinese', '我们用vitest写测试', 'vitest写测试', 'phrase', ['vitest写测试']],
    ['words near each other', `blue${filler}the pool that is blue`, 'blue old pool', 'near', ['pool', 'blue']],
    ['Chinese words near each other', `部署${zhFiller}回滚，然后部署`, '部署 失败 回滚', 'near', ['回滚', '部署']],
    ['single words when they stand apart', `blue${filler}pool`, 'pool blue', 'word', ['blue', 'pool']],
    ['a word and a beginning', `deployments${filler}`, 'deploym*', 'word', ['deployments']],
    ['one character', '把它守住', '守', 'word', ['守']],
    ['nothing', filler, 'blue pool', 'none', []],
    ['nothing in an empty text', '', 'blue pool', 'none', []],
  ])('finds %s', (_, text, question, kind, expected) => {
    expect(found(text, question)).toEqual([kind, expected])
  })

  it('words are near within 200 characters and not beyond', () => {
    const apart = (gap: number) => found(`blue${' '.repeat(gap)}pool`, 'pool blue')[0]
    expect([apart(192), apart(193)]).toEqual(['near', 'word'])
  })

  it('of words near each other those count that are most together', () => {
    const text = `blue pool${filler}blue pool closed${filler}pool closed`
    expect(found(text, 'why was the blue pool closed')).toEqual(['near', ['blue', 'pool', 'closed']])
  })

  it('places lie inside the text, in order, whatever it holds', () => {
    const unit = fc.constantFrom(
      'a',
      ' ',
      'blue ',
      'pool ',
      '守',
      '护',
      '💰',
      '\ud83d',
      'ﬁ',
      'e\u0301',
      '\u0000',
      '.',
      'İ',
    )
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 200 }), fc.string({ unit, maxLength: 20 }), (text, question) => {
        const { places } = findMatches(text, soughtIn(parse(question), question))
        let before = 0
        for (const { start, end } of places) {
          expect(start).toBeGreaterThanOrEqual(before)
          expect(end).toBeGreaterThan(start)
          expect(end).toBeLessThanOrEqual(text.length)
          before = start
        }
      }),
      { numRuns: 200 },
    )
  })

  it('a phrase that the text was made to hold is found as one', () => {
    const words = fc.array(fc.constantFrom('blue', 'pool', 'closed', '守护', '进程', 'vitest'), {
      minLength: 2,
      maxLength: 5,
    })
    fc.assert(
      fc.property(words, fc.nat(3), (phrase, gap) => {
        const text = `${filler}${phrase.join(' '.repeat(gap + 1))}${filler}`
        expect(found(text, phrase.join(' '))[0]).toBe('phrase')
      }),
      { numRuns: 100 },
    )
  })
})
