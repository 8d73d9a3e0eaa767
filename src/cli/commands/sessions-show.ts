import type { Command } from 'commander'
import type { SessionShowInput } from '../../domain/index.ts'
import type { CliContext, GlobalOptions } from '../context.ts'
import { sessionViewLines } from '../render/sessions.ts'
import { wholeNumber, withJson } from './options.ts'

type Options = GlobalOptions & Omit<SessionShowInput, 'id'>

export function addSessionsShow(sessions: Command, cli: CliContext): void {
  withJson(sessions.command('show'))
    .description(
      'Read one conversation, word for word (secrets masked): page by page, or with --at a window around one message.',
    )
    .argument('<id>', 'session id, or a reference as search prints it (<session id>#<number>)')
    .option('--at <message>', 'show the messages around this one: its number, reference or id')
    .option('--before <n>', 'messages before it (0-250)', wholeNumber(0, 250), 10)
    .option('--after <n>', 'messages after it (0-250)', wholeNumber(0, 250), 10)
    .option('--tools', 'show what tools answered, too')
    .option('--limit <n>', 'messages on one page (1-500)', wholeNumber(1, 500), 100)
    .option('--cursor <cursor>', 'go on where a page or window ended, in either direction')
    .addHelpText('after', '\nExample:\n  keepsake sessions show claude-code:0b6f… --at 12 --after 3')
    .action(async (id: string, _options: Options, command: Command) => {
      const { home, json, ...wanted } = command.optsWithGlobals<Options>()
      const memory = await cli.memory({ home, json })
      const view = await memory.sessions.show({ id, ...wanted })
      cli.print({ home, json }, view, () => sessionViewLines(view))
    })
}
