import { describe, expect, it } from 'vitest'
import { readPrompt } from './read-prompt.ts'

const head = '<!-- prompt tidy-up, version 12 -->\n'

describe('readPrompt', () => {
  it('takes the first line off and puts the parts in, word for word', () => {
    expect(
      readPrompt(`${head}\nBegin {{rules}} end {{rules}} {{other}}.\n`, { rules: ' $& {{x}}\n', other: 'o' }),
    ).toEqual({
      name: 'tidy-up',
      version: 12,
      text: 'Begin $& {{x}} end $& {{x}} o.',
    })
  })

  it.each([
    ['no first line', 'Begin', {}],
    ['no version', '<!-- prompt tidy-up -->\nBegin', {}],
    ['a part that nobody gave', `${head}{{rules}}`, {}],
    ['a part with the name of something inherited', `${head}{{toString}}`, {}],
    ['a part that nobody asks for', `${head}Begin`, { rules: 'x' }],
  ])('throws on %s', (_, markdown, parts) => {
    expect(() => readPrompt(markdown, parts)).toThrow(/prompt/)
  })
})
