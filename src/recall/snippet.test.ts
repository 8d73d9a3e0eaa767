import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { soughtIn } from './match-places.ts'
import { createQueryParser } from './parse-query.ts'
import { cutPassage } from './snippet.ts'

const parse = createQueryParser()
const cut = (text: string, question: string, size: number) =>
  cutPassage(text, soughtIn(parse(question), question), size).text
const filler = 'Nothing of interest stands in this sentence at all. '
const zhFiller = '这里没有什么值得注意的内容，只是一些填充的句子。'

describe('cutPassage', () => {
  it.each([
    [
      'a word far down',
      `${filler.repeat(20)}We deploy through the blue pool.${filler.repeat(20)}`,
      'deployment pool',
      'deploy through the blue pool',
    ],
    [
      'the better of two places',
      `pool ${filler.repeat(9)} blue pool deploy ${filler.repeat(9)}`,
      'deploy blue pool',
      'blue pool deploy',
    ],
    [
      'a Chinese word',
      `${zhFiller.repeat(20)}昨晚把守护进程修好了。${zhFiller.repeat(20)}`,
      '守护进程',
      '守护进程修好了',
    ],
    ['a traditional word', `${zhFiller.repeat(20)}資料庫與數據庫。${zhFiller.repeat(20)}`, '数据库', '數據庫'],
    ['one character', `${zhFiller.repeat(20)}守住。${zhFiller.repeat(20)}`, '守', '守住'],
    ['an alias', `${filler.repeat(20)}It runs in Docker.${filler.repeat(20)}`, '容器', 'Docker'],
    ['the beginning when nothing matches', `First words. ${filler.repeat(20)}`, 'banana', 'First words.'],
    ['all of a short text', 'We deploy.', 'deploy', 'We deploy.'],
  ])('shows %s', (_, text, question, expected) => {
    expect(cut(text, question, 120)).toContain(expected)
  })

  it('marks what was left out, on either side', () => {
    const text = `${filler.repeat(9)}deploy ${filler.repeat(9)}`
    expect(cut(text, 'deploy', 100)).toMatch(/^….*deploy.*…$/)
    expect(cut('short', 'deploy', 100)).toBe('short')
  })

  it.each(['💰', '👩‍💻', '🏳️‍🌈', '🐈‍⬛', '❤️‍🔥', 'नि', 'e\u0301'])('BL-45: never splits %s', (grapheme) => {
    for (let shift = 0; shift < 24; shift++) {
      const text = `${'x'.repeat(shift)}${grapheme.repeat(60)} deploy ${grapheme.repeat(60)}`
      const snippet = cut(text, 'deploy', 80)
      expect(snippet.isWellFormed()).toBe(true)
      const rest = snippet.replaceAll('…', '').replaceAll(grapheme, '').replace('deploy', '').replaceAll('x', '').trim()
      expect(rest).toBe('')
    }
  })

  it('BL-45: is well formed, on one line and bounded for any text', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', ' ', '\n', '💰', '\ud83d', '守', '护', 'deploy', '👩‍💻', '\u0000'),
      maxLength: 400,
    })
    fc.assert(
      fc.property(text, fc.integer({ min: 20, max: 90 }), (body, length) => {
        const snippet = cut(body, 'deploy 守护', length)
        return snippet.isWellFormed() && !snippet.includes('\n') && snippet.length <= length + 20
      }),
      { numRuns: 500 },
    )
  })
})
