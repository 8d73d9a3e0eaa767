import { type Command, Option } from 'commander'
import type { NoteNarrowing, RecallTarget } from '../../domain/index.ts'
import { MemoryError } from '../../errors.ts'
import type { CliContext, GlobalOptions } from '../context.ts'
import { recallLines } from '../render/recall.ts'
import { narrowingOf, wholeNumber, withJson, withNarrowing } from './options.ts'

interface Options extends GlobalOptions, NoteNarrowing {
  readonly limit?: number
  readonly in?: RecallTarget
  readonly contradicts?: boolean
  readonly explain?: boolean
  readonly rerank?: boolean
}

export function addRecall(program: Command, cli: CliContext): void {
  const command = withJson(program.command('recall'))
    .summary('find notes and messages by words, or by whom they name')
    .description(
      'Find notes and messages by words, in any language. "A quoted phrase" and a trailing * are honoured; a missing word lowers the rank and does not empty the result. Without words, --about tells all that is known of somebody or something, newest first.',
    )
    .argument('[query...]', 'a question or a few words')
    .option('--limit <n>', 'at most this many results (1-50)', wholeNumber(1, 50), 10)
    .addOption(
      new Option('--in <where>', 'notes, sessions or all').choices(['notes', 'sessions', 'all']).default('all'),
    )
  withNarrowing(command)
    .option('--contradicts', 'pairs of notes that cannot both hold; beside --about, only those that name it')
    .option('--explain', 'show what each score is made of: words found and missing, and every factor')
    .option('--rerank', 'let a model, where one is set up, put the best results into order')
    .addHelpText(
      'after',
      '\nExamples:\n  keepsake recall "why not npm"\n  keepsake recall --in sessions 上次讨论的部署 --json\n  keepsake recall --about 小王 --together Ana\n  keepsake recall --contradicts',
    )
    .action(async (words: string[], _options: Options, self: Command) => {
      const options = self.optsWithGlobals<Options>()
      const { limit, explain, rerank, contradicts } = options
      if (words.length === 0 && options.about === undefined && !contradicts)
        throw new MemoryError('INPUT_INVALID', 'Say what to look for', {
          hint: 'keepsake recall "a question", or --about NAME, or --contradicts.',
          data: { field: 'query' },
        })
      const memory = await cli.memory(options)
      const query = words.length === 0 ? undefined : words.join(' ')
      const asked = { query, limit, contradicts, in: options.in, explain, rerank, ...narrowingOf(options) }
      const result = await memory.recall({ ...asked, signal: cli.signal })
      cli.print(options, result, () => recallLines(result))
    })
}
