import { type Command, Option } from 'commander'
import type { NoteType, ReadableLayer, RecallTarget } from '../../domain/index.ts'
import type { CliContext, GlobalOptions } from '../context.ts'
import { recallLines } from '../render/recall.ts'
import { readLayerOption, typeOption, wholeNumber, withJson } from './options.ts'

interface Options extends GlobalOptions {
  readonly limit?: number
  readonly layer?: ReadableLayer
  readonly type?: NoteType
  readonly tag?: string
  readonly in?: RecallTarget
  readonly explain?: boolean
  readonly rerank?: boolean
}

export function addRecall(program: Command, cli: CliContext): void {
  withJson(program.command('recall'))
    .summary('find notes and messages by words')
    .description(
      'Find notes and messages by words, in any language. "A quoted phrase" and a trailing * are honoured; a missing word lowers the rank and does not empty the result.',
    )
    .argument('<query...>', 'a question or a few words')
    .option('--limit <n>', 'at most this many results (1-50)', wholeNumber(1, 50), 10)
    .addOption(readLayerOption())
    .addOption(typeOption())
    .option('--tag <tag>', 'only notes with this tag')
    .addOption(
      new Option('--in <where>', 'notes, sessions or all').choices(['notes', 'sessions', 'all']).default('all'),
    )
    .option('--explain', 'show what each score is made of: words found and missing, and every factor')
    .option('--rerank', 'let a model, where one is set up, put the best results into order')
    .addHelpText(
      'after',
      '\nExamples:\n  keepsake recall "why not npm"\n  keepsake recall --in sessions 上次讨论的部署 --json',
    )
    .action(async (words: string[], _options: Options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      const memory = await cli.memory(options)
      const { limit, layer, type, tag, explain, rerank } = options
      const result = await memory.recall({
        query: words.join(' '),
        limit,
        layer,
        type,
        tag,
        in: options.in,
        explain,
        rerank,
        signal: cli.signal,
      })
      cli.print(options, result, () => recallLines(result))
    })
}
