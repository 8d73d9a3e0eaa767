import { type Command, Option } from 'commander'
import { type JobChangeResult, type JobChoice, type JobState, jobStates } from '../../domain/index.ts'
import { MemoryError } from '../../errors.ts'
import type { CliContext, GlobalOptions } from '../context.ts'
import { assertPerson } from '../person.ts'
import { jobChangeLines, jobListLines, jobRunLines } from '../render/queue.ts'
import { wholeNumber, withJson } from './options.ts'

interface ListOptions extends GlobalOptions {
  readonly state?: JobState
  readonly limit: number
  readonly cursor?: string
}

interface ChooseOptions extends GlobalOptions {
  readonly all?: boolean
}

export function addQueue(program: Command, cli: CliContext): void {
  const queue = program
    .command('queue')
    .summary('work that waits for a model')
    .description(
      'Conversations that wait to be read by a model, and those of which nobody could read its answer: list them, do them now, try one again, give it up.',
    )
  addList(queue, cli)
  withJson(queue.command('run'))
    .summary('do what waits, now')
    .description(
      'Do now what waits, whenever it is due; what takes longer than a minute waits on. Exit code 5: something could not be done.',
    )
    .action(async (_options: GlobalOptions, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const result = await (await cli.memory(options)).jobs.run({ signal: cli.signal })
      cli.print(options, result, () => jobRunLines(result))
      cli.exit(result.problems.length > 0 ? 5 : 0)
    })
  addChange(queue, cli, 'retry')
  addChange(queue, cli, 'drop')
}

function addList(queue: Command, cli: CliContext): void {
  withJson(queue.command('list', { isDefault: true }))
    .summary('what waits, one line each')
    .description('List what waits, in the order in which it is due. The six characters in front name it.')
    .addOption(new Option('--state <state>', jobStates.join(', ')).choices([...jobStates]))
    .option('--limit <n>', 'at most this many (1-500)', wholeNumber(1, 500), 50)
    .option('--cursor <cursor>', 'continue where the last page ended')
    .action(async (_options: ListOptions, command: Command) => {
      const options = command.optsWithGlobals<ListOptions>()
      const { state, limit, cursor } = options
      const result = await (await cli.memory(options)).jobs.list({ state, limit, cursor })
      cli.print(options, result, () => jobListLines(result))
    })
}

function addChange(queue: Command, cli: CliContext, action: 'retry' | 'drop'): void {
  withJson(queue.command(action))
    .summary(action === 'retry' ? 'try one again' : 'give one up')
    .description(
      action === 'retry'
        ? 'Make it due now, as if for the first time: the worker, refresh or queue run does it.'
        : 'Take it out of the queue: what it was about is read by no model. Notes and conversations stay.',
    )
    .argument('[id]', 'its id, or 6 or more characters of the start or the end of it')
    .option('--all', 'every one that is not running')
    .action(async (id: string | undefined, _options: ChooseOptions, command: Command) => {
      const options = command.optsWithGlobals<ChooseOptions>()
      if (action === 'drop') assertPerson(cli, { what: 'what is given up', field: 'queue' })
      const { jobs } = await cli.memory(options)
      const result: JobChangeResult = await jobs[action](choiceOf(id, options))
      cli.print(options, result, () => jobChangeLines(result, action))
    })
}

function choiceOf(id: string | undefined, { all }: ChooseOptions): JobChoice {
  if (id !== undefined && !all) return { id }
  if (id === undefined && all) return { all: true }
  throw new MemoryError('INPUT_INVALID', 'Name one of them, or say --all', {
    hint: "See 'keepsake queue'.",
    data: { field: 'id' },
  })
}
