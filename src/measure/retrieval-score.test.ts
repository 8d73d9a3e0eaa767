import { describe, expect, it } from 'vitest'
import { percentile, scoreAnswers } from './retrieval-score.ts'

const answered = (returned: string[], gold: string[], category = 'all') => ({
  category,
  returned,
  gold,
  milliseconds: 1,
})

describe('scoreAnswers [M1]', () => {
  it.each([
    ['found first', ['a', 'x'], ['a'], { any1: 1, any5: 1, all5: 1, share5: 1, ndcg: 1, mrr: 1 }],
    ['found third', ['x', 'y', 'a'], ['a'], { any1: 0, any5: 1, all5: 1, share5: 1, ndcg: 0.5, mrr: 0.3333 }],
    ['one of two', ['a', 'x'], ['a', 'b'], { any1: 1, any5: 1, all5: 0, share5: 0.5, ndcg: 0.6131, mrr: 1 }],
    [
      'sixth',
      ['1', '2', '3', '4', '5', 'a'],
      ['a'],
      { any1: 0, any5: 0, all5: 0, share5: 0, ndcg: 0.3562, mrr: 0.1667 },
    ],
    ['nothing returned', [], ['a'], { any1: 0, any5: 0, all5: 0, share5: 0, ndcg: 0, mrr: 0 }],
    ['a gold item given twice', ['a'], ['a', 'a'], { any1: 1, any5: 1, all5: 1, share5: 1, ndcg: 1, mrr: 1 }],
  ])('%s', (_, returned, gold, expected) => {
    const { any, all, share, ndcg10, mrr } = scoreAnswers([answered(returned, gold)])
    expect({ any1: any[1], any5: any[5], all5: all[5], share5: share[5], ndcg: ndcg10, mrr }).toEqual(expected)
  })

  it('categories apart, and an interval that holds the mean', () => {
    const score = scoreAnswers([
      answered(['a'], ['a'], 'one'),
      answered(['x'], ['a'], 'two'),
      answered(['a'], ['a'], 'one'),
    ])
    expect([score.n, score.perCategory.one?.any[1], score.perCategory.two?.any[1]]).toEqual([3, 1, 0])
    const [low, high] = score.ci95.any1
    expect(low).toBeLessThan(score.any[1])
    expect(high).toBeGreaterThan(score.any[1])
  })

  it.each([
    [[], 0.5, 0],
    [[3], 0.95, 3],
    [[1, 2, 3, 4], 0.5, 2],
    [[4, 3, 2, 1], 0.95, 4],
  ])('percentile of %j at %f', (values, share, expected) => {
    expect(percentile(values, share)).toBe(expected)
  })
})
