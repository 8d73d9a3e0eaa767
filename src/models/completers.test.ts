/** The drivers of language models: with the real packages, against a server on 127.0.0.1 that answers as theirs do. */
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ModelServer, startModelServer } from '../../test/support/model-server.ts'
import { testCompleter } from '../testing/completer-suite.ts'
import { createCompleter } from './drivers/create-completer.ts'
import { loadPackage } from './drivers/take-package.ts'

let server: ModelServer
beforeAll(async () => {
  server = await startModelServer()
})
afterAll(() => server.close())

const key = 'key-of-a-test'
const names = [
  'anthropic:claude-haiku-4-5',
  'openai:gpt-4.1-mini',
  'google:gemini-2.5-flash',
  'ollama:qwen3:8b',
  'openai-compatible:m',
]

function environmentOf(url: string): Record<string, string> {
  return {
    ANTHROPIC_API_KEY: key,
    ANTHROPIC_BASE_URL: url,
    OPENAI_API_KEY: key,
    OPENAI_BASE_URL: `${url}/v1`,
    GEMINI_API_KEY: key,
    GOOGLE_GEMINI_BASE_URL: url,
    OLLAMA_HOST: url,
    KEEPSAKE_MODELS_URL: `${url}/v1`,
    KEEPSAKE_MODELS_API_KEY: key,
  }
}

const created = (name: string, environment: Record<string, string> = environmentOf(server.url)) =>
  createCompleter(name, { environment, temporaryDirectory: tmpdir() })
const request = { system: 'You keep notes.', prompt: 'What is new?', maxTokens: 321 }

for (const name of names)
  testCompleter(name, async () => ({
    completer: created(name),
    answers: ({ refuses, ...reply }) => {
      server.script = () => (refuses ? { refused: { status: 429, message: refuses } } : reply)
    },
    lastQuestion: () => JSON.stringify(server.requests.at(-1)?.body).replaceAll('\\"', '"'),
    questions: () => server.requests.length,
  }))

describe('providers [W16]', () => {
  it.each(names)(
    '%s: one request with the model, the most it may say and the key; the tokens it tells',
    async (name) => {
      server.script = () => ({ text: 'yes', usage: { input: 23, output: 5 } })
      const { tokens } = await created(name).complete(request)
      expect(tokens).toEqual({ input: 23, output: 5 })
      const { body, path, headers } = server.requests.at(-1)!
      const model = name.slice(name.indexOf(':') + 1)
      expect(`${path} ${body.model}`).toContain(model)
      expect(JSON.stringify(body)).toContain('321')
      if (!name.startsWith('ollama')) expect(JSON.stringify(headers)).toContain(key)
    },
  )

  it.each(names)('%s: an answer that is only in its thoughts is the answer (BL-22)', async (name) => {
    server.script = () => ({ text: name.startsWith('openai:') ? '{"notes": []}' : '', thinking: '{"notes": []}' })
    expect((await created(name).complete(request)).text).toBe('{"notes": []}')
  })

  it.each(['openai:gpt-4.1-mini', 'google:gemini-2.5-flash', 'ollama:m', 'openai-compatible:m'])(
    '%s that tells no tokens',
    async (name) => {
      server.script = () => ({ text: 'yes', usage: null })
      expect((await created(name).complete(request)).tokens).toBeNull()
    },
  )

  it('a model whose signature belongs to its call gets it back', async () => {
    const google = created('google:gemini-2.5-flash')
    server.script = () => ({ calls: [{ name: 'look', input: {} }] })
    const tools = [{ name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } }]
    const { text, calls = [] } = await google.complete({ ...request, tools })
    server.script = () => ({ text: 'done' })
    const results = calls.map(({ id, name }) => ({ id, name, text: 'nothing' }))
    await google.complete({ ...request, tools, steps: [{ text, calls, results }] })
    expect(JSON.stringify(server.requests.at(-1)?.body.contents)).toContain('c2lnbmVk')
  })

  it('OpenAI is held strictly to a shape that is closed, and only to such a one', async () => {
    const closed = {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    }
    for (const [schema, strict] of [
      [closed, true],
      [{ ...closed, required: [] }, false],
      [{ ...closed, additionalProperties: undefined }, false],
      [{ ...closed, properties: { a: { type: 'array', items: { type: 'object' } } } }, false],
    ] as const) {
      await created('openai:gpt-4.1-mini').complete({ ...request, schema: JSON.parse(JSON.stringify(schema)) })
      expect(server.requests.at(-1)?.body.response_format.json_schema.strict).toBe(strict)
    }
  })

  it('Ollama gets room for the whole question', async () => {
    const ollama = created('ollama:m')
    const contexts: unknown[] = []
    for (const words of [10, 9_000, 40_000, 400_000]) {
      await ollama.complete({ ...request, prompt: 'word '.repeat(words) })
      contexts.push(server.requests.at(-1)?.body.options.num_ctx)
    }
    expect(contexts).toEqual([8_192, 16_384, 65_536, 131_072])
  })

  it('nobody there', async () => {
    const gone = created('ollama:m', { OLLAMA_HOST: 'http://127.0.0.1:1' })
    await expect(gone.complete(request)).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      hint: expect.stringContaining('ollama serve'),
    })
    server.script = () => ({ refused: { status: 404, message: 'model "m" not found' } })
    await expect(created('ollama:m').complete(request)).rejects.toMatchObject({
      hint: expect.stringContaining('ollama pull m'),
    })
  })
})

describe('what is missing [W16]', () => {
  const missing = async (name: string) => {
    throw Object.assign(new Error(`Cannot find package '${name}'`), { code: 'ERR_MODULE_NOT_FOUND' })
  }

  it.each([
    ['anthropic:m', 'ANTHROPIC_API_KEY'],
    ['openai:m', 'OPENAI_API_KEY'],
    ['google:m', 'GOOGLE_GENERATIVE_AI_API_KEY or GEMINI_API_KEY'],
    ['openai-compatible:m', 'KEEPSAKE_MODELS_URL'],
  ])('%s names the variable %s', async (name, variable) => {
    await expect(created(name, {}).complete(request)).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: `The model ${name} needs ${variable} in the environment`,
    })
  })

  it.each([
    ['anthropic:m', 'npm install ai @ai-sdk/anthropic'],
    ['openai:m', 'npm install ai @ai-sdk/openai'],
    ['google:m', 'npm install ai @ai-sdk/google'],
    ['openai-compatible:m', 'npm install ai @ai-sdk/openai-compatible'],
  ])('%s without its packages says %s', async (name, line) => {
    const completer = createCompleter(name, {
      environment: environmentOf('http://127.0.0.1:1'),
      temporaryDirectory: tmpdir(),
      load: missing,
    })
    await expect(completer.complete(request)).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      hint: expect.stringContaining(`${line} `),
    })
  })

  it('a package of another version is no crash', async () => {
    for (const odd of [{}, { generateText: 1 }, null]) {
      const load = async (name: string) => (name === 'ai' ? odd : loadPackage(name))
      const completer = createCompleter('openai:m', {
        environment: environmentOf('http://127.0.0.1:1'),
        temporaryDirectory: tmpdir(),
        load,
      })
      await expect(completer.complete(request)).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' })
    }
  })

  it('nothing is loaded before the first question; another name is CONFIG_INVALID', () => {
    const loaded: string[] = []
    const load = async (name: string) => void loaded.push(name)
    createCompleter('openai:m', { environment: {}, temporaryDirectory: tmpdir(), load })
    expect(loaded).toEqual([])
    expect(() => createCompleter('mistral:m', { environment: {}, temporaryDirectory: tmpdir() })).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID' }),
    )
  })
})
