/**
 * Whether Codex runs our hooks. It skips hooks, without a word, until the person has trusted them in `/hooks`, and only
 * the person may: here Codex is asked (`codex app-server`, `hooks/list`), nothing is written. Bounded in time, and the
 * program that was started is gone when the answer is given.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import { isRow, parseRow, type Row, rowAt, textAt } from '../../shared/rows.ts'

const ANSWER_TIMEOUT_MS = 5_000

/** What is read of the answer; a person has far fewer hooks. */
const MAX_ANSWER_CHARACTERS = 4 * 1024 * 1024

/** Entries of PATH that are looked at. */
const MAX_FOLDERS = 200

export interface ListedHook {
  readonly command: string
  readonly event: string
  /** `trusted`, `untrusted`, `modified`, `managed` as Codex says it. */
  readonly trust: string
  readonly enabled: boolean
}

export interface HookQuestion {
  readonly executable: string
  readonly folder: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly timeoutMs?: number
}

/** The hooks that Codex knows, or null when it gives no answer in time. */
export async function askForHooks(question: HookQuestion): Promise<readonly ListedHook[] | null> {
  const child = spawn(question.executable, ['app-server'], {
    cwd: question.folder,
    env: { ...question.environment },
    stdio: ['pipe', 'pipe', 'ignore'],
    // A group of its own: the command may be a script around the program.
    detached: process.platform !== 'win32',
    windowsHide: true,
  })
  try {
    return await answerOf(child, question)
  } finally {
    end(child)
  }
}

function answerOf(child: ChildProcess, question: HookQuestion): Promise<readonly ListedHook[] | null> {
  const { stdin, stdout } = child
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), question.timeoutMs ?? ANSWER_TIMEOUT_MS)
    const settle = (hooks: readonly ListedHook[] | null) => {
      clearTimeout(timer)
      resolve(hooks)
    }
    child.on('error', () => settle(null))
    child.on('close', () => settle(null))
    // It may be gone before all is written: then it closes, and that is the answer.
    stdin?.on('error', () => {})
    let text = ''
    stdout?.setEncoding('utf8').on('data', (data: string) => {
      text += data
      if (text.length > MAX_ANSWER_CHARACTERS) return settle(null)
      const lines = text.split('\n')
      text = lines.pop() ?? ''
      const answer = lines.map(parseRow).find((row) => row?.id === 2)
      if (answer) settle(hooksIn(answer))
    })
    const clientInfo = { name: 'keepsake', version: '1' }
    for (const message of [
      { id: 1, method: 'initialize', params: { clientInfo } },
      { method: 'initialized' },
      { id: 2, method: 'hooks/list', params: { cwds: [question.folder] } },
    ])
      stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  })
}

function hooksIn(answer: Row): readonly ListedHook[] | null {
  const data = rowAt(answer, 'result')?.data
  if (!Array.isArray(data)) return null
  return data.filter(isRow).flatMap(({ hooks }) =>
    (Array.isArray(hooks) ? hooks.filter(isRow) : []).map((hook) => ({
      command: textAt(hook, 'command') ?? '',
      event: textAt(hook, 'eventName') ?? '',
      trust: textAt(hook, 'trustStatus') ?? '',
      enabled: hook.enabled !== false,
    })),
  )
}

function end(child: ChildProcess): void {
  child.stdin?.destroy()
  child.stdout?.destroy()
  child.unref()
  try {
    if (child.pid !== undefined) process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL')
  } catch {
    // Gone by itself, as it does when its input ends.
  }
}

/** Path of `codex` as a shell would find it, or null. */
export async function findCodex(environment: HookQuestion['environment']): Promise<string | null> {
  const names = process.platform === 'win32' ? ['codex.exe'] : ['codex']
  for (const folder of (environment.PATH ?? '').split(delimiter).slice(0, MAX_FOLDERS))
    for (const name of names) {
      const path = join(folder, name)
      // A relative entry would depend on where we were started.
      const found =
        isAbsolute(path) &&
        (await access(path, constants.X_OK).then(
          () => true,
          () => false,
        )) // Not here.
      if (found) return path
    }
  return null
}
