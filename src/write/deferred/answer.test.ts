import { describe, expect, it } from 'vitest'
import { isNothing, stageOneShape } from './answer.ts'

const answer = { rawMemory: '# Task\n\n- x (#1)', summary: 'The user wanted x.', slug: 'do-x' }
const read = (value: unknown) => stageOneShape.schema.safeParse(value)

describe('the answer of stage one [W14]', () => {
  it('is read as it is, and nothing is nothing', () => {
    expect(read(answer)).toEqual({ success: true, data: answer })
    expect(isNothing(answer)).toBe(false)
    expect(read(stageOneShape.nothing).data).toEqual(stageOneShape.nothing)
  })

  it.each([
    ['all empty', { rawMemory: '', summary: '', slug: '' }],
    ['white space', { rawMemory: ' \n', summary: '\t', slug: ' ' }],
    ['no memory', { ...answer, rawMemory: '' }],
    ['no summary', { ...answer, summary: '' }],
    ['a slug alone', { rawMemory: '', summary: '', slug: 'do-x' }],
  ])('says nothing: %s', (_, value) => {
    expect(isNothing(stageOneShape.schema.parse(value))).toBe(true)
  })

  it.each([
    ['an unknown field', { ...answer, confidence: 1 }],
    ['a field less', { rawMemory: 'x', summary: 'y' }],
    ['null for a text', { ...answer, rawMemory: null }],
    ['a list for a text', { ...answer, rawMemory: ['x'] }],
    ['a slug of two lines', { ...answer, slug: 'a\nb' }],
    ['a memory without end', { ...answer, rawMemory: 'x'.repeat(12_001) }],
    ['a list', [answer]],
  ])('refuses %s', (_, value) => {
    expect(read(value).success).toBe(false)
  })

  it('no alias hides a field of ours, and each stands for one', () => {
    for (const [alias, field] of Object.entries(stageOneShape.aliases)) {
      expect(Object.keys(answer)).not.toContain(alias)
      expect(Object.keys(answer)).toContain(field)
    }
  })
})
