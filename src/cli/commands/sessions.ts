import { Argument, type Command } from 'commander'
import { type LayerMode, layerModes, type SessionListInput } from '../../domain/index.ts'
import type { CliContext, GlobalOptions } from '../context.ts'
import { sessionListLines, sessionModeLine, sessionSearchLines, sessionTagLine } from '../render/sessions.ts'
import { wholeNumber, withJson } from './options.ts'
import { addSessionsResume, addSessionsShow } from './sessions-show.ts'

export function addSessions(program: Command, cli: CliContext): void {
  const sessions = program
    .command('sessions')
    .summary('past conversations')
    .description('Find, list, read and tag captured conversations of this project.')
  addSearch(sessions, cli)
  addList(sessions, cli)
  addSessionsShow(sessions, cli)
  addSessionsResume(sessions, cli)
  addTag(sessions, cli)
  addMode(sessions, cli)
}

function addSearch(sessions: Command, cli: CliContext): void {
  interface Options extends GlobalOptions {
    readonly limit?: number
  }
  withJson(sessions.command('search'))
    .description(
      'Find conversations: first those whose tag, title, branch or summary is what you ask for, then those that hold its words, with the passages. A "quoted phrase" is looked for as a whole.',
    )
    .argument('<query...>')
    .option('--limit <n>', 'at most this many (1-50)', wholeNumber(1, 50), 10)
    .addHelpText(
      'after',
      '\nExamples:\n  keepsake sessions search why not npm\n  keepsake sessions search 上次讨论的部署',
    )
    .action(async (words: string[], _options: Options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      const memory = await cli.memory(options)
      const result = await memory.sessions.search({ query: words.join(' '), limit: options.limit, signal: cli.signal })
      cli.print(options, result, () => sessionSearchLines(result))
    })
}

function addList(sessions: Command, cli: CliContext): void {
  type Options = GlobalOptions & SessionListInput
  withJson(sessions.command('list', { isDefault: true }))
    .description('List conversations, newest first.')
    .option('--limit <n>', 'at most this many (1-500)', wholeNumber(1, 500), 20)
    .option('--cursor <cursor>', 'continue where the last page ended')
    .option('--agent <name>', 'only those with this agent')
    .option('--branch <name>', 'only those on this branch')
    .option('--tag <tag>', 'only those with this tag')
    .option('--since <time>', 'begun then or later: 2026-05-01, 7d, "last week", 上周')
    .option('--until <time>', 'begun then or before')
    .action(async (_options: Options, command: Command) => {
      const { home, json, ...wanted } = command.optsWithGlobals<Options>()
      const page = await (await cli.memory({ home, json })).sessions.list(wanted)
      cli.print({ home, json }, page, () => sessionListLines(page))
    })
}

function addTag(sessions: Command, cli: CliContext): void {
  interface Options extends GlobalOptions {
    readonly remove?: boolean
  }
  withJson(sessions.command('tag'))
    .description('Give a conversation tags of your own, to find it by; they stay until you take them away.')
    .argument('<id>', 'as keepsake sessions lists it')
    .argument('<tag...>', 'one or more; kept in lower case')
    .option('--remove', 'take these tags away')
    .action(async (id: string, tags: string[], _options: Options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      const result = await (await cli.memory(options)).sessions.tag({ id, tags, remove: options.remove })
      cli.print(options, result, () => sessionTagLine(result))
    })
}

function addMode(sessions: Command, cli: CliContext): void {
  withJson(sessions.command('mode'))
    .description(
      'What may become of one conversation: off (nothing is kept, and what it gave before is forgotten), read-only (no notes), review (every note waits for your yes), auto.',
    )
    .argument('<id>', 'as keepsake sessions lists it')
    .addArgument(new Argument('<mode>', 'auto, review, read-only or off').choices([...layerModes]))
    .action(async (id: string, mode: LayerMode, _options: GlobalOptions, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const result = await (await cli.memory(options)).sessions.setMode({ id, mode })
      cli.print(options, result, () => sessionModeLine(result))
    })
}
