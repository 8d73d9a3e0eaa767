/** The tools of the server for a model that is asked in this process: what it sees and gets is what any client gets. */
import { InMemoryTransport, isJSONRPCErrorResponse, isJSONRPCResultResponse } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Memory } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import { createMcpServer } from './server.ts'

export interface InProcessTool {
  readonly name: string
  readonly description: string
  /** JSON Schema of its input. */
  readonly parameters: Readonly<Record<string, unknown>>
  run(input: unknown): Promise<string>
}

export interface InProcessTools {
  readonly tools: readonly InProcessTool[]
  close(): Promise<void>
}

const toolList = z.object({
  tools: z.array(
    z.object({ name: z.string(), description: z.string(), inputSchema: z.record(z.string(), z.unknown()) }),
  ),
})
const toolAnswer = z.object({ content: z.array(z.object({ text: z.string() })) })

export async function openInProcess(memory: Memory, version: string): Promise<InProcessTools> {
  const [near, far] = InMemoryTransport.createLinkedPair()
  const server = createMcpServer(memory, version)
  const waiting = new Map<number, (result: unknown) => void>()
  near.onmessage = (message) => {
    if (isJSONRPCResultResponse(message)) waiting.get(Number(message.id))?.(message.result)
    // A fault in words: the caller's input did not fit.
    else if (isJSONRPCErrorResponse(message))
      waiting.get(Number(message.id))?.({ content: [{ text: `Not done: ${message.error.message}` }] })
  }
  await Promise.all([server.connect(far), near.start()])
  let asked = 0
  const ask = (method: string, params: Record<string, unknown>) =>
    new Promise<unknown>((done, failed) => {
      const id = ++asked
      waiting.set(id, done)
      near.send({ jsonrpc: '2.0', id, method, params }).catch(failed)
    })
  const clientInfo = { name: 'keepsake', version }
  await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
  await near.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  const { tools } = read(toolList, await ask('tools/list', {}))
  return {
    tools: tools.map(({ name, description, inputSchema: { $schema: _, ...parameters } }) => ({
      name,
      description,
      parameters,
      run: async (input) => {
        const { content } = read(toolAnswer, await ask('tools/call', { name, arguments: input }))
        return content.map(({ text }) => text).join('\n')
      },
    })),
    close: () => server.close(),
  }
}

function read<Value>(shape: z.ZodType<Value>, result: unknown): Value {
  const found = shape.safeParse(result)
  if (found.success) return found.data
  throw new MemoryError('INTERNAL', `The MCP server gave an answer of another form: ${z.prettifyError(found.error)}`)
}
