import type { Command } from 'commander'
import { MemoryError } from '../../errors.ts'
import { oneLine } from '../../util/index.ts'
import type { CliContext, GlobalOptions } from '../context.ts'
import { writerOf } from '../person.ts'
import { forgetLines, printable } from '../render/notes.ts'
import { withJson } from './options.ts'

interface Options extends GlobalOptions {
  readonly yes?: boolean
  readonly dryRun?: boolean
}

export function addForget(program: Command, cli: CliContext): void {
  withJson(program.command('forget'))
    .summary('forget one note')
    .description(
      'Take one note off disk, index and prompt. It does not come back by itself. Exact or unique references only; never more than one note.',
    )
    .argument('<note>', 'id, unique id prefix of 6 or more, file name or name')
    .option('--yes', 'do not ask at a terminal')
    .option('--dry-run', 'say what would be forgotten, change nothing')
    .action(async (note: string, _options: Options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      const memory = await cli.memory(options)
      if (!options.yes && !options.dryRun && !options.json) {
        const found = await memory.read(note)
        if (found && !(await cli.confirm(printable(`Forget "${oneLine(found.summary.name)}"?`)))) {
          throw new MemoryError('CANCELLED', 'Nothing was forgotten')
        }
      }
      const result = await memory.forget(note, { agent: writerOf(cli).agent, dryRun: options.dryRun })
      cli.print(options, result, () => forgetLines(result, options.dryRun))
      cli.exit(result.outcome === 'rejected' ? 4 : 0)
    })
}
