import { Argument, type Command } from 'commander'
import { type LayerMode, layerModes } from '../../domain/index.ts'
import type { CliContext, GlobalOptions } from '../context.ts'
import { sessionLine, sessionModeLine, sessionSearchLines, sessionViewLines } from '../render/sessions.ts'
import { wholeNumber, withJson } from './options.ts'

interface Options extends GlobalOptions {
  readonly limit?: number
  readonly cursor?: string
}

export function addSessions(program: Command, cli: CliContext): void {
  const sessions = program
    .command('sessions')
    .summary('past conversations')
    .description('Find, list and show captured conversations of this project.')

  withJson(sessions.command('search'))
    .description('Find conversations by words.')
    .argument('<query...>')
    .option('--limit <n>', 'at most this many (1-50)', wholeNumber(1, 50), 10)
    .action(async (words: string[], _options: Options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      const memory = await cli.memory(options)
      const result = await memory.sessions.search({ query: words.join(' '), limit: options.limit, signal: cli.signal })
      cli.print(options, result, () => sessionSearchLines(result))
    })

  withJson(sessions.command('mode'))
    .description(
      'What may become of one conversation: off (nothing is kept, and what it gave before is forgotten), read-only (no notes), review (every note waits for your yes), auto.',
    )
    .argument('<id>', 'as keepsake sessions lists it')
    .addArgument(new Argument('<mode>', 'auto, review, read-only or off').choices([...layerModes]))
    .action(async (id: string, mode: LayerMode, _options: Options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      const result = await (await cli.memory(options)).sessions.setMode({ id, mode })
      cli.print(options, result, () => sessionModeLine(result))
    })

  withJson(sessions.command('list', { isDefault: true }))
    .description('List conversations, newest first.')
    .option('--limit <n>', 'at most this many (1-500)', wholeNumber(1, 500), 20)
    .option('--cursor <cursor>', 'continue where the last page ended')
    .action(async (_options: Options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      const memory = await cli.memory(options)
      const page = await memory.sessions.list({ limit: options.limit, cursor: options.cursor })
      const more = page.nextCursor === null ? [] : [`${page.total} in all; continue with --cursor ${page.nextCursor}`]
      cli.print(options, page, () =>
        [
          ...page.sessions.map(sessionLine),
          ...(page.total === 0 ? ['No conversations of this project yet.'] : more),
        ].join('\n'),
      )
    })

  withJson(sessions.command('show'))
    .description('Show one conversation, word for word (secrets masked).')
    .argument('<id>', 'session id')
    .option('--limit <n>', 'messages on one page (1-500)', wholeNumber(1, 500), 100)
    .option('--cursor <cursor>', 'continue where the last page ended')
    .action(async (id: string, _options: Options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      const memory = await cli.memory(options)
      const view = await memory.sessions.show({ id, limit: options.limit, cursor: options.cursor })
      cli.print(options, view, () => sessionViewLines(view))
    })
}
