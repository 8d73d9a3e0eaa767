import type { Command } from 'commander'
import { MemoryError } from '../../errors.ts'
import type { CliContext, GlobalOptions } from '../context.ts'
import { changeLine, diffLines, historyLines, undoLines } from '../render/history.ts'
import { wholeNumber, withJson } from './options.ts'

interface Options extends GlobalOptions {
  readonly limit?: number
  readonly cursor?: string
  readonly yes?: boolean
  readonly dryRun?: boolean
}

export function addHistory(program: Command, cli: CliContext): void {
  withJson(program.command('history'))
    .summary('what changed, newest first')
    .description(
      'List the changes of the notes of this project and of the global layer, or of one note: who, when, which files.',
    )
    .argument('[note]', 'id, unique id prefix of 6 or more, file name or name; also of a note that is gone')
    .option('--limit <n>', 'at most this many (1-500)', wholeNumber(1, 500), 20)
    .option('--cursor <cursor>', 'continue where the last page ended')
    .action(async (note: string | undefined, _options: Options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      const memory = await cli.memory(options)
      const result = await memory.history.log({ note, limit: options.limit, cursor: options.cursor })
      cli.print(options, result, () => historyLines(result))
    })
}

export function addDiff(program: Command, cli: CliContext): void {
  withJson(program.command('diff'))
    .summary('what one change did')
    .description('Show what a change did, or what last happened to a note. Secrets are masked.')
    .argument('<change-or-note>', 'id of a change (6 or more digits of it), or a note')
    .action(async (reference: string, _options: Options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      const memory = await cli.memory(options)
      const result = await memory.history.diff(reference)
      cli.print(options, result, () => diffLines(result))
    })
}

export function addUndo(program: Command, cli: CliContext): void {
  withJson(program.command('undo'))
    .summary('take one change back')
    .description(
      'Take one change back: files as they were, byte for byte. Without an id: the last change made by Keepsake here. Later words are never lost: where both cannot stand, nothing is done. An undo can be taken back too, by its id.',
    )
    .argument('[change]', 'id of the change (6 or more digits of it)')
    .option('--yes', 'do not ask at a terminal')
    .option('--dry-run', 'say what would be taken back, change nothing')
    .action(async (change: string | undefined, _options: Options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      const memory = await cli.memory(options)
      let id = change
      if (!options.yes && !options.dryRun && !options.json) {
        const planned = await memory.history.undo(change, { dryRun: true })
        // What was shown is what is taken back, whatever is written meanwhile.
        id = planned.change.id
        if (planned.outcome === 'undone' && !(await cli.confirm(`Take back ${changeLine(planned.change)}?`)))
          throw new MemoryError('CANCELLED', 'Nothing was taken back')
      }
      const result = await memory.history.undo(id, { dryRun: options.dryRun, signal: cli.signal })
      cli.print(options, result, () => undoLines(result, options.dryRun))
      cli.exit(result.outcome === 'rejected' ? 4 : 0)
    })
}
