/**
 * A scripted model on 127.0.0.1 for the drivers of providers: OpenAI's chat, Anthropic's messages, Gemini and Ollama, one
 * answer at a time. (`fake-model.ts` speaks to real agents, with streams.)
 */
import { createServer } from 'node:http'

export interface ModelReply {
  readonly text?: string
  readonly thinking?: string
  readonly calls?: readonly { readonly name: string; readonly input: unknown }[]
  /** Null: it tells nothing. Default: 11 and 7. */
  readonly usage?: { readonly input: number; readonly output: number } | null
  /** An answer that is none. */
  readonly refused?: { readonly status: number; readonly message: string }
  readonly neverAnswers?: boolean
}

export interface ModelRequest {
  readonly protocol: 'openai' | 'anthropic' | 'gemini' | 'ollama'
  readonly path: string
  readonly headers: Readonly<Record<string, unknown>>
  // biome-ignore lint/suspicious/noExplicitAny: the body as it came, for a test to look into.
  readonly body: any
}

export interface ModelServer {
  readonly url: string
  readonly requests: ModelRequest[]
  /** What it answers from now on. */
  script: (request: ModelRequest, index: number) => ModelReply
  close(): Promise<void>
}

export async function startModelServer(): Promise<ModelServer> {
  const requests: ModelRequest[] = []
  const server = createServer(async (incoming, response) => {
    const parts: Buffer[] = []
    for await (const part of incoming) parts.push(part as Buffer)
    const path = decodeURIComponent(incoming.url ?? '/')
    const protocol = protocolOf(path)
    const body = JSON.parse(Buffer.concat(parts).toString('utf8') || '{}')
    const request = { protocol, path, headers: incoming.headers, body }
    requests.push(request)
    const reply = started.script(request, requests.length - 1)
    if (reply.neverAnswers) return
    const { status, message } = reply.refused ?? { status: 200, message: '' }
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(reply.refused ? refusals[protocol](message) : answers[protocol](reply, body)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const started: ModelServer = {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    requests,
    script: () => ({ text: 'yes' }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return started
}

function protocolOf(path: string): ModelRequest['protocol'] {
  if (path.includes('/chat/completions')) return 'openai'
  if (path.includes('/messages')) return 'anthropic'
  if (path.includes(':generateContent')) return 'gemini'
  return 'ollama'
}

const refusals: Record<ModelRequest['protocol'], (message: string) => unknown> = {
  openai: (message) => ({ error: { message, type: 'invalid_request_error', code: null, param: null } }),
  anthropic: (message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
  gemini: (message) => ({ error: { code: 400, status: 'INVALID_ARGUMENT', message } }),
  ollama: (message) => ({ error: message }),
}

type Answer = (reply: ModelReply, body: { readonly model?: string }) => unknown

const usual = { input: 11, output: 7 }

const answers: Record<ModelRequest['protocol'], Answer> = {
  openai({ text, thinking, calls = [], usage = usual }, { model }) {
    const tool_calls = calls.map(({ name, input }, at) => ({
      id: `call_${at}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    }))
    const message = {
      role: 'assistant',
      content: text ?? null,
      ...(thinking ? { reasoning_content: thinking } : {}),
      ...(calls.length > 0 ? { tool_calls } : {}),
    }
    const tokens = usage && { prompt_tokens: usage.input, completion_tokens: usage.output, total_tokens: 18 }
    const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop'
    const choices = [{ index: 0, message, finish_reason }]
    return { id: 'c', object: 'chat.completion', created: 1, model, choices, ...(tokens ? { usage: tokens } : {}) }
  },
  anthropic({ text, thinking, calls = [], usage = usual }, { model }) {
    const content = [
      ...(thinking ? [{ type: 'thinking', thinking, signature: 'c2lnbmVk' }] : []),
      ...(text === undefined ? [] : [{ type: 'text', text }]),
      ...calls.map(({ name, input }, at) => ({ type: 'tool_use', id: `toolu_${at}`, name, input })),
    ]
    const stop_reason = calls.length > 0 ? 'tool_use' : 'end_turn'
    const tokens = { input_tokens: usage?.input ?? 0, output_tokens: usage?.output ?? 0 }
    return {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model,
      content,
      stop_reason,
      stop_sequence: null,
      usage: tokens,
    }
  },
  gemini({ text, thinking, calls = [], usage = usual }) {
    const parts = [
      ...(thinking ? [{ text: thinking, thought: true }] : []),
      ...(text === undefined ? [] : [{ text }]),
      ...calls.map(({ name, input }) => ({ functionCall: { name, args: input }, thoughtSignature: 'c2lnbmVk' })),
    ]
    const candidates = [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }]
    const usageMetadata = usage && {
      promptTokenCount: usage.input,
      candidatesTokenCount: usage.output,
      totalTokenCount: 18,
    }
    return { candidates, ...(usageMetadata ? { usageMetadata } : {}), modelVersion: 'm', responseId: 'r' }
  },
  ollama({ text = '', thinking, calls = [], usage = usual }, { model }) {
    const tool_calls = calls.map(({ name, input }) => ({ function: { name, arguments: input } }))
    const message = {
      role: 'assistant',
      content: text,
      ...(thinking ? { thinking } : {}),
      ...(calls.length > 0 ? { tool_calls } : {}),
    }
    const tokens = usage && { prompt_eval_count: usage.input, eval_count: usage.output }
    return { model, created_at: '2026-03-01T00:00:00Z', message, done: true, done_reason: 'stop', ...tokens }
  },
}
