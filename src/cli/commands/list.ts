import { type Command, Option } from 'commander'
import type { ListInput, NoteType, ReadableLayer } from '../../domain/index.ts'
import type { CliContext, GlobalOptions } from '../context.ts'
import { noteLine } from '../render/notes.ts'
import { readLayerOption, typeOption, wholeNumber, withJson } from './options.ts'

interface Options extends GlobalOptions {
  readonly limit?: number
  readonly cursor?: string
  readonly layer?: ReadableLayer
  readonly type?: NoteType
  readonly tag?: string
  readonly status?: ListInput['status']
}

export function addList(program: Command, cli: CliContext): void {
  withJson(program.command('list'))
    .summary('list notes, newest first')
    .description(
      'List the notes of this project, of its team and the global ones, newest first. A star marks what stands in the profile.',
    )
    .option('--limit <n>', 'at most this many (1-500)', wholeNumber(1, 500), 50)
    .option('--cursor <cursor>', 'continue where the last page ended')
    .addOption(readLayerOption())
    .addOption(typeOption())
    .option('--tag <tag>', 'only notes with this tag')
    .addOption(
      new Option('--status <status>', 'active, archived, superseded or all')
        .choices(['active', 'archived', 'superseded', 'all'])
        .default('active'),
    )
    .action(async (_options: Options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      const memory = await cli.memory(options)
      const { limit, cursor, layer, type, tag, status } = options
      const page = await memory.list({ limit, cursor, layer, type, tag, status })
      cli.print(options, page, () => {
        const more =
          page.nextCursor === null ? [] : [`${page.total} notes in all; continue with --cursor ${page.nextCursor}`]
        return [...page.notes.map(noteLine), ...(page.total === 0 ? ['No notes yet.'] : more)].join('\n')
      })
    })
}
