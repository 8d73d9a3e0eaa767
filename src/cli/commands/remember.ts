import type { Command } from 'commander'
import type { NoteType, WritableLayer } from '../../domain/index.ts'
import { MemoryError } from '../../errors.ts'
import type { CliContext, GlobalOptions } from '../context.ts'
import { exitCodeOf } from '../exit-codes.ts'
import { rememberLines } from '../render/notes.ts'
import { layerOption, typeOption, withJson } from './options.ts'

interface Options extends GlobalOptions {
  readonly type?: NoteType
  readonly name?: string
  readonly description?: string
  readonly layer?: WritableLayer
  readonly pin?: boolean
  readonly tag?: string[]
  readonly dryRun?: boolean
  readonly move?: string
}

export function addRemember(program: Command, cli: CliContext): void {
  withJson(program.command('remember'))
    .summary('keep one memory')
    .description(
      'Keep one memory as a Markdown note. Secrets are masked before anything is stored. "-" reads the text from standard input.',
    )
    .argument('[text...]', 'the memory, in plain words')
    .addOption(typeOption())
    .option('--name <name>', 'short title; the same name makes a new version')
    .option('--description <line>', 'the line that the index shows')
    .addOption(layerOption())
    .option('--pin', 'always show it whole at the start of a session')
    .option('--tag <tag...>', 'tags')
    .option('--move <note>', 'move an existing note to the layer given by --layer')
    .option('--dry-run', 'judge it, change nothing')
    .addHelpText(
      'after',
      '\nExamples:\n  keepsake remember "Use pnpm, not npm, in this repository"\n  keepsake remember --type user --layer global 我是后端工程师，回答请用中文\n  keepsake remember --move use-pnpm --layer global',
    )
    .action(async (words: string[], _options: Options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      const result =
        options.move === undefined
          ? await rememberText(words, options, cli)
          : await move(words, options, options.move, cli)
      cli.print(options, result, () => rememberLines(result, options.dryRun))
      cli.exit(exitCodeOf(result))
    })
}

async function rememberText(words: readonly string[], options: Options, cli: CliContext) {
  const text = words.length === 1 && words[0] === '-' ? await cli.readInput() : words.join(' ')
  if (text.trim() === '')
    throw new MemoryError('INPUT_INVALID', 'There is no text to remember', {
      hint: 'keepsake remember "the memory"',
      data: { field: 'text' },
    })
  const memory = await cli.memory(options)
  const { type, name, description, layer, pin, tag, dryRun } = options
  return memory.remember({ text, type, name, description, layer, pin, tags: tag, dryRun, signal: cli.signal })
}

async function move(words: readonly string[], options: Options, reference: string, cli: CliContext) {
  if (words.length > 0)
    throw new MemoryError('INPUT_INVALID', '--move takes no text', {
      hint: 'keepsake remember --move NOTE --layer LAYER',
      data: { field: 'text' },
    })
  if (!options.layer)
    throw new MemoryError('INPUT_INVALID', '--move needs --layer', {
      hint: 'keepsake remember --move NOTE --layer global',
      data: { field: 'layer' },
    })
  const memory = await cli.memory(options)
  return memory.move({ reference, layer: options.layer, signal: cli.signal })
}
