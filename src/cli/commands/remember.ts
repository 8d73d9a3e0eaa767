import { type Command, Option } from 'commander'
import { type Edit, type EditResult, moveTargets, type RememberResult } from '../../domain/index.ts'
import type { CliContext, GlobalOptions } from '../context.ts'
import { exitCodeOf } from '../exit-codes.ts'
import { writerOf } from '../person.ts'
import { editLines } from '../render/edits.ts'
import { rememberLines } from '../render/notes.ts'
import { type EditOptions, editOf, wrong } from './edit-options.ts'
import { layerOption, typeOption, withJson } from './options.ts'

interface Options extends GlobalOptions, EditOptions {
  readonly dryRun?: boolean
}

export function addRemember(program: Command, cli: CliContext): void {
  withJson(program.command('remember'))
    .summary('keep one memory, or change one')
    .description(
      'Keep one memory as a Markdown note, or change an entry that is kept. Secrets are masked before anything is stored. "-" reads the text from standard input.',
    )
    .argument('[text...]', 'the memory, in plain words')
    .addOption(typeOption())
    .option('--name <name>', 'short title; the same name makes a new version')
    .option('--description <line>', 'the line that the index shows')
    .addOption(layerOption())
    .option('--pin', 'keep it in the profile: shown whole at the start of every session')
    .option('--tag <tag...>', 'tags')
    .option('--replace <words>', 'replace exactly these words of an entry by the text')
    .option('--remove <words>', 'remove the entry that holds these words')
    .option('--in <note>', 'the note in which --replace and --remove look')
    .option('--move <note>', 'move a note to the place given by --to')
    .addOption(new Option('--to <place>', 'profile (pin), note (unpin), global or project').choices([...moveTargets]))
    .option('--dry-run', 'judge it, change nothing')
    .addHelpText(
      'after',
      '\nExamples:\n  keepsake remember "Use pnpm, not npm, in this repository"\n  keepsake remember --type user --layer global 我是后端工程师，回答请用中文\n  keepsake remember --replace "on Fridays" "on Tuesdays"\n  keepsake remember --move "Use pnpm, not npm, in this repository" --to profile',
    )
    .action(async (words: string[], _options: Options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      const edit = await editOf(options, words, () => textOf(words, cli))
      const { result, lines } = edit ? await change(edit, options, cli) : await keep(words, options, cli)
      cli.print(options, result, lines)
      cli.exit(exitCodeOf(result))
    })
}

interface Told {
  readonly result: RememberResult | EditResult
  readonly lines: () => string
}

async function keep(words: readonly string[], options: Options, cli: CliContext): Promise<Told> {
  const text = await textOf(words, cli)
  if (text.trim() === '') throw wrong('text', 'There is no text to remember', 'keepsake remember "the memory"')
  const memory = await cli.memory(options)
  const { type, name, description, layer, pin, tag, dryRun } = options
  const result = await memory.remember({
    text,
    type,
    name,
    description,
    layer,
    pin,
    tags: tag,
    dryRun,
    ...writerOf(cli),
    signal: cli.signal,
  })
  return { result, lines: () => rememberLines(result, dryRun) }
}

async function change(edit: Edit, options: Options, cli: CliContext): Promise<Told> {
  const memory = await cli.memory(options)
  const result = await memory.remember({ edits: [edit], dryRun: options.dryRun, ...writerOf(cli), signal: cli.signal })
  return { result, lines: () => editLines(result, options.dryRun) }
}

async function textOf(words: readonly string[], cli: CliContext): Promise<string> {
  return words.length === 1 && words[0] === '-' ? cli.readInput() : words.join(' ')
}
