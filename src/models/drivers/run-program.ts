/** One run of a program: text in, text out; it and its children end when they are told to, or say too much. */
import { spawn } from 'node:child_process'
import { MemoryError, systemCode } from '../../errors.ts'

/** Bytes of what is printed: far beyond any answer. */
const MAX_OUTPUT = 8_000_000
const SHOWN = 300

export interface ProgramRun {
  readonly cwd: string
  readonly input: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal?: AbortSignal | undefined
}

/** What it prints. Throws MODEL_UNAVAILABLE when it is not there, ends otherwise than well, or prints without end. */
export function runProgram(program: string, given: readonly string[], run: ProgramRun): Promise<string> {
  const { cwd, input, env, signal } = run
  const unavailable = (message: string, hint: string, cause?: unknown) =>
    new MemoryError('MODEL_UNAVAILABLE', message, { hint, data: { model: program }, cause })
  return new Promise((resolve, reject) => {
    // In a group of its own, so that what it starts ends with it.
    const child = spawn(program, given, { cwd, env: { ...env }, stdio: ['pipe', 'pipe', 'pipe'], detached: true })
    const output: Buffer[] = []
    const complaints: Buffer[] = []
    let bytes = 0
    const end = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      } catch {
        // It has ended meanwhile.
      }
    }
    const stop = () => {
      end()
      reject(signal?.reason instanceof Error ? signal.reason : new Error('stopped'))
    }
    const keep = (into: Buffer[]) => (part: Buffer) => {
      bytes += part.length
      if (bytes <= MAX_OUTPUT) return void into.push(part)
      end()
      reject(unavailable(`${program} printed more than ${MAX_OUTPUT} bytes`, 'Nothing of it was used.'))
    }
    child.stdout.on('data', keep(output))
    child.stderr.on('data', keep(complaints))
    // A program that does not read its input to the end: its exit says why.
    child.stdin.on('error', () => undefined)
    child.once('error', (error) => {
      const isMissing = systemCode(error) === 'ENOENT'
      const message = isMissing
        ? `The program ${program} is not installed here`
        : `${program} does not start: ${error.message}`
      reject(unavailable(message, 'Install it and sign in, or name another model (docs/models.md).', error))
    })
    child.once('close', (code, killer) => {
      signal?.removeEventListener('abort', stop)
      const text = Buffer.concat(output).toString('utf8')
      if (code === 0) return resolve(text)
      const said = `${Buffer.concat(complaints).toString('utf8').trim() || text.trim()}`.slice(-SHOWN)
      reject(
        unavailable(
          `${program} ended with ${code ?? killer}: ${said}`,
          `Does it answer? ${program} signs in when started by hand.`,
        ),
      )
    })
    if (signal?.aborted) return stop()
    signal?.addEventListener('abort', stop, { once: true })
    child.stdin.end(input)
  })
}
