import { describe, expect, it } from 'vitest'
import type { IndexHit } from '../store/search-index/search-index.ts'
import { noteParts } from './factors.ts'
import { isAboveTurnFloor, judgeAsked } from './floor.ts'
import { createQueryParser } from './parse-query.ts'
import { rankMessages, rankSessions } from './rank-messages.ts'
import { runGrams } from './run-terms.ts'

const parse = createQueryParser()
const NOW = Date.parse('2026-11-29T00:00:00Z')
const query = parse('blue pool')
const candidate = { score: 1, coverage: 1, full: 1 }
const parts = (fields: Partial<Parameters<typeof noteParts>[0]>) =>
  noteParts({ candidate, updated: null, confidence: 0.5, trust: 0.5, text: null, query, nowMs: NOW, ...fields })

describe('factors', () => {
  it.each([
    ['now', '2026-11-29T00:00:00Z', 1],
    ['in the future', '2027-11-29T00:00:00Z', 1],
    ['half a year ago', '2026-06-02T00:00:00Z', 0.95],
    ['ten years ago', '2016-11-29T00:00:00Z', 0.9],
    ['undated', null, 0.9],
    ['no date at all', 'last week', 0.9],
  ])('R5: recency %s', (_, updated, factor) => {
    expect(parts({ updated }).recency).toBeCloseTo(factor, 3)
  })

  it.each([
    [0, 0.9],
    [0.5, 0.95],
    [1, 1],
    [7, 1],
    [-1, 0.9],
  ])('R6: confidence and trust of %f give %f', (share, factor) => {
    expect(parts({ confidence: share }).confidence).toBeCloseTo(factor, 10)
    expect(parts({ trust: share }).trust).toBeCloseTo(factor, 10)
  })

  it('R6: a text of usual length that holds all that was asked has 1, before the tie-breakers', () => {
    const { final, recency, confidence, trust } = parts({})
    expect(final).toBeCloseTo(recency * confidence * trust, 10)
  })

  it('R6: nearness in meaning only adds, and at most less than what all words give', () => {
    const near = (semantic: number) => parts({ candidate: { ...candidate, semantic } }).final
    expect(near(0)).toBe(parts({}).final)
    expect(near(0.5)).toBeGreaterThan(near(0))
    expect(near(7)).toBe(near(1))
    expect(parts({ candidate: { score: 0, coverage: 0, full: 1, semantic: 1 } }).final).toBeLessThan(near(0) / 2)
  })

  it('words beside each other lift, in either language', () => {
    expect(parts({ text: 'the blue pool' }).phrase).toBeGreaterThan(parts({ text: 'a pool that is blue' }).phrase)
    expect(parts({ text: 'a pool that is blue' }).phrase).toBe(1)
    const zh = parse('守护进程')
    expect(parts({ query: zh, text: '守护进程' }).phrase).toBeGreaterThan(
      parts({ query: zh, text: '守护神的进程' }).phrase,
    )
  })

  it('coverage lifts', () => {
    const half = { ...candidate, coverage: 0.5 }
    expect(parts({}).final).toBeGreaterThan(parts({ candidate: half }).final)
  })
})

describe('floor', () => {
  const hit = (coverage: number, rarity: number) => ({ coverage, rarity, matched: 1 })

  it.each<[string, number, number, 'strong' | 'weak' | 'noise']>([
    ['most of it', 0.8, 0.2, 'strong'],
    ['little of it, a rare word', 0.1, 1, 'weak'],
    ['little of it, a common word', 0.1, 0.2, 'noise'],
  ])('R7: asked, %s', (_, coverage, rarity, expected) => {
    expect(judgeAsked(query, hit(coverage, rarity))).toBe(expected)
  })

  it('R7: unasked is stricter than asked, more so for several questions, less so for grams', () => {
    const words = [0.1, 0.2, 0.3, 0.4, 0.5].filter((coverage) => isAboveTurnFloor(query, hit(coverage, 1), 0))
    expect(words).toEqual([0.4, 0.5])
    expect(isAboveTurnFloor(query, hit(0.4, 1), 0.06)).toBe(false)
    expect(isAboveTurnFloor(parse('守护进程'), hit(0.3, 1), 0)).toBe(true)
    expect(isAboveTurnFloor(parse('用 vitest 写单元测试'), hit(0.33, 1), 0)).toBe(true)
  })
})

describe('rankMessages', () => {
  const at = (session: string, ordinal: number, score: number): IndexHit<{ session: string; ordinal: number }> => ({
    reference: { session, ordinal },
    score,
    coverage: 0.5,
    rarity: 1,
    matched: 1,
    full: 1,
    terms: [],
  })
  const plain = () => ({ asks: false, timeFactor: 1 })
  const order = (...hits: IndexHit<{ session: string; ordinal: number }>[]) =>
    rankMessages(rankSessions(hits, plain)).map((each) => `${each.session}${each.ordinal}`)

  it('the turn beside a hit comes after it and before a much weaker hit', () => {
    expect(order(at('a', 5, 10), at('b', 3, 1)).slice(0, 6)).toEqual(['a5', 'a4', 'a6', 'a3', 'a7', 'b3'])
  })

  it('two hits with one turn between them lift that turn to their height, once', () => {
    expect(order(at('a', 1, 10), at('a', 3, 10)).slice(0, 3)).toEqual(['a1', 'a3', 'a2'])
  })

  it('a conversation of many hits lifts each of them', () => {
    const many = [1, 5, 9, 13].map((ordinal) => at('many', ordinal, 10))
    expect(order(at('one', 1, 10.5), ...many)[0]).toBe('many1')
    expect(rankSessions([at('one', 1, 10.5), ...many], plain).map(({ session }) => session)).toEqual(['many', 'one'])
  })

  it('there is no turn before the first', () => {
    expect(order(at('a', 0, 10))).toEqual(['a0', 'a1', 'a2'])
  })

  it('the answer of a question that matched stands before it', () => {
    const asks = ({ ordinal }: { ordinal: number }) => ({ asks: ordinal === 5, timeFactor: 1 })
    const sessions = rankSessions([at('a', 5, 10), at('a', 9, 8)], asks)
    expect(
      rankMessages(sessions)
        .map(({ ordinal }) => ordinal)
        .slice(0, 3),
    ).toEqual([6, 5, 9])
    expect(order(at('a', 5, 10), at('a', 9, 8)).slice(0, 2)).toEqual(['a5', 'a9'])
  })

  it('R5: what was said at the time that is asked for stands before words as good', () => {
    const inMay = ({ session }: { session: string }) => ({ asks: false, timeFactor: session === 'may' ? 2 : 1 })
    const hits = [at('june', 1, 10), at('may', 1, 6)]
    expect(rankSessions(hits, inMay).map(({ session }) => session)).toEqual(['may', 'june'])
    expect(rankSessions(hits, plain).map(({ session }) => session)).toEqual(['june', 'may'])
  })

  const holding = (session: string, ordinal: number, ...texts: string[]): ReturnType<typeof at> => ({
    ...at(session, ordinal, texts.length),
    terms: texts.map((text) => ({
      kind: 'word',
      text,
      points: 1,
      isInHead: false,
      isAlias: false,
      isAsked: true,
      group: null,
    })),
  })

  it('a conversation that holds more of the question stands before one that repeats a part of it', () => {
    const same = [holding('same', 1, 'port'), holding('same', 8, 'port')]
    const both = [holding('zz', 1, 'port'), holding('zz', 8, 'cache')]
    expect(rankSessions([...same, ...both], plain).map(({ session }) => session)).toEqual(['zz', 'same'])
  })

  it('a conversation without the name that is asked about stands behind one with it, however well it matches', () => {
    const other = [holding('other', 1, 'port', 'cache'), holding('other', 2, 'port')]
    const named = [holding('with-ana', 1, 'ana', 'port')]
    const order = (...names: string[]) =>
      rankSessions([...other, ...named], plain, new Set(names)).map(({ session }) => session)
    expect(order()).toEqual(['other', 'with-ana'])
    expect(order('ana')).toEqual(['with-ana', 'other'])
    // A name that stands nowhere tells nothing.
    expect(order('zoe')).toEqual(order())
  })

  it('equal ones stand by session and place', () => {
    expect(order(at('b', 0, 1), at('a', 0, 1)).filter((each) => each.endsWith('0'))).toEqual(['a0', 'b0'])
  })
})

describe('runGrams', () => {
  const weights = (text: string) => runGrams([...text]).map(({ text: gram, weight }) => `${gram} ${weight}`)

  it.each([
    ['守', ['守 1']],
    ['我', []],
    ['守护', ['守护 1']],
    ['我的猫', ['我的 0.25', '的猫 0.5', '猫 0.25']],
    ['帮我写测试', ['帮我 0.25', '我写 0.5', '写测 1', '测试 1']],
    ['为什么失败', ['为什 0.25', '什么 0.25', '么失 0.5', '失败 1']],
    ['是什么', []],
  ])('%s', (text, expected) => {
    expect(weights(text)).toEqual(expected)
  })
})
