import { resolve } from 'node:path'
import type { Command } from 'commander'
import { type RestoreResult, restoreHome } from '../../index.ts'
import type { CliContext, GlobalOptions } from '../context.ts'
import { tellProgress } from '../progress.ts'
import { leftOutLines } from '../render/backup.ts'
import { printable } from '../render/notes.ts'
import { withJson } from './options.ts'

interface Options extends GlobalOptions {
  readonly replace?: boolean
}

export function addRestore(program: Command, cli: CliContext): void {
  withJson(program.command('restore'))
    .summary('make a home from a backup')
    .description(
      'Make a home from a file that `backup` wrote. Every file is checked before anything is touched. A home that holds something is refused; with --replace it is moved aside, never deleted.',
    )
    .argument('<file>', 'the backup')
    .option('--replace', 'move a home that is there aside')
    .action(async (file: string, _options: Options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      const result = await restoreHome({
        file: resolve(cli.cwd, file),
        home: cli.home(options),
        replace: options.replace,
        surroundings: cli.surroundings,
        signal: cli.signal,
        onProgress: tellProgress(cli, 'unpacked'),
      })
      cli.print(options, result, () => restoreLines(result))
    })
}

function restoreLines({ home, notes, files, created, movedAside, movedIn, leftOut }: RestoreResult): string {
  return printable(
    [
      `Restored: ${notes} notes, ${files} files, as of ${created}`,
      `  ${home}`,
      ...(movedAside === null ? [] : [`  the home that was there is now ${movedAside}`]),
      ...movedIn.map(
        ({ path, from }) =>
          `  ${path}: the notes lay in ${from}; they are in the home now, and nothing there was touched`,
      ),
      ...leftOutLines('The backup did not hold', leftOut),
    ].join('\n'),
  )
}
