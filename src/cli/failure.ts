/** A failed command as one line with a hint; only faults of our own show a stack. */
import { CommanderError } from 'commander'
import { MemoryError, messageOf } from '../errors.ts'
import { exitCodes } from './exit-codes.ts'
import { printable } from './render/notes.ts'

export interface CommandFailure {
  readonly exitCode: number
  readonly text: string
  readonly json: {
    readonly error: {
      readonly code: string
      readonly message: string
      readonly hint: string | null
      readonly data: unknown
    }
  }
}

export function failureOf(error: unknown): CommandFailure | null {
  if (error instanceof CommanderError) return usageFailure(error)
  if (MemoryError.isInstance(error)) {
    const hint = error.hint ?? null
    return {
      exitCode: exitCodes[error.code],
      text: printable(
        [`keepsake: ${error.message}`, ...(hint ? [`  ${hint}`] : []), ...candidateLines(error.data.candidates)].join(
          '\n',
        ),
      ),
      json: { error: { code: error.code, message: error.message, hint, data: error.data } },
    }
  }
  const message = messageOf(error)
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  return {
    exitCode: 1,
    text: `keepsake: ${message}\n  This is a fault of Keepsake; please report it with the lines below.\n${stack}`,
    json: { error: { code: 'INTERNAL', message, hint: null, data: {} } },
  }
}

/** Help and version end by themselves with code 0; every other complaint of the parser is a usage fault. */
function usageFailure(error: CommanderError): CommandFailure | null {
  if (error.exitCode === 0) return null
  // For `keepsake help NOSUCH` the parser's message is only its own word for printing help.
  const message =
    error.code === 'commander.help'
      ? 'There is no such command'
      : error.message.replace(/^error: /, '').replace(/\n/g, ' ')
  const hint = "See 'keepsake --help', or 'keepsake help COMMAND'."
  return {
    exitCode: 2,
    text: `keepsake: ${message}\n  ${hint}`,
    json: { error: { code: 'INPUT_INVALID', message, hint, data: {} } },
  }
}

function candidateLines(candidates: unknown): string[] {
  if (!Array.isArray(candidates)) return []
  return candidates.slice(0, 10).map((each) => {
    const { id, name } = each as { id?: unknown; name?: unknown } // Shown as text whatever it holds.
    return `  - ${String(id ?? each)}${name === undefined ? '' : `  ${String(name)}`}`
  })
}
