import { describe, expect, it } from 'vitest'
import type { GateKeep, GateRow } from './gate-data.ts'
import { type SavedNote, scoreConversation, scoreGate } from './gate-score.ts'

const keep: GateKeep = {
  type: 'feedback',
  typeAlso: ['project'],
  about: 'colour',
  must: ['red'],
  mustNot: ['blue'],
  evidence: 0,
  replaces: null,
}
const row: GateRow = {
  id: 'x',
  lang: 'en',
  kind: 'preference',
  date: null,
  existing: [],
  messages: [{ role: 'user', content: 'red, please', tool: null, at: null }],
  keep: [keep],
  forbid: ['secret'],
}
const note: SavedNote = { type: 'feedback', name: 'a', description: '', body: 'red', evidence: [0], replaces: null }

describe('scoreConversation [M3]', () => {
  it.each<[string, readonly SavedNote[], Partial<ReturnType<typeof scoreConversation>>]>([
    ['a match', [note], { right: 1, saved: 1, forbidden: 0, rightTypes: 1, remarks: [] }],
    ['letters of either case and width', [{ ...note, body: 'ＲＥＤ' }], { right: 1 }],
    ['words over a line break', [{ ...note, name: 'so', body: 'is\nred' }], { right: 1 }],
    ['a missing word', [{ ...note, body: 'green' }], { right: 0, saved: 1, forbidden: 0 }],
    ['the wrong proof', [{ ...note, evidence: [1] }], { right: 0, saved: 1, forbidden: 0 }],
    ['no proof', [{ ...note, evidence: [] }], { right: 0, saved: 1 }],
    ['too many proofs', [{ ...note, evidence: [0, 1, 2, 3] }], { right: 0, saved: 1, forbidden: 0 }],
    ['a second note for one keep', [note, note], { right: 1, saved: 2, forbidden: 0 }],
    ['a forbidden word', [{ ...note, body: 'red secret' }], { right: 0, saved: 1, forbidden: 1 }],
    ['what must not be there', [{ ...note, body: 'red blue' }], { right: 0, saved: 1, forbidden: 1 }],
    ['what must not be there, of something else', [{ ...note, body: 'blue' }], { right: 0, forbidden: 0 }],
    ['another type that is right too', [{ ...note, type: 'project' }], { right: 1, rightTypes: 1 }],
    ['a wrong type', [{ ...note, type: 'user' }], { right: 1, rightTypes: 0 }],
    ['nothing', [], { right: 0, saved: 0, forbidden: 0, remarks: ['missed: colour'] }],
  ])('counts %s', (_, saved, expected) => {
    expect(scoreConversation(row, saved)).toMatchObject(expected)
  })

  it('pairs as many as possible', () => {
    const two = {
      ...row,
      keep: [
        { ...keep, must: ['a'] },
        { ...keep, must: ['a', 'b'] },
      ],
    }
    const saved = [
      { ...note, body: 'a b' },
      { ...note, body: 'a' },
    ]
    expect(scoreConversation(two, saved).right).toBe(2)
  })

  it.each([
    ['the note that was meant', 'old', { of: 1, right: 1, wrong: 0 }],
    ['another note', 'other', { of: 1, right: 0, wrong: 1 }],
    ['none', null, { of: 1, right: 0, wrong: 0 }],
  ])('replacing %s', (_, replaces, expected) => {
    const changed = { ...row, keep: [{ ...keep, replaces: 'old' }] }
    expect(scoreConversation(changed, [{ ...note, replaces }]).replaces).toEqual(expected)
  })
})

describe('scoreGate [M3]', () => {
  it('counts shares over notes, keeps and silent conversations, by kind and language', () => {
    const silent = { ...row, id: 'y', kind: 'chit-chat', lang: 'zh', keep: [] }
    const score = scoreGate([
      scoreConversation(row, [note]),
      scoreConversation(row, []),
      scoreConversation(silent, []),
      scoreConversation(silent, [note]),
    ])
    expect(score).toMatchObject({
      n: 4,
      saved: 2,
      keeps: 2,
      precision: 0.5,
      recall: 0.5,
      noopRate: 0.5,
      typeAccuracy: 1,
    })
    expect(score.ci95.recall).toEqual([0.0945, 0.9055])
    expect(score.perKind.preference).toMatchObject({ n: 2, precision: 1, recall: 0.5, noopRate: null })
    expect(score.perLanguage.zh).toMatchObject({ n: 2, precision: 0, recall: null, typeAccuracy: null })
  })
})
