/** Runs one command in this process: makes the context, translates failures, sets the exit code. */
import { createInterface } from 'node:readline/promises'
import { homeDirectory, surroundings } from '../config.ts'
import type { Memory } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import { createMemory, VERSION } from '../index.ts'
import type { CliContext, GlobalOptions } from './context.ts'
import { failureOf } from './failure.ts'
import { createProgram, withNestedHelp } from './program.ts'

export async function runCli(argv: readonly string[], distribution: string): Promise<void> {
  // A reader that closes the pipe early (`keepsake list | head`) is no fault.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  const open: { memory: Promise<Memory> | null } = { memory: null }
  const cli = createContext(distribution, open)
  try {
    const program = createProgram(cli)
    if (argv.length <= 2) program.outputHelp()
    else await program.parseAsync([...withNestedHelp(argv, program)])
  } catch (error) {
    const failure = failureOf(error)
    if (failure) {
      if (argv.includes('--json')) process.stdout.write(`${JSON.stringify(failure.json)}\n`)
      process.stderr.write(`${failure.text}\n`)
      process.exitCode = failure.exitCode
    }
  } finally {
    await open.memory
      ?.then((memory) => memory.close())
      .catch(() => {
        // Opening failed and was reported already; there is nothing to close.
      })
  }
}

function createContext(distribution: string, open: { memory: Promise<Memory> | null }): CliContext {
  const around = surroundings()
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  const home = (options: GlobalOptions) => homeDirectory(options.home, around)
  return {
    surroundings: around,
    get cwd() {
      return currentFolder()
    },
    version: VERSION,
    distribution,
    signal: stop.signal,
    home,
    memory(options) {
      open.memory ??= createMemory({ home: home(options), cwd: currentFolder() })
      return open.memory
    },
    print(options, json, text) {
      process.stdout.write(options.json ? `${JSON.stringify(json, null, 2)}\n` : `${text()}\n`)
    },
    remark(line) {
      process.stderr.write(`${line}\n`)
    },
    readInput,
    confirm,
    isTerminal,
    exit(code) {
      process.exitCode = code
    },
  }
}

/** Asked only by commands that need it: help and settings work in a folder that was deleted, too. */
function currentFolder(): string {
  try {
    return process.cwd()
  } catch (error) {
    throw new MemoryError('INPUT_INVALID', 'The current folder does not exist any more', {
      hint: 'Go to a folder that exists, then try again.',
      data: { field: 'cwd' },
      cause: error,
    })
  }
}

async function readInput(): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of process.stdin) parts.push(Buffer.from(part))
  return Buffer.concat(parts).toString('utf8')
}

function isTerminal(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true
}

async function confirm(question: string): Promise<boolean> {
  if (!isTerminal()) return true
  const reader = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const reply = await reader.question(`${question} [y/N] `)
    return /^(y|yes|是|好)$/i.test(reply.trim())
  } finally {
    reader.close()
  }
}
