import { type Command, Option } from 'commander'
import { loadConfig } from '../../config.ts'
import { MemoryError } from '../../errors.ts'
import { evalGate } from '../../measure/index.ts'
import type { CliContext, GlobalOptions } from '../context.ts'
import { tellProjects } from '../progress.ts'
import { gateLines } from '../render/gate.ts'
import { wholeNumber, withJson } from './options.ts'

interface Options extends GlobalOptions {
  readonly model: 'rules' | 'configured'
  readonly list?: boolean
  readonly perturb?: number
}

export function addEvalGate(group: Command, cli: CliContext): void {
  withJson(group.command('gate'))
    .summary('what is saved from conversations, and whether silence is kept')
    .description(
      'Capture labelled conversations, each in a home of its own, and score the notes that were made: precision, recall, silence where nothing is to be kept, types, forbidden words, per kind and language. A file of JSON lines {id, lang, kind, date, existing, messages, keep, forbid}.',
    )
    .argument('<file>', 'file of labelled conversations')
    .addOption(new Option('--model <model>', 'who finds the notes').choices(['rules', 'configured']).default('rules'))
    .option('--list', 'say for each conversation what was wrong or missed')
    .option('--perturb <seed>', 'with other names, numbers, order and courtesy words', wholeNumber(0, 1_000_000))
    .addHelpText('after', '\nExample:\n  keepsake eval gate conversations.jsonl --list')
    .action(async (file: string, _options: Options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      const { conversations, ...report } = await evalGate({
        file,
        perturb: options.perturb ?? null,
        models: options.model === 'configured' ? modelsOf(cli, options) : null,
        temporaryDirectory: cli.surroundings.temporaryDirectory,
        signal: cli.signal,
        onProgress: tellProjects(cli),
      })
      const listed = options.list ? { conversations } : {}
      cli.print(options, { ...report, ...listed }, () => gateLines({ ...report, ...listed }))
    })
}

/** The models of the settings; nothing else of them, so that a figure means the same everywhere. */
function modelsOf({ surroundings, home }: CliContext, options: GlobalOptions) {
  const { models, budget } = loadConfig(home(options), surroundings.environment).config
  if (models.small !== null) return { models, budget, surroundings }
  throw new MemoryError('MODEL_UNAVAILABLE', 'No model is set up that could read conversations', {
    hint: "Name one: 'keepsake config set models.small <model>', or measure with --model rules.",
  })
}
