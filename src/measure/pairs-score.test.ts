import { describe, expect, it } from 'vitest'
import { type DecidedPair, scorePairs } from './pairs-score.ts'
import { wilson } from './wilson.ts'

const pair = (label: DecidedPair['label'], decision: DecidedPair['decision'], lang = 'en'): DecidedPair => ({
  id: 'x',
  lang,
  label,
  decision,
})

describe('scorePairs [M3]', () => {
  it('counts wrong merges, missed duplicates, updates and errors apart', () => {
    const score = scorePairs([
      pair('same', 'merge'),
      pair('same', 'separate', 'zh'),
      pair('update', 'merge'),
      pair('update', 'update'),
      pair('sibling', 'update'),
      pair('unrelated', 'separate', 'zh'),
    ])
    expect(score).toMatchObject({
      n: 6,
      merges: 2,
      wrongMerges: 1,
      mergePrecision: 0.5,
      duplicateRecall: 0.5,
      updateRecall: 0.5,
      separateErrors: 0.5,
    })
    expect(score.perKind.update).toEqual({ merge: 1, update: 1, separate: 0 })
    expect(score.perLanguage.zh).toMatchObject({ n: 2, duplicateRecall: 0, mergePrecision: null, updateRecall: null })
  })

  it.each([
    [0, 0, null],
    [8, 10, [0.4902, 0.9433]],
    [10, 10, [0.7225, 1]],
  ])('Wilson interval of %i of %i', (count, of, expected) => {
    expect(wilson(count, of)).toEqual(expected)
  })
})
