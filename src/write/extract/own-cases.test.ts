import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { extractFrom, parseRows, scoreConversation, summarise } from '../../../scripts/gate-score.mjs'
import { extractNotes } from './extract-notes.ts'

const file = join(import.meta.dirname, '../../../test/fixtures/gate/own.jsonl')

describe('own labelled conversations', () => {
  const results = parseRows(readFileSync(file, 'utf8')).map((row) =>
    scoreConversation(row, extractFrom(row, extractNotes)),
  )
  const total = summarise(results)

  it('saves almost nothing that is wrong', () => {
    expect(total.conversations).toBeGreaterThan(400)
    expect(total.precision.value).toBeGreaterThanOrEqual(0.98)
    expect(total.forbidden).toBe(0)
    expect(total.wrongReplaces).toBe(0)
  })

  it('stays silent where silence is right', () => {
    expect(total.noOp.value).toBeGreaterThanOrEqual(0.99)
  })

  it('finds most of what is to keep', () => {
    expect(total.recall.value).toBeGreaterThanOrEqual(0.88)
  })
})

describe('the scorer', () => {
  const row = { id: 'x', keep: [{ must: ['red'], mustNot: ['blue'], evidence: 0 }], forbid: ['secret'] }
  const note = { name: 'a', description: '', body: 'red', evidence: [0], replaces: null }

  it.each([
    ['a match', [note], { right: 1, saved: 1, forbidden: 0 }],
    ['a missing word', [{ ...note, body: 'green' }], { right: 0, saved: 1, forbidden: 0 }],
    ['the wrong proof', [{ ...note, evidence: [1] }], { right: 0, saved: 1, forbidden: 0 }],
    ['too many proofs', [{ ...note, evidence: [0, 1, 2, 3] }], { right: 0, saved: 1, forbidden: 0 }],
    ['a second note for one keep', [note, note], { right: 1, saved: 2, forbidden: 0 }],
    ['a forbidden word', [{ ...note, body: 'red secret' }], { right: 0, saved: 1, forbidden: 1 }],
    ['what must not be there', [{ ...note, body: 'red blue' }], { right: 0, saved: 1, forbidden: 1 }],
    ['nothing', [], { right: 0, saved: 0, forbidden: 0 }],
  ])('counts %s', (_, saved, expected) => {
    expect(scoreConversation(row, saved)).toMatchObject(expected)
  })

  it('pairs as many as possible', () => {
    const two = {
      id: 'x',
      keep: [
        { must: ['a'], evidence: 0 },
        { must: ['a', 'b'], evidence: 0 },
      ],
    }
    const saved = [
      { ...note, body: 'a b' },
      { ...note, body: 'a' },
    ]
    expect(scoreConversation(two, saved).right).toBe(2)
  })
})
