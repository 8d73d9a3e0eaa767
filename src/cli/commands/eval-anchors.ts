import type { Command } from 'commander'
import { evalAnchors } from '../../measure/index.ts'
import type { CliContext, GlobalOptions } from '../context.ts'
import { tellProjects } from '../progress.ts'
import { anchorsLines } from '../render/anchors.ts'
import { wholeNumber, withJson } from './options.ts'

interface Options extends GlobalOptions {
  readonly ms: number
  readonly files: number
  readonly list?: boolean
}

export function addEvalAnchors(group: Command, cli: CliContext): void {
  withJson(group.command('anchors'))
    .summary('whether what notes name is told true from stale')
    .description(
      'Make the invented git repositories of a data set, look up what its notes name in them, and score the verdicts: stale shown as holding, true called gone, share with a verdict, time of a note, per kind and language. A file of JSON lines: {repository, history} and {id, lang, repository, updated, body, anchors}.',
    )
    .argument('<file>', 'file of histories and labelled notes')
    .option('--ms <n>', 'time for one note, milliseconds', wholeNumber(1, 600_000), 10_000)
    .option('--files <n>', 'so many other files in each repository', wholeNumber(0, 200_000), 0)
    .option('--list', 'say for each anchor what was wrong, and what was taken for one')
    .addHelpText('after', '\nExample:\n  keepsake eval anchors notes.jsonl --ms 100 --files 50000')
    .action(async (file: string, _options: Options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      const { wrong, extraAnchors, ...report } = await evalAnchors({
        file,
        maxMs: options.ms,
        files: options.files,
        temporaryDirectory: cli.surroundings.temporaryDirectory,
        signal: cli.signal,
        onProgress: tellProjects(cli),
      })
      const listed = options.list ? { wrong, extraAnchors } : {}
      cli.print(options, { ...report, ...listed }, () => anchorsLines({ ...report, ...listed }))
    })
}
