/**
 * Providers through the AI SDK (6 and 7), one step at a time: tools go out without anything that could run, so what the
 * model asks for comes back to who asked. No retries: every call is counted before it is made, by the job.
 */
import type { Completer, Completion, CompletionRequest } from '../completer.ts'
import { isClosedSchema, plainSchema } from './plain-schema.ts'
import { asModel, functionOf, type LoadPackage, objectOf, once, takePackage } from './take-package.ts'
import { withShape } from './text-protocol.ts'

export interface SdkModel {
  /** As in the settings. */
  readonly id: string
  readonly model: string
  readonly package: string
  /** What the package calls the function that makes a provider, and the method of that which makes a model. */
  readonly create: string
  readonly method?: string
  /** Throws MODEL_UNAVAILABLE where the environment lacks something. */
  readonly settings: () => Readonly<Record<string, unknown>>
  /** Whether its models can be held to a schema; else the schema is told in words. */
  readonly holdsToSchema: boolean
}

export function createSdkCompleter(wanted: SdkModel, load: LoadPackage): Completer {
  const { id } = wanted
  const user = asModel(id)
  const sdk = once(async () => {
    const settings = wanted.settings()
    const asked = { user, install: ['ai', wanted.package] }
    const ai = await takePackage(load, 'ai', asked)
    const provider = await takePackage(load, wanted.package, asked)
    const made = functionOf(provider, wanted.create, user)(settings)
    const model = functionOf(objectOf(made), wanted.method ?? 'languageModel', user)(wanted.model)
    const jsonSchema = functionOf(ai, 'jsonSchema', user)
    const output = functionOf(objectOf(ai.Output), 'object', user)
    return { model, jsonSchema, output, generateText: functionOf(ai, 'generateText', user) }
  })
  return {
    id,
    async complete(request) {
      request.signal?.throwIfAborted()
      const { model, jsonSchema, output, generateText } = await sdk()
      const { tools = [], schema, maxTokens, signal } = request
      // Some providers take tools or a schema, not both; while there are tools the answer is not due yet.
      const held = schema && tools.length === 0 && wanted.holdsToSchema ? plainSchema(schema) : undefined
      const definitions = tools.map(({ name, description, parameters }) => [
        name,
        { description, inputSchema: jsonSchema(parameters) },
      ])
      const asked = generateText({
        model,
        system: schema && !held ? withShape(request.system, schema) : request.system,
        messages: messagesOf(request),
        ...(tools.length > 0 ? { tools: Object.fromEntries(definitions) } : {}),
        ...(held ? { output: output({ schema: jsonSchema(held) }) } : {}),
        providerOptions: { openai: { strictJsonSchema: isClosedSchema(held) } },
        maxOutputTokens: maxTokens,
        maxRetries: 0,
        abortSignal: signal,
      })
      return completionFrom(await Promise.resolve(asked).catch(unfinished))
    },
  }
}

/** An answer that the SDK cannot read is an answer all the same: who asked reads it, and says what is wrong. */
function unfinished(error: unknown): unknown {
  const { name, text } = objectOf(error)
  if (name === 'AI_NoObjectGeneratedError' && typeof text === 'string') return error
  throw error
}

function completionFrom(result: unknown): Completion {
  const { text, reasoningText, toolCalls, usage } = objectOf(result)
  const calls = (Array.isArray(toolCalls) ? toolCalls : []).map((call, at) => {
    const { toolCallId, toolName, input, providerMetadata } = objectOf(call)
    const opaque = providerMetadata === undefined ? {} : { opaque: providerMetadata }
    return { id: String(toolCallId ?? `call-${at + 1}`), name: String(toolName), input, ...opaque }
  })
  const { inputTokens, outputTokens } = objectOf(usage)
  return {
    // Some servers give the whole answer of a reasoning model as its reasoning.
    text: textOf(text) === '' && calls.length === 0 ? textOf(reasoningText) : textOf(text),
    calls,
    tokens:
      typeof inputTokens === 'number' && typeof outputTokens === 'number'
        ? { input: inputTokens, output: outputTokens }
        : null,
  }
}

function messagesOf({ prompt, steps = [] }: CompletionRequest): unknown[] {
  return [
    { role: 'user', content: prompt },
    ...steps.flatMap(({ text, calls, results }) => [
      {
        role: 'assistant',
        content: [
          ...(text === '' ? [] : [{ type: 'text', text }]),
          ...calls.map(({ id, name, input, opaque }) => ({
            type: 'tool-call',
            toolCallId: id,
            toolName: name,
            input,
            ...(opaque === undefined ? {} : { providerOptions: opaque }),
          })),
        ],
      },
      {
        role: 'tool',
        content: results.map(({ id, name, text: value }) => ({
          type: 'tool-result',
          toolCallId: id,
          toolName: name,
          output: { type: 'text', value },
        })),
      },
    ]),
  ]
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
