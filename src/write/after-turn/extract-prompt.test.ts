import { estimateTokenCount } from 'tokenx'
import { describe, expect, it } from 'vitest'
import { type MessageRole, type NoteType, noteTypes } from '../../domain/index.ts'
import { vetoNote } from '../extract/index.ts'
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

  it('answers its own examples by its own rules, and the gate lets them pass', () => {
    const [, examples = ''] = text.split('## Examples')
    const answers = [...examples.matchAll(/\{"notes": .*\}/g)].map(([json]) =>
      extractShape.schema.parse(JSON.parse(json)),
    )
    expect(answers.map(({ notes }) => notes.length)).toEqual([2, 1, 0])
    const messages = [...examples.matchAll(/^#(\d+) (user|tool|assistant), \w{3} ([\d-]+): (.*)$/gm)].map(
      ([, number, role, time = '', content = '']) => ({
        index: Number(number),
        role: role as MessageRole, // The three words of the pattern.
        content,
        toolName: null,
        time,
      }),
    )
    const existing = [...examples.matchAll(/^(\w+) \| (.*) \| (.*)$/gm)].map(
      ([, type, name = '', description = '']) => ({ type: type as NoteType, name, description }),
    )
    expect([messages.length, existing.length]).toEqual([5, 1])
    for (const { type, text: body, quotes, replaces } of answers.flatMap(({ notes }) => notes)) {
      const note = { type, text: body, quotes, messages, existing, sensitive: 'refuse' } as const
      expect(vetoNote(note), body).toBeNull()
      if (replaces !== null) expect(existing.map(({ name }) => name)).toContain(replaces)
    }
  })
})
