/** The MCP server as a process: what stands on its standard output, and when it ends. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cleanEnvironment, createWorkshop, distribution, type Workshop } from '../support/cli.ts'

let shop: Workshop
const children: ChildProcess[] = []

beforeEach(() => {
  shop = createWorkshop()
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  shop.remove()
})

interface Peer {
  readonly child: ChildProcess
  readonly lines: string[]
  send(message: object): void
  answer(id: number): Promise<Record<string, unknown>>
  ended(): Promise<number>
}

function start(nodeOptions: readonly string[] = [], environment: Record<string, string> = {}): Peer {
  const child = spawn(process.execPath, [...nodeOptions, join(distribution, 'cli.js'), 'mcp'], {
    cwd: shop.project,
    env: cleanEnvironment(shop.home, environment),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  children.push(child)
  const lines: string[] = []
  let rest = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    rest += text
    const parts = rest.split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts)
  })
  const ended = new Promise<number>((done) => child.once('close', (code) => done(code ?? -1)))
  return {
    child,
    lines,
    send: (message) => child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
    async answer(id) {
      for (let turn = 0; turn < 600; turn++) {
        const found = lines
          .map((line) => JSON.parse(line) as Record<string, unknown>)
          .find((message) => message.id === id)
        if (found) return found
        await new Promise((done) => setTimeout(done, 25))
      }
      throw new Error(`no answer to ${id}`)
    },
    ended: () => ended,
  }
}

async function greet(peer: Peer): Promise<void> {
  peer.send({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  })
  await peer.answer(1)
  peer.send({ method: 'notifications/initialized' })
}

describe('BL-76 standard output carries JSON-RPC only [U2]', () => {
  const noise = [
    ['console.log at load', 'console.log("loading")'],
    ['a direct write', 'process.stdout.write("raw write\\n")'],
    ['console.info later', 'setInterval(() => console.info("tick"), 20).unref()'],
    ['a runtime warning', 'process.emitWarning("careful")'],
    ['console.table and dir', 'console.table([1]); console.dir({a: 1})'],
  ] as const
  it.each(noise)('%s from a dependency goes elsewhere', async (_name, code) => {
    mkdirSync(join(shop.root, 'noise'))
    // Loaded after the server took its output: what a lazily loaded dependency would do.
    const loaded = `const write = process.stdout.write
      const watch = setInterval(() => {
        if (process.stdout.write === write) return
        clearInterval(watch)
        ${code}
      }, 10)`
    writeFileSync(join(shop.root, 'noise', 'noise.cjs'), loaded)
    const peer = start(['--require', join(shop.root, 'noise', 'noise.cjs')], { NODE_DEBUG: 'module_timer', DEBUG: '*' })
    await greet(peer)
    await new Promise((done) => setTimeout(done, 1_000))
    peer.send({
      id: 2,
      method: 'tools/call',
      params: { name: 'memory_save', arguments: { text: 'Use pnpm here', type: 'feedback' } },
    })
    const answer = await peer.answer(2)
    expect(answer.result).toBeDefined()
    for (const line of peer.lines) expect(JSON.parse(line)).toHaveProperty('jsonrpc', '2.0')
    peer.child.stdin?.end()
    expect(await peer.ended()).toBe(0)
  })
})

describe('BL-66 the server ends with its client [U2]', () => {
  it('at the end of its input', async () => {
    const peer = start()
    await greet(peer)
    peer.child.stdin?.end()
    expect(await peer.ended()).toBe(0)
  })

  it('when the input ends before the first word', async () => {
    const peer = start()
    peer.child.stdin?.end()
    expect(await peer.ended()).toBe(0)
  })

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('on %s', async (signal) => {
    const peer = start()
    await greet(peer)
    peer.child.kill(signal)
    expect(await peer.ended()).toBe(0)
  })

  it('when its parent is gone while a wrapper still holds the pipe', async () => {
    const pidFile = join(shop.root, 'pid')
    const script = `const { spawn } = require('node:child_process'); const { writeFileSync } = require('node:fs');
      const child = spawn(process.execPath, [${JSON.stringify(join(distribution, 'cli.js'))}, 'mcp'], { stdio: [0, 'pipe', 'ignore'] });
      child.stdout.once('data', () => { writeFileSync(${JSON.stringify(pidFile)}, String(child.pid)); setTimeout(() => process.exit(0), 50) });
      setTimeout(() => {}, 60000)`
    const parent = spawn(process.execPath, ['-e', script], {
      cwd: shop.project,
      env: cleanEnvironment(shop.home),
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    children.push(parent)
    // This test is the wrapper: it keeps the writing end of the pipe open all the time.
    parent.stdin?.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } } })}\n`,
    )
    await new Promise((done) => parent.once('exit', done))
    const { readFileSync } = await import('node:fs')
    const pid = Number(readFileSync(pidFile, 'utf8'))
    const gone = async () => {
      for (let turn = 0; turn < 200; turn++) {
        try {
          process.kill(pid, 0)
        } catch {
          return true
        }
        await new Promise((done) => setTimeout(done, 25))
      }
      return false
    }
    expect(await gone()).toBe(true)
  })

  it('five connections one after another leave no process and no lock', async () => {
    for (let turn = 0; turn < 5; turn++) {
      const peer = start()
      await greet(peer)
      peer.send({
        id: 3,
        method: 'tools/call',
        params: { name: 'memory_save', arguments: { text: `Fact number ${turn} of the harbour`, type: 'project' } },
      })
      await peer.answer(3)
      peer.child.stdin?.end()
      expect(await peer.ended()).toBe(0)
    }
    const list = (await shop.cli(['list', '--json'])).json<{ total: number }>()
    expect(list.total).toBe(5)
  })
})
