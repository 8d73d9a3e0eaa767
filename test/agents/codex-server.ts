/**
 * Runs the real Codex as a server on its standard streams, as editors do: one process, several turns, and compaction by
 * the person's command, which the headless `codex exec` does not have.
 */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

export interface CodexServer {
  /** Begins a conversation in this folder; its id. */
  start(cwd: string): Promise<string>
  /** Takes one up again; its id. */
  resume(thread: string, cwd: string): Promise<string>
  /** One turn, until it is complete. */
  say(thread: string, text: string): Promise<void>
  /** What `/compact` does. */
  compact(thread: string): Promise<void>
  close(): Promise<void>
}

const TIMEOUT_MS = 60_000

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: { readonly threadId?: string }
  readonly result?: {
    readonly thread?: { readonly id: string }
    readonly data?: readonly { readonly hooks: readonly { readonly key: string; readonly currentHash: string }[] }[]
  }
  readonly error?: unknown
}

export async function startCodexServer(options: {
  readonly binary: string
  /** `key=value` overrides of the configuration. */
  readonly settings: readonly string[]
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
}): Promise<CodexServer> {
  const given = options.settings.flatMap((setting) => ['-c', setting])
  const child = spawn(options.binary, [...given, 'app-server'], {
    cwd: options.cwd,
    env: { ...options.environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const seen: Message[] = []
  const errors: string[] = []
  const waiting = new Set<() => void>()
  child.stderr.on('data', (data) => errors.push(`${data}`))
  createInterface({ input: child.stdout }).on('line', (line) => {
    seen.push(JSON.parse(line))
    for (const look of [...waiting]) look()
  })
  const next = (from: number, isIt: (message: Message) => boolean) =>
    new Promise<Message>((resolve, reject) => {
      const look = () => {
        const found = seen.slice(from).find(isIt)
        if (!found) return
        end()
        resolve(found)
      }
      const timer = setTimeout(() => {
        end()
        reject(new Error(`no answer of Codex\n${errors.join('')}\n${JSON.stringify(seen.slice(-5))}`))
      }, TIMEOUT_MS)
      const end = () => {
        clearTimeout(timer)
        waiting.delete(look)
      }
      waiting.add(look)
      look()
    })
  let id = 0
  const send = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`)
  const ask = async (method: string, params: object): Promise<Message> => {
    const own = ++id
    const from = seen.length
    send({ id: own, method, params })
    const answer = await next(from, (message) => message.id === own && message.method === undefined)
    if (answer.error) throw new Error(`${method}: ${JSON.stringify(answer.error)}`)
    return answer
  }
  const completed = async (method: string, params: object, thread: string) => {
    const from = seen.length
    await ask(method, params)
    await next(from, ({ method: said, params: of }) => said === 'turn/completed' && of?.threadId === thread)
  }
  /** What the person does in `/hooks`: the headless flag that passes over trust is none of this server's. */
  const trustHooks = async () => {
    const { result } = await ask('hooks/list', { cwds: [options.cwd] })
    const hooks = (result?.data ?? []).flatMap((entry) => entry.hooks)
    const value = Object.fromEntries(hooks.map(({ key, currentHash }) => [key, { trusted_hash: currentHash }]))
    await ask('config/value/write', { keyPath: 'hooks.state', value, mergeStrategy: 'upsert' })
  }
  await ask('initialize', { clientInfo: { name: 'keepsake-test', version: '1' }, capabilities: null })
  send({ method: 'initialized' })
  await trustHooks()
  return {
    start: async (cwd) => (await ask('thread/start', { cwd })).result?.thread?.id ?? '',
    resume: async (threadId, cwd) => (await ask('thread/resume', { threadId, cwd })).result?.thread?.id ?? '',
    say: (threadId, text) => completed('turn/start', { threadId, input: [{ type: 'text', text }] }, threadId),
    compact: (threadId) => completed('thread/compact/start', { threadId }, threadId),
    close: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve()
        child.once('close', () => resolve())
        child.stdin.end()
        child.kill()
      }),
  }
}
