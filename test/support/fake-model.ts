/**
 * A scripted model on 127.0.0.1 that speaks Anthropic Messages and OpenAI Responses, for driving real clients offline.
 * A script is a function from what the model can read to what it answers; nothing leaves the machine.
 */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { normaliseResponses, sendResponses } from './fake-model-responses.ts'

export interface FakeRequest {
  readonly model: string
  readonly system: string
  /** One entry per message, text blocks joined, in order. */
  readonly messages: readonly {
    readonly role: string
    readonly text: string
    readonly toolResults: readonly string[]
  }[]
  readonly toolNames: readonly string[]
  /** Text of the last user message. */
  readonly lastUser: string
  /** Results of tools in the last message. */
  readonly toolResults: readonly string[]
  /** All that the model can read, for searching. */
  readonly everything: string
}

export interface FakeReply {
  readonly text?: string
  readonly tools?: readonly { readonly name: string; readonly input: Readonly<Record<string, unknown>> | string }[]
  /** Held back that long before the answer goes out. */
  readonly delayMs?: number
  /** What the model says it read, where that is not about what it was sent: a client compacts by it. */
  readonly inputTokens?: number
}

export type FakeScript = (request: FakeRequest, index: number) => FakeReply

export interface FakeModel {
  readonly url: string
  /** All requests so far that asked for an answer. */
  requests(): readonly FakeRequest[]
  close(): Promise<void>
}

/** Starts the server on a free port. */
export async function startFakeModel(script: FakeScript): Promise<FakeModel> {
  const requests: FakeRequest[] = []
  const server = createServer((incoming, response) => {
    answer(incoming, response, script, requests).catch((error) => {
      if (!response.headersSent)
        sendJson(response, 500, { type: 'error', error: { type: 'api_error', message: `${error}` } })
      else response.end()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests: () => requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

async function answer(
  incoming: IncomingMessage,
  response: ServerResponse,
  script: FakeScript,
  requests: FakeRequest[],
): Promise<void> {
  const path = new URL(incoming.url ?? '/', 'http://localhost').pathname
  const body = await readJson(incoming)
  if (path.endsWith('/count_tokens'))
    return sendJson(response, 200, { input_tokens: Math.ceil(JSON.stringify(body).length / 4) })
  const isResponses = path.endsWith('/responses')
  if (!isResponses && !path.endsWith('/messages'))
    return sendJson(response, 404, { type: 'error', error: { type: 'not_found_error', message: path } })
  const request = isResponses ? normaliseResponses(body) : normalise(body)
  const reply = script(request, requests.length)
  requests.push(request)
  if (reply.delayMs) await new Promise((resolve) => setTimeout(resolve, reply.delayMs))
  if (isResponses) return sendResponses(response, body, request, reply)
  const message = messageOf(request, reply)
  if (body.stream) sendStream(response, message)
  else sendJson(response, 200, message)
}

async function readJson(incoming: IncomingMessage): Promise<Record<string, unknown>> {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part as Buffer)
  const text = Buffer.concat(parts).toString('utf8')
  return text ? JSON.parse(text) : {}
}

type ContentBlock = { type: string; text?: string; content?: unknown }

function blocksOf(content: unknown): ContentBlock[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? (content as ContentBlock[]) : []
}

function textOf(content: unknown): string {
  return blocksOf(content)
    .flatMap((block) => (block.type === 'text' ? [block.text ?? ''] : []))
    .join('\n')
}

function normalise(body: Record<string, unknown>): FakeRequest {
  const raw = Array.isArray(body.messages) ? (body.messages as { role: string; content: unknown }[]) : []
  const messages = raw.map((message) => ({
    role: message.role,
    text: textOf(message.content),
    toolResults: blocksOf(message.content).flatMap((block) =>
      block.type === 'tool_result' ? [textOf(block.content)] : [],
    ),
  }))
  const system = textOf(body.system)
  return {
    model: String(body.model ?? ''),
    system,
    messages,
    toolNames: Array.isArray(body.tools) ? (body.tools as { name: string }[]).map((tool) => tool.name) : [],
    lastUser: messages.findLast((message) => message.role === 'user')?.text ?? '',
    toolResults: messages.at(-1)?.toolResults ?? [],
    everything: [system, ...messages.flatMap((message) => [message.text, ...message.toolResults])].join('\n'),
  }
}

function messageOf(request: FakeRequest, reply: FakeReply) {
  const tools = (reply.tools ?? []).map((tool) => ({ type: 'tool_use', id: `toolu_${plainUuid()}`, ...tool }))
  const text = reply.text === undefined && tools.length > 0 ? [] : [{ type: 'text', text: reply.text ?? '' }]
  return {
    id: `msg_${plainUuid()}`,
    type: 'message',
    role: 'assistant',
    model: request.model,
    content: [...text, ...tools],
    stop_reason: tools.length > 0 ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: reply.inputTokens ?? Math.ceil(request.everything.length / 4), output_tokens: 20 },
  }
}

function plainUuid(): string {
  return randomUUID().replaceAll('-', '')
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

/** The same message as server-sent events, one delta a block. */
function sendStream(response: ServerResponse, message: ReturnType<typeof messageOf>): void {
  const emit = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  emit('message_start', { message: { ...message, content: [], stop_reason: null } })
  message.content.forEach((block, index) => {
    const isText = 'text' in block
    emit('content_block_start', { index, content_block: isText ? { type: 'text', text: '' } : { ...block, input: {} } })
    emit('content_block_delta', {
      index,
      delta: isText
        ? { type: 'text_delta', text: block.text }
        : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
    })
    emit('content_block_stop', { index })
  })
  emit('message_delta', {
    delta: { stop_reason: message.stop_reason, stop_sequence: null },
    usage: { output_tokens: message.usage.output_tokens },
  })
  emit('message_stop', {})
  response.end()
}
