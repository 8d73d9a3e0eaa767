import { estimateTokenCount } from 'tokenx'
import { describe, expect, it } from 'vitest'
import { noteTypes } from '../../domain/index.ts'
import { extractShape } from './answer.ts'
import { extractPrompt } from './extract-prompt.ts'

const { text, version } = extractPrompt

describe('the prompt of extraction [W12]', () => {
  it('is as it was looked at: other words are another version', async () => {
    await expect(`${text}\n`).toMatchFileSnapshot(`./prompts/extract.v${version}.txt`)
  })

  it('stays small', () => {
    expect(estimateTokenCount(text)).toBeLessThanOrEqual(1_500)
  })

  it('shows each type with what to keep and what not, in English and Chinese', () => {
    for (const type of noteTypes) {
      const [, section = ''] = text.split(`**${type}**`)
      const [keep = '', not = ''] = section.split('\n').filter((line) => /^- (?:Keep|Not):/.test(line))
      for (const examples of [keep, not]) {
        expect(examples, type).toMatch(/[A-Za-z]{3}/)
        expect(examples, type).toMatch(/\p{Script=Han}{2}/u)
      }
    }
  })

  it('answers its own example by its own rules', () => {
    const [, example = ''] = text.split('## Example')
    const answers = [...example.matchAll(/\{"notes": .*\}/g)].map(([json]) =>
      extractShape.schema.parse(JSON.parse(json)),
    )
    expect(answers.map(({ notes }) => notes.length)).toEqual([2, 0])
    const users = new Map(
      [...example.matchAll(/^#(\d+) user[^:]*: (.*)$/gm)].map(([, at, words]) => [Number(at), words]),
    )
    for (const note of answers.flatMap(({ notes }) => notes)) {
      for (const { message, words } of note.quotes) expect(users.get(message)).toContain(words)
      if (note.replaces !== null) expect(example).toContain(`| ${note.replaces} |`)
    }
  })
})
