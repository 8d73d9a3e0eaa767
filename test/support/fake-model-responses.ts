/** The OpenAI Responses side of the scripted model, as far as Codex speaks it: always streamed, tools in namespaces. */
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { FakeReply, FakeRequest } from './fake-model.ts'

interface Item {
  readonly type?: string
  readonly role?: string
  readonly content?: unknown
  readonly output?: unknown
}

interface Declared {
  readonly type: string
  readonly name?: string
  readonly tools?: readonly Declared[]
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.flatMap((part: { text?: string }) => part.text ?? []).join('\n')
}

/** Tools as a script names them: `mcp__SERVER__TOOL` for one that the client keeps in a namespace. */
function declaredTools(
  body: Record<string, unknown>,
): { name: string; namespace?: string; type: string; plain: string }[] {
  const tools = Array.isArray(body.tools) ? (body.tools as Declared[]) : []
  return tools.flatMap((tool) => {
    const name = tool.name ?? tool.type
    if (tool.type !== 'namespace') return [{ name, type: tool.type, plain: name }]
    return (tool.tools ?? []).map(({ name: plain = '', type }) => ({
      name: `${name}__${plain}`,
      namespace: name,
      type,
      plain,
    }))
  })
}

export function normaliseResponses(body: Record<string, unknown>): FakeRequest {
  const items = Array.isArray(body.input) ? (body.input as Item[]) : []
  const isSystem = ({ role }: Item) => role === 'system' || role === 'developer'
  const system = [String(body.instructions ?? ''), ...items.filter(isSystem).map(({ content }) => textOf(content))]
  const messages = messagesOf(items.filter((item) => !isSystem(item)))
  return {
    model: String(body.model ?? ''),
    system: system.join('\n'),
    messages,
    toolNames: declaredTools(body).map(({ name }) => name),
    lastUser: messages.findLast(({ role, text }) => role === 'user' && text !== '')?.text ?? '',
    toolResults: messages.at(-1)?.toolResults ?? [],
    everything: [...system, ...messages.flatMap(({ text, toolResults }) => [text, ...toolResults])].join('\n'),
  }
}

/** One message for each answer of the model and for the results of its tools, however many items they are. */
function messagesOf(items: readonly Item[]): { role: string; text: string; toolResults: string[] }[] {
  const messages: { role: string; text: string; toolResults: string[] }[] = []
  for (const item of items) {
    const isResult = item.type?.endsWith('_output') === true
    const role = item.role ?? (isResult ? 'user' : 'assistant')
    const last = messages.at(-1)
    const text = textOf(item.content)
    const toolResults = isResult ? [textOf(item.output)] : []
    const goesOn = last?.role === role && (role === 'assistant' || (isResult && last.toolResults.length > 0))
    if (last && goesOn) {
      last.text = [last.text, text].filter(Boolean).join('\n')
      last.toolResults.push(...toolResults)
    } else messages.push({ role, text, toolResults })
  }
  return messages
}

/** The answer as server-sent events: each item once, whole. */
export function sendResponses(
  response: ServerResponse,
  body: Record<string, unknown>,
  request: FakeRequest,
  reply: FakeReply,
): void {
  const output = outputOf(body, reply)
  const tokens = { input_tokens: Math.ceil(request.everything.length / 4), output_tokens: 20 }
  const usage = { ...tokens, total_tokens: tokens.input_tokens + tokens.output_tokens }
  const state = { id: `resp_${randomUUID()}`, object: 'response', model: request.model, output: [] as object[] }
  let number = 0
  const emit = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: number++, ...data })}\n\n`)
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  emit('response.created', { response: { ...state, status: 'in_progress' } })
  output.forEach((item, output_index) => {
    emit('response.output_item.added', { output_index, item })
    emit('response.output_item.done', { output_index, item })
  })
  emit('response.completed', { response: { ...state, status: 'completed', output, usage } })
  response.end()
}

function outputOf(body: Record<string, unknown>, reply: FakeReply): object[] {
  const tools = declaredTools(body)
  const calls = (reply.tools ?? []).map(({ name, input }) => {
    const tool = tools.find((each) => each.name === name) ?? { type: 'function', plain: name, namespace: undefined }
    const place = { id: `fc_${randomUUID()}`, call_id: `call_${randomUUID()}`, status: 'completed', name: tool.plain }
    const named = tool.namespace ? { ...place, namespace: tool.namespace } : place
    if (tool.type === 'custom') return { type: 'custom_tool_call', ...named, input }
    return { type: 'function_call', ...named, arguments: JSON.stringify(input) }
  })
  if (reply.text === undefined && calls.length > 0) return calls
  const content = [{ type: 'output_text', text: reply.text ?? '', annotations: [] }]
  const message = { type: 'message', id: `msg_${randomUUID()}`, role: 'assistant', status: 'completed', content }
  return [message, ...calls]
}
