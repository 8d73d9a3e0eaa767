/** A yes, a no, other words: the part of `review` that decides. */
import { type Command, Option } from 'commander'
import {
  type ProposalOperation,
  proposalOperations,
  type ReviewChoice,
  type ReviewFilter,
  type WritableLayer,
} from '../../domain/index.ts'
import { MemoryError } from '../../errors.ts'
import type { CliContext, GlobalOptions } from '../context.ts'
import { reviewExitCode } from '../exit-codes.ts'
import { newText } from '../new-text.ts'
import { assertPerson, confirmAll, confirmThreat } from '../person.ts'
import { outcomeLines } from '../render/review.ts'
import { layerOption, withJson } from './options.ts'

export interface Filter extends GlobalOptions {
  readonly layer?: WritableLayer
  readonly author?: string
  readonly operation?: ProposalOperation
}

interface DecideOptions extends Filter {
  readonly all?: boolean
  readonly yes?: boolean
  readonly dryRun?: boolean
  readonly confirmThreat?: boolean
}

interface EditOptions extends GlobalOptions {
  readonly text?: string
  readonly file?: string
  readonly approve?: boolean
  readonly confirmThreat?: boolean
}

export function withFilter(command: Command): Command {
  return withJson(command)
    .addOption(layerOption())
    .option('--author <name>', 'only what this agent (or person, file) asked for')
    .addOption(new Option('--operation <operation>', proposalOperations.join(', ')).choices([...proposalOperations]))
}

export function filterOf({ layer, author, operation }: Filter): ReviewFilter {
  return { layer, author, operation }
}

export function addDecision(review: Command, cli: CliContext, action: 'approve' | 'reject'): void {
  const command = withFilter(review.command(action))
    .summary(action === 'approve' ? 'say yes' : 'say no')
    .description(
      action === 'approve'
        ? 'Carry proposals out. A note that changed meanwhile gets the change where it still applies; else the proposal waits on and both versions are shown. Exit code 3: not found; 4: something was not done.'
        : 'Drop proposals; nothing is changed, and the same words do not come back by themselves.',
    )
    .argument('[ids...]', 'ids, or 6 or more characters of the start or the end of each')
    .option('--all', 'every one that matches --layer, --author, --operation')
    .option('--yes', 'do not ask at a terminal')
    .option('--dry-run', 'say what would become of each, change nothing')
  if (action === 'approve')
    command.option('--confirm-threat', 'keep one text that reads like an attack, fenced and marked; asks at a terminal')
  command.action(async (ids: string[], _options: DecideOptions, self: Command) => {
    const options = self.optsWithGlobals<DecideOptions>()
    const choice = choiceOf(ids, options)
    const memory = await cli.memory(options)
    assertPerson(cli)
    if (options.confirmThreat) await confirmThreat(cli, memory, ids)
    if ('all' in choice && !options.yes && !options.dryRun && !options.json)
      await confirmAll(cli, memory, action, choice)
    const { dryRun } = options
    const input = { ...choice, dryRun, signal: cli.signal }
    const result = await memory.review(
      action === 'approve' ? { action, ...input, confirmThreat: options.confirmThreat } : { action, ...input },
    )
    cli.print(options, result, () => outcomeLines(result))
    cli.exit(reviewExitCode(result))
  })
}

export function addEdit(review: Command, cli: CliContext): void {
  withJson(review.command('edit'))
    .summary('other words for one of them')
    .description(
      'Replace the proposed text of one proposal, in $EDITOR or by --text or --file; it waits on, or --approve.',
    )
    .argument('<id>', 'its id, or 6 or more characters of the start or the end of it')
    .option('--text <text>', 'the new text of the note, without front matter; - reads standard input')
    .option('--file <file>', 'a file that holds the new text')
    .option('--approve', 'say yes to it in the same step')
    .option('--confirm-threat', 'keep a text that reads like an attack, fenced and marked; asks at a terminal')
    .action(async (id: string, _options: EditOptions, command: Command) => {
      const options = command.optsWithGlobals<EditOptions>()
      const memory = await cli.memory(options)
      assertPerson(cli)
      if (options.confirmThreat) await confirmThreat(cli, memory, [id])
      const text = await newText(cli, options, async () => (await memory.review({ action: 'show', id })).proposal?.text)
      const { approve, confirmThreat: isConfirmed } = options
      const result = await memory.review({
        action: 'edit',
        id,
        text,
        approve,
        confirmThreat: isConfirmed,
        signal: cli.signal,
      })
      cli.print(options, result, () => outcomeLines(result))
      cli.exit(reviewExitCode(result))
    })
}

function choiceOf(ids: readonly string[], options: DecideOptions): ReviewChoice {
  const isAll = options.all === true
  if (isAll !== ids.length > 0) return isAll ? { all: true, ...filterOf(options) } : { ids }
  throw new MemoryError('INPUT_INVALID', isAll ? 'Name proposals or say --all, not both' : 'Say which proposals', {
    hint: 'keepsake review lists them; --all takes every one that matches.',
    data: { field: 'ids' },
  })
}
