import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { extractShape } from './answer.ts'

const note = {
  type: 'feedback',
  name: 'package manager',
  description: 'Use pnpm, not npm',
  text: 'Use pnpm, not npm.\n\n**Why:** the lock file is pnpm’s.',
  quotes: [{ message: 7, words: 'pnpm, not npm' }],
  replaces: null,
}
const read = (value: unknown) => extractShape.schema.safeParse(value)

describe('the answer of extraction [W19]', () => {
  it('is read as it is', () => {
    expect(read({ notes: [note] })).toEqual({ success: true, data: { notes: [note] } })
  })

  it('may be that there is nothing [W13]', () => {
    expect(read({ notes: [] }).data).toEqual(extractShape.nothing)
    expect(read([]).data).toEqual(extractShape.nothing)
  })

  it.each([
    ['a bare list', [note]],
    ['a number as text', { notes: [{ ...note, quotes: [{ message: '7', words: 'pnpm, not npm' }] }] }],
    ['a number with its sign', { notes: [{ ...note, quotes: [{ message: '#7', words: 'pnpm, not npm' }] }] }],
    ['no word about what it replaces', { notes: [{ ...note, replaces: undefined }] }],
    ['white space around', { notes: [{ ...note, name: ' package manager\n' }] }],
  ])('reads %s', (_, value) => {
    expect(read(value)).toEqual({ success: true, data: { notes: [note] } })
  })

  it('reads words back that were copied out of a fence', () => {
    const copied = { ...note, text: 'Use &lt;Link>, never &lt;a>.', quotes: [{ message: 7, words: 'use &lt;Link>' }] }
    expect(read({ notes: [copied] }).data?.notes[0]).toMatchObject({
      text: 'Use <Link>, never <a>.',
      quotes: [{ words: 'use <Link>' }],
    })
  })

  it.each([
    ['an unknown field', { notes: [{ ...note, confidence: 0.9 }] }],
    ['an unknown field beside the notes', { notes: [note], thoughts: 'hm' }],
    ['an unknown field in a quote', { notes: [{ ...note, quotes: [{ message: 7, words: 'pnpm', role: 'user' }] }] }],
    ['another type', { notes: [{ ...note, type: 'preference' }] }],
    ['no type', { notes: [{ ...note, type: undefined }] }],
    ['no quote', { notes: [{ ...note, quotes: [] }] }],
    ['no quotes at all', { notes: [{ ...note, quotes: undefined }] }],
    ['an empty quote', { notes: [{ ...note, quotes: [{ message: 7, words: ' ' }] }] }],
    ['a message that is no number', { notes: [{ ...note, quotes: [{ message: 'the last', words: 'pnpm' }] }] }],
    ['half a number', { notes: [{ ...note, quotes: [{ message: 7.5, words: 'pnpm' }] }] }],
    ['a number below zero', { notes: [{ ...note, quotes: [{ message: -1, words: 'pnpm' }] }] }],
    ['an empty text', { notes: [{ ...note, text: ' ' }] }],
    ['a null text', { notes: [{ ...note, text: null }] }],
    ['a name of two lines', { notes: [{ ...note, name: 'a\nb' }] }],
    ['a name without end', { notes: [{ ...note, name: 'a'.repeat(121) }] }],
    ['a text without end', { notes: [{ ...note, text: 'a'.repeat(4_001) }] }],
    ['four quotes', { notes: [{ ...note, quotes: Array(4).fill(note.quotes[0]) }] }],
    ['a hundred notes', { notes: Array(100).fill(note) }],
    ['an object of another kind', { result: 'ok' }],
    ['an empty object', {}],
    ['words that say something', 'I would keep the package manager.'],
  ])('refuses %s', (_, value) => {
    expect(read(value).success).toBe(false)
  })

  it('BL-82 no alias hides a field of ours, and each stands for one', () => {
    const fields = ['notes', 'message', 'words', ...Object.keys(note)]
    for (const [alias, field] of Object.entries(extractShape.aliases)) {
      expect(fields, alias).not.toContain(alias)
      expect(fields, alias).toContain(field)
    }
  })

  it('can be said as JSON Schema, for models that are held to it', () => {
    const schema = z.toJSONSchema(extractShape.schema)
    expect(schema).toMatchObject({
      type: 'object',
      additionalProperties: false,
      properties: { notes: { items: { additionalProperties: false, required: Object.keys(note) } } },
    })
  })
})
