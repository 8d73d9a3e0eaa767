/**
 * MCP over stdio. Standard output carries JSON-RPC and nothing else: everything else that anyone writes there goes to
 * standard error. The server ends with its client: at the end of its input, and when its parent is gone while some
 * wrapper still holds the pipe open (case BL-66).
 */
import { Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Memory } from '../domain/index.ts'
import { createMcpServer } from './server.ts'

/** How often the parent is looked at; the server is gone within 2 s. */
const PARENT_WATCH_MS = 1_000

export interface ServeOptions {
  readonly memory: Memory
  readonly version: string
  readonly onError: (error: Error) => void
}

/** Serves until the client is gone; resolves after the memory was closed. */
export async function serveMcpOverStdio({ memory, version, onError }: ServeOptions): Promise<void> {
  const output = takeStandardOutput()
  const transport = new StdioServerTransport(process.stdin, output)
  const handle = serveStdio(() => createMcpServer(memory, version), { transport, onerror: onError })
  await clientGone()
  await handle.close().catch(onError)
  await memory.close()
}

/** Keeps the real standard output for the protocol and points everybody else's writes at standard error. */
function takeStandardOutput(): Writable {
  const write = process.stdout.write.bind(process.stdout)
  const real = new Writable({
    write(chunk, _encoding, done) {
      write(chunk, (error) => done(error ?? null))
    },
  })
  const redirect = process.stderr.write.bind(process.stderr)
  // The signatures of both streams' `write` are the same; binding loses the overloads.
  process.stdout.write = redirect as typeof process.stdout.write
  return real
}

function clientGone(): Promise<void> {
  return new Promise((resolve) => {
    const parent = process.ppid
    const watch = setInterval(() => process.ppid !== parent && done(), PARENT_WATCH_MS)
    const done = () => {
      clearInterval(watch)
      process.stdin.destroy()
      resolve()
    }
    for (const event of ['end', 'close', 'error'] as const) process.stdin.once(event, done)
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, done)
  })
}
