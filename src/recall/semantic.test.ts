import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFakeEmbedder } from '../models/index.ts'
import { createMemorySearchIndex } from '../store/search-index/memory-search-index.ts'
import { type Candidate, meantOnly, type SemanticSearch } from './candidates.ts'
import { coverageFactor, semanticPoints } from './factors.ts'
import { createQueryParser } from './parse-query.ts'
import { createSemantic, judgeNearness, withMeaning } from './semantic.ts'

type Reference = { readonly session: string; readonly ordinal: number }
const keyOf = ({ session, ordinal }: Reference) => `${session}\n${ordinal}`
const unrelated = { mean: 0.1, deviation: 0.1 }
const at = (ordinal: number): Reference => ({ session: 's', ordinal })
const candidate = (ordinal: number, score: number, coverage: number): Candidate<Reference> => ({
  reference: at(ordinal),
  score,
  coverage,
  rarity: 1,
  matched: 1,
  full: 10,
  terms: [],
})
const total = (each: Candidate<Reference>) => each.score * coverageFactor(each.coverage) + semanticPoints(each)
const near = (similarities: readonly number[], rows = 100, limit = 50) =>
  judgeNearness(
    {
      hits: similarities
        .map((similarity, ordinal) => ({ reference: at(ordinal), similarity }))
        .sort((one, other) => other.similarity - one.similarity),
      rows,
      spread: unrelated,
    },
    { unrelated },
    limit,
  )

describe('nearness in meaning [R4]', () => {
  it('lets no more than two others pass the best match by words, whatever it finds', () => {
    const similarities = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { maxLength: 30 })
    const words = fc.array(
      fc.record({
        ordinal: fc.nat(40),
        score: fc.double({ min: 0.01, max: 30, noNaN: true }),
        coverage: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      { minLength: 1, maxLength: 20 },
    )
    fc.assert(
      fc.property(words, similarities, (found, likes) => {
        const seen = new Map(found.map((each) => [each.ordinal, each]))
        const candidates = [...seen.values()].map(({ ordinal, score, coverage }) => candidate(ordinal, score, coverage))
        const byWords = (each: Candidate<Reference>) => each.score * coverageFactor(each.coverage)
        const best = [...candidates].sort((one, other) => byWords(other) - byWords(one))[0]!
        const blended = withMeaning(candidates, near(likes), keyOf)
        const own = total(blended.find(({ reference }) => reference.ordinal === best.reference.ordinal)!)
        expect(blended.filter((each) => total(each) > own + 1e-9).length).toBeLessThanOrEqual(2)
        // Nothing that words found is lost, and its words count as before.
        for (const each of candidates) {
          const after = blended.find(({ reference }) => reference.ordinal === each.reference.ordinal)!
          expect([after.score, after.coverage]).toEqual([each.score, each.coverage])
        }
      }),
      { numRuns: 300 },
    )
  })

  it('adds what is far nearer than unrelated texts are, and nothing that is not', () => {
    const added = withMeaning([candidate(9, 5, 0.5)], near([0.9, 0.3, 0.1]), keyOf).filter(({ score }) => score === 0)
    expect(added.map(({ reference, meant }) => [reference.ordinal, meant])).toEqual([[0, true]])
  })

  it('weighs less, the more of the question the best match by words holds', () => {
    const weights = [0, 0.5, 1].map((coverage) => {
      const blended = withMeaning([candidate(9, 5, coverage)], near([0.9, 0.3, 0.1]), keyOf)
      return blended.find(({ reference }) => reference.ordinal === 0)?.semantic ?? 0
    })
    const [none = 0, half = 0, whole = 0] = weights
    expect([half / none, whole / none]).toEqual([expect.closeTo(0.65), expect.closeTo(0.3)])
  })

  it('a whole store of texts that are alike tells that likeness means nothing there', () => {
    const alike = judgeNearness(
      { hits: [{ reference: at(0), similarity: 0.6 }], rows: 1_000, spread: { mean: 0.55, deviation: 0.05 } },
      { unrelated },
      50,
    )
    expect(alike.floor).toBeGreaterThan(0.6)
  })

  it('alone gives less than half of what all words give', () => {
    const alone = total(meantOnly(at(1), 1, [candidate(0, 10, 1)]))
    expect(alone).toBeLessThan(total(candidate(0, 10, 1)) / 2)
  })
})

describe('a question put to the model [R4]', () => {
  const text = 'where are the trails'
  const search: SemanticSearch = { text, query: createQueryParser()(text), scopes: ['session:none'], limit: 10 }
  const ask = async (parts: {
    before?: () => void | Promise<void>
    begun?: boolean
    timeoutMs?: number
    search?: SemanticSearch
  }) => {
    const index = createMemorySearchIndex()
    if (parts.begun !== false)
      index.vectors.beginModel({ name: 'fake', dimensions: 64, spaced: unrelated, unspaced: null })
    const told: string[] = []
    const embedder = createFakeEmbedder(parts.before ? { before: parts.before } : {})
    const step = createSemantic({ index: () => index, embedder, timeoutMs: parts.timeoutMs ?? 5_000 })((reason) =>
      told.push(reason),
    )
    const found = await step.messages([candidate(0, 5, 0.5)], parts.search ?? search)
    return { found, told, texts: embedder.texts }
  }

  it('is asked once, and nothing is told when all is well', async () => {
    const { found, told, texts } = await ask({})
    expect([found.length, told, texts.length]).toEqual([1, [], 1])
  })

  it.each<[string, Parameters<typeof ask>[0], RegExp]>([
    ['has seen nothing yet', { begun: false }, /keepsake refresh/],
    ['fails', { before: () => Promise.reject(new Error('quota is used up')) }, /quota is used up/],
    ['is stuck', { before: () => new Promise(() => undefined), timeoutMs: 20 }, /no answer within 0.02 s/],
    [
      'does not know the language',
      { search: { ...search, text: '步道在哪里', query: createQueryParser()('步道在哪里') } },
      /does not know this language/,
    ],
  ])('when it %s, words answer and the reason is told', async (_, parts, reason) => {
    const { found, told } = await ask(parts)
    expect(found).toEqual([candidate(0, 5, 0.5)])
    expect(told.join()).toMatch(reason)
  })

  it('a caller that cancels is not answered by words', async () => {
    const signal = AbortSignal.abort()
    await expect(ask({ search: { ...search, signal } })).rejects.toMatchObject({ code: 'CANCELLED' })
  })
})
