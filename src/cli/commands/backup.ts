import { resolve } from 'node:path'
import type { Command } from 'commander'
import { type BackupResult, backupHome } from '../../index.ts'
import type { CliContext, GlobalOptions } from '../context.ts'
import { tellProgress } from '../progress.ts'
import { leftOutLines } from '../render/backup.ts'
import { printable } from '../render/notes.ts'
import { withJson } from './options.ts'

export function addBackup(program: Command, cli: CliContext): void {
  withJson(program.command('backup'))
    .summary('copy the whole memory into one file')
    .description(
      'Copy everything that is kept into one file, while agents may go on writing: notes of every layer, history, conversations, what was forgotten, settings. `restore` makes a home of it, here or on another machine. Exit code 5 when something could not be read; then the file holds the rest, and what is missing is named.',
    )
    .argument('[target]', 'file that does not exist yet, or a folder (default: the current folder)')
    .action(async (target: string | undefined, _options: GlobalOptions, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const result = await backupHome({
        home: cli.home(options),
        target: resolve(cli.cwd, target ?? '.'),
        surroundings: cli.surroundings,
        signal: cli.signal,
        onProgress: tellProgress(cli, 'copied'),
      })
      cli.print(options, result, () => backupLines(result))
      cli.exit(result.leftOut.length > 0 ? 5 : 0)
    })
}

function backupLines({ file, bytes, files, notes, leftOut, movedIn }: BackupResult): string {
  return printable(
    [
      `Backed up: ${notes} notes, ${files} files`,
      `  ${file}  (${Math.ceil(bytes / 1_024)} KB; it holds everything, keep it as you keep the memory itself)`,
      ...movedIn.map(({ from }) => `  with the notes in ${from}`),
      ...leftOutLines('Not in it', leftOut),
    ].join('\n'),
  )
}
