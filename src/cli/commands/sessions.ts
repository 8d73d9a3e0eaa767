import type { Command } from 'commander'
import type { CliContext, GlobalOptions } from '../context.ts'
import { sessionLine, sessionSearchLines, sessionViewLines } from '../render/sessions.ts'
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
        [...page.sessions.map(sessionLine), ...(page.total === 0 ? ['No conversations captured yet.'] : more)].join(
          '\n',
        ),
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
