/** Contract of an embedder: what recall relies on, whatever the model. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { Embedder } from '../models/embedder.ts'

export interface EmbedderSuiteOptions {
  /** A question, a text that answers it without a common word, and one about something else, in a language of the model. */
  readonly question: string
  readonly answer: string
  readonly other: string
}

const ENGLISH: EmbedderSuiteOptions = {
  question: 'which automobile do I own',
  answer: 'my car is a red Toyota',
  other: 'the meeting was moved to Thursday morning',
}

export function testEmbedder(
  name: string,
  create: () => Embedder | Promise<Embedder>,
  { question, answer, other }: EmbedderSuiteOptions = ENGLISH,
): void {
  describe(name, () => {
    let embedder: Embedder
    beforeAll(async () => {
      embedder = await create()
    })
    const embed = (texts: readonly string[], use: 'query' | 'document' = 'document') => embedder.embed(texts, { use })

    it('has an id of one line', () => {
      expect(embedder.id).toMatch(/^\S(?:.*\S)?$/)
    })

    it('gives one vector a text, in order, of one length, and the same again', async () => {
      const texts = [answer, other, question, answer]
      const vectors = await embed(texts)
      const [single] = await embed([other])
      expect(vectors).toHaveLength(texts.length)
      expect(new Set(vectors.map((vector) => vector.length)).size).toBe(1)
      expect(vectors.every((vector) => vector.length > 0 && vector.every(Number.isFinite))).toBe(true)
      expect(cosine(vectors[0], vectors[3])).toBeCloseTo(1, 3)
      expect(cosine(vectors[1], single)).toBeCloseTo(1, 3)
    })

    it('puts a paraphrase nearer than a text about something else', async () => {
      const [asked] = await embed([question], 'query')
      const [near, far] = await embed([answer, other])
      expect(cosine(asked, near)).toBeGreaterThan(cosine(asked, far))
    })

    it('takes no text, an empty one, one in another script and a long one', async () => {
      expect(await embed([])).toEqual([])
      expect(await embed(['', '中文和 emoji 🐙', 'word '.repeat(400)])).toHaveLength(3)
    })

    it('rejects when it is told to stop', async () => {
      await expect(embedder.embed([answer], { use: 'query', signal: AbortSignal.abort() })).rejects.toThrow()
    })
  })
}

function cosine(one: Float32Array | undefined, other: Float32Array | undefined): number {
  const product = (left: Float32Array = new Float32Array(), right: Float32Array = new Float32Array()) =>
    left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0)
  return product(one, other) / Math.sqrt(product(one, one) * product(other, other))
}
