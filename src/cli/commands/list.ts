import type { Command } from 'commander'
import type { NoteNarrowing } from '../../domain/index.ts'
import type { CliContext, GlobalOptions } from '../context.ts'
import { noteLine } from '../render/notes.ts'
import { narrowingOf, wholeNumber, withJson, withNarrowing } from './options.ts'

interface Options extends GlobalOptions, NoteNarrowing {
  readonly limit?: number
  readonly cursor?: string
}

export function addList(program: Command, cli: CliContext): void {
  const command = withJson(program.command('list'))
    .summary('list notes, newest first')
    .description(
      'List the notes of this project, of its team and the global ones, newest first. A star marks what stands in the profile.',
    )
    .option('--limit <n>', 'at most this many (1-500)', wholeNumber(1, 500), 50)
    .option('--cursor <cursor>', 'continue where the last page ended')
  withNarrowing(command)
    .addHelpText('after', '\nExamples:\n  keepsake list --type feedback --since 7d\n  keepsake list --about Ana')
    .action(async (_options: Options, self: Command) => {
      const options = self.optsWithGlobals<Options>()
      const memory = await cli.memory(options)
      const { limit, cursor } = options
      const page = await memory.list({ limit, cursor, ...narrowingOf(options) })
      cli.print(options, page, () => {
        const more =
          page.nextCursor === null ? [] : [`${page.total} notes in all; continue with --cursor ${page.nextCursor}`]
        return [...page.notes.map(noteLine), ...(page.total === 0 ? [nothing(options)] : more)].join('\n')
      })
    })
}

/** A list that was narrowed says nothing of the store. */
function nothing({ status, ...narrowing }: NoteNarrowing): string {
  const isNarrowed = Object.values(narrowingOf(narrowing)).some((value) => value !== undefined)
  return isNarrowed || (status !== undefined && status !== 'active') ? 'No note is like that.' : 'No notes yet.'
}
