/** A text that a person gives: as an option, from a file or standard input, or written in their editor. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { MemoryError, systemCode } from '../errors.ts'
import type { CliContext } from './context.ts'

export interface TextOptions {
  readonly text?: string
  readonly file?: string
}

/** `before` is what the editor begins with. Throws INPUT_INVALID where there is nothing to read it from. */
export async function newText(
  cli: CliContext,
  { text, file }: TextOptions,
  before: () => Promise<string | null | undefined>,
): Promise<string> {
  if (text !== undefined && file !== undefined) throw noText('Give --text or --file, not both')
  if (text === '-') return cli.readInput()
  if (text !== undefined) return text
  if (file !== undefined) return readText(resolve(cli.cwd, file))
  const { VISUAL, EDITOR } = cli.surroundings.environment
  const editor = VISUAL || EDITOR
  if (!editor || !cli.isTerminal()) throw noText('Give the new text with --text or --file, or set EDITOR')
  return edited(cli, editor, (await before()) ?? '')
}

async function edited(cli: CliContext, editor: string, before: string): Promise<string> {
  // Only the user can read it, and it goes whatever the editor does.
  const folder = mkdtempSync(join(cli.surroundings.temporaryDirectory, 'keepsake-edit-'))
  try {
    const file = join(folder, 'note.md')
    writeFileSync(file, `${before}\n`, { mode: 0o600 })
    // An editor may come with parameters (`code --wait`), as git reads it too; the file is not part of the text.
    const child = spawn(`${editor} "$KEEPSAKE_FILE"`, {
      shell: true,
      stdio: 'inherit',
      env: { ...cli.surroundings.environment, KEEPSAKE_FILE: file },
    })
    const code = await new Promise<number | null>((done, failed) => child.on('error', failed).on('close', done))
    if (code !== 0)
      throw new MemoryError('CANCELLED', `The editor ended with ${code ?? 'a signal'}; nothing was changed`)
    return readFileSync(file, 'utf8')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw noText(`${file} cannot be read (${systemCode(error) ?? 'unknown fault'})`)
  }
}

function noText(message: string): MemoryError {
  return new MemoryError('INPUT_INVALID', message, { hint: 'Nothing was changed.', data: { field: 'text' } })
}
