import type { Command } from 'commander'
import { agents, wiredChecks } from '../../adapters/index.ts'
import type { CliContext, GlobalOptions } from '../context.ts'
import { progressLine, refreshLines } from '../render/refresh.ts'
import { statusLines } from '../render/status.ts'
import { withJson } from './options.ts'
import { wiringOptions } from './wiring.ts'

export function addStatus(program: Command, cli: CliContext): void {
  withJson(program.command('status'))
    .summary('what is kept, and whether it works')
    .description('Counts, queue, checks and the last failures. Exit code 5 when something is broken.')
    .action(async (_options: GlobalOptions, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const report = await (await cli.memory(options)).status()
      cli.print(options, report, () => statusLines(report))
      cli.exit(report.healthy ? 0 : 5)
    })
}

export function addDoctor(program: Command, cli: CliContext): void {
  withJson(program.command('doctor'))
    .summary('look closely')
    .description(
      'Everything that status checks, every file hashed and compared with the index, and the agents that Keepsake was installed into.',
    )
    .option('--ask-models', 'also ask each language model that is set up one short question; it is counted')
    .action(async (_options: GlobalOptions, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { askModels?: boolean }>()
      const { askModels } = options
      const inside = await (await cli.memory(options)).doctor({ askModels, signal: cli.signal })
      const wired = await wiredChecks(agents, wiringOptions(options, cli))
      const report = {
        ...inside,
        checks: [...inside.checks, ...wired],
        healthy: inside.healthy && wired.every(({ state }) => state !== 'broken'),
      }
      cli.print(options, report, () => statusLines(report))
      cli.exit(report.healthy ? 0 : 5)
    })
}

export function addRefresh(program: Command, cli: CliContext): void {
  withJson(program.command('refresh'))
    .summary('bring everything up to date now')
    .description(
      'Capture what waits, read changed files, close every gap between files, index and MEMORY.md, and, where a model is set up, read idle conversations and tidy the notes, in the foreground. Stop it with Ctrl-C: the next run goes on where it was.',
    )
    .option(
      '--now',
      'ask a model about all that waits, without waiting for conversations to be idle or for a cool-down',
    )
    .action(async (_options: RefreshOptions, command: Command) => {
      const options = command.optsWithGlobals<RefreshOptions>()
      const result = await (await cli.memory(options)).refresh({
        now: options.now,
        signal: cli.signal,
        onProgress: (progress) => cli.remark(progressLine(progress)),
      })
      cli.print(options, result, () => refreshLines(result))
      cli.exit(result.problems.length > 0 ? 5 : 0)
    })
}

interface RefreshOptions extends GlobalOptions {
  readonly now?: boolean
}
