import type { Command } from 'commander'
import { evalPairs } from '../../measure/index.ts'
import type { CliContext, GlobalOptions } from '../context.ts'
import { tellProjects } from '../progress.ts'
import { pairsLines } from '../render/pairs.ts'
import { withJson } from './options.ts'

export function addEvalPairs(group: Command, cli: CliContext): void {
  withJson(group.command('pairs'))
    .summary('what becomes of a note that is near a kept one')
    .description(
      'Keep one note of each labelled pair, remember the other, and score what became of it: merge precision, duplicate recall, update recall, separate errors, per label and language. A file of JSON lines {id, lang, existing, incoming, label}; a note is {type, name, description, body}; a label is same, update, sibling or unrelated.',
    )
    .argument('<file>', 'file of labelled pairs')
    .addHelpText('after', '\nExample:\n  keepsake eval pairs pairs.jsonl --json')
    .action(async (file: string, _options: GlobalOptions, command: Command) => {
      const { temporaryDirectory } = cli.surroundings
      const onProgress = tellProjects(cli)
      const report = await evalPairs({ file, temporaryDirectory, signal: cli.signal, onProgress })
      cli.print(command.optsWithGlobals<GlobalOptions>(), report, () => pairsLines(report))
    })
}
