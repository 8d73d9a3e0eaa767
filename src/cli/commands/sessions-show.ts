import type { Command } from 'commander'
import type { SessionShowInput } from '../../domain/index.ts'
import type { CliContext, GlobalOptions } from '../context.ts'
import { exitCodes } from '../exit-codes.ts'
import { sessionNoteLines, sessionResumeLines, sessionSummaryLines, sessionViewLines } from '../render/sessions.ts'
import { wholeNumber, withJson } from './options.ts'

type Options = GlobalOptions & Omit<SessionShowInput, 'id'> & { readonly summary?: string }

export function addSessionsShow(sessions: Command, cli: CliContext): void {
  withJson(sessions.command('show'))
    .description(
      'Read one conversation, word for word (secrets masked): page by page, or with --at a window around one message.',
    )
    .argument('<id>', 'session id, or a reference as search prints it (<session id>#<number>)')
    .option('--at <message>', 'show the messages around this one: its number, reference or id')
    .option('--before <n>', 'messages before it (0-250)', wholeNumber(0, 250), 10)
    .option('--after <n>', 'messages after it (0-250)', wholeNumber(0, 250), 10)
    .option('--note', 'show its note instead: task, state, next step, files, errors')
    .option('--tools', 'show what tools answered, too')
    .option('--limit <n>', 'messages on one page (1-500)', wholeNumber(1, 500), 100)
    .option('--cursor <cursor>', 'go on where a page or window ended, in either direction')
    .option('--summary <question>', 'let a model, where one is set up, sum it up for this question')
    .addHelpText('after', '\nExample:\n  keepsake sessions show claude-code:0b6f… --at 12 --after 3')
    .action(async (id: string, _options: Options, command: Command) => {
      const { home, json, summary, ...wanted } = command.optsWithGlobals<Options>()
      const memory = await cli.memory({ home, json })
      if (summary !== undefined) {
        const said = await memory.sessions.summarise({ id, question: summary, signal: cli.signal })
        return cli.print({ home, json }, said, () => sessionSummaryLines(said))
      }
      const view = await memory.sessions.show({ id, ...wanted })
      cli.print({ home, json }, view, () => (wanted.note ? sessionNoteLines(view) : sessionViewLines(view)))
    })
}

export function addSessionsResume(sessions: Command, cli: CliContext): void {
  withJson(sessions.command('resume'))
    .description(
      'Print the command that goes on with a conversation in its own agent, while its transcript is there, and where the work stands.',
    )
    .argument('<id>', 'as keepsake sessions lists it')
    .action(async (id: string, _options: GlobalOptions, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const result = await (await cli.memory(options)).sessions.resume({ id })
      cli.print(options, result, () => sessionResumeLines(result))
      if (result.outcome === 'gone') cli.exit(exitCodes.SESSION_NOT_FOUND)
    })
}
