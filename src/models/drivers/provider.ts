/** Any server that speaks OpenAI's protocol for embeddings, through the AI SDK: OpenAI, Ollama, a gateway of one's own. */
import { MemoryError } from '../../errors.ts'
import type { Embedder } from '../embedder.ts'
import { ollamaAddress } from './ollama-address.ts'
import { asEmbedder, functionOf, type LoadPackage, objectOf, once, takePackage, vectorsFrom } from './take-package.ts'

const install = ['ai', '@ai-sdk/openai-compatible']
/** Texts of one request: what every server takes. */
const AT_ONCE = 32

type Environment = Readonly<Record<string, string | undefined>>

export interface ProviderOptions {
  readonly kind: 'openai' | 'ollama' | 'openai-compatible'
  readonly model: string
  /** Addresses and keys are read from here and never kept. */
  readonly environment: Environment
}

export function createProvider({ kind, model, environment }: ProviderOptions, load: LoadPackage): Embedder {
  const id = `${kind}:${model}`
  const sdk = once(async () => {
    const { baseURL, apiKey } = serverOf(kind, environment)
    const user = asEmbedder(id)
    const asked = { user, install }
    const ai = await takePackage(load, 'ai', asked)
    const provider = await takePackage(load, '@ai-sdk/openai-compatible', asked)
    const made = functionOf(provider, 'createOpenAICompatible', user)({ name: kind, baseURL, apiKey })
    const models = objectOf(made)
    const method = 'textEmbeddingModel' in models ? 'textEmbeddingModel' : 'embeddingModel'
    return { embedMany: functionOf(ai, 'embedMany', user), model: functionOf(models, method, user)(model) }
  })
  return {
    id,
    async embed(texts, { signal }) {
      signal?.throwIfAborted()
      const { embedMany, model: asked } = await sdk()
      const vectors: Float32Array[] = []
      for (let at = 0; at < texts.length; at += AT_ONCE) {
        const values = texts.slice(at, at + AT_ONCE)
        const answer = objectOf(await embedMany({ model: asked, values, maxRetries: 0, abortSignal: signal }))
        vectors.push(...vectorsFrom(answer.embeddings, values.length, id))
      }
      return vectors
    },
  }
}

function serverOf(
  kind: ProviderOptions['kind'],
  environment: Environment,
): { readonly baseURL: string; readonly apiKey: string | undefined } {
  switch (kind) {
    case 'openai':
      return {
        baseURL: environment.OPENAI_BASE_URL || 'https://api.openai.com/v1',
        apiKey: needed(kind, environment, 'OPENAI_API_KEY'),
      }
    case 'ollama':
      return { baseURL: `${ollamaAddress(environment.OLLAMA_HOST)}/v1`, apiKey: undefined }
    case 'openai-compatible':
      return {
        baseURL: needed(kind, environment, 'KEEPSAKE_EMBEDDER_URL'),
        apiKey: environment.KEEPSAKE_EMBEDDER_API_KEY,
      }
  }
}

function needed(kind: string, environment: Environment, variable: string): string {
  const value = environment[variable]
  if (value !== undefined && value !== '') return value
  throw new MemoryError('EMBEDDER_UNAVAILABLE', `The embedder ${kind} needs ${variable} in the environment`, {
    hint: `Set ${variable} where Keepsake and your agent are started. Until then recall goes by words.`,
    data: { embedder: kind },
  })
}
