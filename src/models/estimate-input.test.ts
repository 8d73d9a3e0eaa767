import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateInput, linesWithin } from './estimate-input.ts'

const question = { system: 'You keep notes.', prompt: 'What is new?' }
const call = { id: '1', name: 'read_note', input: { name: 'testing' } }
const tool = { name: 'read_note', description: 'Gives one note.', parameters: { type: 'object' } }

describe('estimateInput [W16]', () => {
  it.each<[string, Partial<Parameters<typeof estimateInput>[0]>]>([
    ['a longer prompt', { prompt: 'What is new since the last time?' }],
    ['steps', { steps: [{ text: 'Looking.', calls: [], results: [] }] }],
    ['calls of steps', { steps: [{ text: '', calls: [call], results: [] }] }],
    [
      'results of steps',
      { steps: [{ text: '', calls: [], results: [{ id: '1', name: 'read_note', text: '一条笔记' }] }] },
    ],
    ['tools', { tools: [tool] }],
    ['a schema', { schema: { type: 'object' } }],
  ])('%s cost more than none', (_, more) => {
    expect(estimateInput({ ...question, ...more })).toBeGreaterThan(estimateInput(question))
  })
})

it('linesWithin keeps the first lines that fit, for any lines', () => {
  const line = fc
    .array(fc.constantFrom('word', '部署', '🙂', 'x_9', '\t'), { maxLength: 40 })
    .map((all) => all.join(' '))
  fc.assert(
    fc.property(fc.array(line, { maxLength: 60 }), fc.integer({ min: 0, max: 400 }), (lines, inputTokens) => {
      const kept = linesWithin(lines, 'fixed words', inputTokens)
      expect(kept).toEqual(lines.slice(0, kept.length))
      const prompt = `fixed words\n${kept.join('\n')}`
      if (kept.length > 0) expect(estimateInput({ system: '', prompt })).toBeLessThanOrEqual(inputTokens)
    }),
  )
})
