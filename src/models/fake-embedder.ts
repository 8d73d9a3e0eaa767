/**
 * An embedder for tests: each word is a direction of its own, and words of one concept share theirs, so that a paraphrase
 * lies near and a text about something else does not. The same text always gives the same vector.
 */
import type { Embedder, EmbedOptions } from './embedder.ts'

export interface FakeEmbedderOptions {
  readonly id?: string
  readonly dimensions?: number
  /** Words that mean the same, small letters: `['car', 'automobile']`. */
  readonly concepts?: readonly (readonly string[])[]
  /** Asked before each call; may throw or wait: then the model "cannot be used". */
  readonly before?: (texts: readonly string[], options: EmbedOptions) => void | Promise<void>
}

export interface FakeEmbedder extends Embedder {
  /** Every text that it was given, in order. */
  readonly texts: readonly string[]
}

export function createFakeEmbedder(options: FakeEmbedderOptions = {}): FakeEmbedder {
  const { id = 'fake', dimensions = 64, concepts = [], before } = options
  const conceptOf = new Map(concepts.flatMap((words) => words.map((word) => [word, words[0] ?? word])))
  const texts: string[] = []
  return {
    id,
    texts,
    async embed(given, how) {
      how.signal?.throwIfAborted()
      texts.push(...given)
      await before?.(given, how)
      how.signal?.throwIfAborted()
      return given.map((text) => {
        const vector = new Float32Array(dimensions)
        const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['']
        for (const word of words) addDirection(vector, conceptOf.get(word) ?? word)
        return vector
      })
    },
  }
}

/** Adds a direction that depends on the word alone: pseudo-random, so directions of two words are nearly at right angles. */
function addDirection(vector: Float32Array, word: string): void {
  let state = 2_166_136_261
  for (const character of word) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 16_777_619)
  for (let at = 0; at < vector.length; at++) {
    state = Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9
    vector[at] = (vector[at] ?? 0) + ((state >>> 8) / 2 ** 24 - 0.5)
  }
}
