import type { Command } from 'commander'
import { evalForeign } from '../../measure/index.ts'
import type { CliContext, GlobalOptions } from '../context.ts'
import { tellProjects } from '../progress.ts'
import { foreignLines } from '../render/foreign.ts'
import { wholeNumber, withJson } from './options.ts'

interface Options extends GlobalOptions {
  readonly others?: string
  /** True when given without a number: all conversations. */
  readonly pooled?: number | true
  readonly without: readonly string[]
}

export function addEvalForeign(group: Command, cli: CliContext): void {
  withJson(group.command('foreign'))
    .summary('whether questions about something else are left alone')
    .description(
      'Make each turn of a data set a note, one project for each conversation, and look at the block that a message gets: empty for questions about other conversations, and holding the answer for those about this one. Files as for eval retrieval.',
    )
    .argument('<turns>', 'file of conversations')
    .argument('<questions>', 'file of questions with gold turns')
    .option('--others <questions>', 'foreign questions from this file; default: those about the next project')
    .option('--pooled [n]', 'so many conversations in one project; all without a number', wholeNumber(1, 1_000_000))
    .option('--without <category...>', 'leave questions of these categories out', [])
    .addHelpText('after', '\nExample:\n  keepsake eval foreign turns.jsonl.gz questions.jsonl.gz --json')
    .action(async (turnsFile: string, questionsFile: string, _options: Options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      const { pooled, without, others } = options
      const report = await evalForeign({
        turnsFile,
        questionsFile,
        othersFile: others ?? null,
        pooled: pooled === undefined ? null : pooled === true ? 0 : pooled,
        without,
        temporaryDirectory: cli.surroundings.temporaryDirectory,
        signal: cli.signal,
        onProgress: tellProjects(cli),
      })
      cli.print(options, report, () => foreignLines(report))
    })
}
