import type { Command } from 'commander'
import type { CliContext, GlobalOptions } from '../context.ts'
import { proposalLines, reviewLines } from '../render/review.ts'
import { wholeNumber, withJson } from './options.ts'
import { addDecision, addEdit, type Filter, filterOf, withFilter } from './review-decide.ts'
import { addNoteSignal } from './review-note.ts'

interface ListOptions extends Filter {
  readonly limit: number
  readonly cursor?: string
}

export function addReview(program: Command, cli: CliContext): void {
  const review = program
    .command('review')
    .summary('say yes or no to what waits, and to what is kept')
    .description(
      'Changes that wait for your yes, from every layer of the home: list them, look at one, approve, reject or edit. And your word on a note that is kept: it helped, it misled. For a person: an agent cannot do it.',
    )
  addList(review, cli)
  addShow(review, cli)
  addDecision(review, cli, 'approve')
  addDecision(review, cli, 'reject')
  addEdit(review, cli)
  addNoteSignal(review, cli, 'helped')
  addNoteSignal(review, cli, 'misled')
}

function addList(review: Command, cli: CliContext): void {
  withFilter(review.command('list', { isDefault: true }))
    .summary('what waits, one line each')
    .description('List what waits, by layer and kind, newest first. The six characters in front name it.')
    .option('--limit <n>', 'at most this many (1-500)', wholeNumber(1, 500), 200)
    .option('--cursor <cursor>', 'continue where the last page ended')
    .action(async (_options: ListOptions, command: Command) => {
      const options = command.optsWithGlobals<ListOptions>()
      const { limit, cursor } = options
      const result = await (await cli.memory(options)).review({ action: 'list', ...filterOf(options), limit, cursor })
      cli.print(options, result, () => reviewLines(result))
    })
}

function addShow(review: Command, cli: CliContext): void {
  withJson(review.command('show'))
    .summary('one of them: the difference and its evidence')
    .description('Show what one proposal would change, why, and the words it rests on. Secrets are masked.')
    .argument('<id>', 'its id, or 6 or more characters of the start or the end of it')
    .action(async (id: string, _options: GlobalOptions, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const result = await (await cli.memory(options)).review({ action: 'show', id })
      cli.print(options, result, () => (result.proposal ? proposalLines(result.proposal) : ''))
    })
}
