/**
 * Ollama by its own protocol, which needs no package. Its protocol, and not the one of OpenAI that it speaks too, because
 * only here the size of the context can be said: else what is longer than its usual 4,096 tokens is cut without a word.
 */
import { MemoryError, messageOf } from '../../errors.ts'
import type { Completer, Completion, CompletionRequest } from '../completer.ts'
import { estimateInput } from '../estimate-input.ts'
import { plainSchema } from './plain-schema.ts'
import { objectOf } from './take-package.ts'

const LEAST_CONTEXT = 8_192
const MOST_CONTEXT = 131_072
/** Our estimate may be short of what the model counts. */
const SPARE = 1.25

export interface OllamaOptions {
  readonly model: string
  readonly address: string
}

export function createOllama({ model, address }: OllamaOptions): Completer {
  const id = `ollama:${model}`
  const unavailable = (message: string, hint: string, cause?: unknown) =>
    new MemoryError('MODEL_UNAVAILABLE', message, { hint, data: { model: id }, cause })
  return {
    id,
    async complete(request) {
      request.signal?.throwIfAborted()
      const response = await fetch(`${address}/api/chat`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(bodyOf(model, request)),
        ...(request.signal ? { signal: request.signal } : {}),
      }).catch((error: unknown) => {
        request.signal?.throwIfAborted()
        const cause = objectOf(error).cause
        const why = cause instanceof Error && cause.message !== '' ? cause.message : messageOf(error)
        throw unavailable(`No Ollama answers (${why})`, 'Start it (ollama serve), or set OLLAMA_HOST.', error)
      })
      const text = await response.text()
      const answer = objectOf(parse(text))
      if (!response.ok) {
        const said = typeof answer.error === 'string' ? answer.error : `status ${response.status}`
        throw unavailable(`Ollama refused: ${said}`, `Is the model there? ollama pull ${model}`)
      }
      return completionFrom(answer)
    },
  }
}

function bodyOf(model: string, request: CompletionRequest) {
  const { system, prompt, steps = [], tools = [], schema, maxTokens } = request
  const told = steps.flatMap(({ text, calls, results }) => [
    {
      role: 'assistant',
      content: text,
      tool_calls: calls.map(({ name, input }) => ({ function: { name, arguments: objectOf(input) } })),
    },
    ...results.map(({ name, text: content }) => ({ role: 'tool', tool_name: name, content })),
  ])
  const definitions = tools.map((each) => ({ type: 'function', function: each }))
  return {
    model,
    stream: false,
    messages: [{ role: 'system', content: system }, { role: 'user', content: prompt }, ...told],
    ...(tools.length > 0 ? { tools: definitions } : {}),
    ...(schema && tools.length === 0 ? { format: plainSchema(schema) } : {}),
    options: { num_predict: maxTokens, num_ctx: contextFor(estimateInput(request) * SPARE + maxTokens) },
  }
}

/** In doubling steps: for another size Ollama loads the model anew. */
function contextFor(tokens: number): number {
  let context = LEAST_CONTEXT
  while (context < tokens && context < MOST_CONTEXT) context *= 2
  return context
}

function completionFrom(answer: Readonly<Record<string, unknown>>): Completion {
  const { content, thinking, tool_calls } = objectOf(answer.message)
  const calls = (Array.isArray(tool_calls) ? tool_calls : []).map((call, at) => {
    const { name, arguments: input } = objectOf(objectOf(call).function)
    return { id: `call-${at + 1}`, name: String(name), input }
  })
  const said = typeof content === 'string' ? content : ''
  const thought = typeof thinking === 'string' ? thinking : ''
  const { prompt_eval_count: input, eval_count: output } = answer
  return {
    text: said === '' && calls.length === 0 ? thought : said,
    calls,
    tokens: typeof input === 'number' && typeof output === 'number' ? { input, output } : null,
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A proxy's page, say: the status tells more than its words.
    return null
  }
}
