/** Calls tools of the MCP server as a client would: one process, one call after the other. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { cleanEnvironment, distribution, type Workshop } from './cli.ts'

export type ToolCall = readonly [tool: string, input: Readonly<Record<string, unknown>>]

interface Answer {
  readonly id?: number
  readonly result?: { readonly content?: readonly { readonly text: string }[] }
  readonly error?: { readonly message: string }
}

/** The texts of the answers, in the order of the calls. */
export async function callTools(shop: Workshop, calls: readonly ToolCall[]): Promise<string[]> {
  const child = spawn(process.execPath, [join(distribution, 'cli.js'), 'mcp'], {
    cwd: shop.project,
    env: cleanEnvironment(shop.home),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const waiting = new Map<number, (answer: Answer) => void>()
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const answer = JSON.parse(line) as Answer
      waiting.get(answer.id ?? -1)?.(answer)
    }
  })
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const ask = (id: number, method: string, params: object) =>
    new Promise<Answer>((done) => {
      waiting.set(id, done)
      send({ id, method, params })
    })
  const clientInfo = { name: 'test', version: '1' }
  await ask(0, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
  send({ method: 'notifications/initialized' })
  const texts: string[] = []
  for (const [index, [name, input]] of calls.entries()) {
    const { result, error } = await ask(index + 1, 'tools/call', { name, arguments: input })
    texts.push(result?.content?.map(({ text }) => text).join('\n') ?? error?.message ?? '')
  }
  const ended = new Promise((done) => child.once('close', done))
  child.stdin.end()
  await ended
  return texts
}
