import type { Command } from 'commander'
import { agents, wiredChecks } from '../../adapters/index.ts'
import type { CliContext, GlobalOptions } from '../context.ts'
import { printable } from '../render/notes.ts'
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
      'Capture what waits, read changed files, close every gap between files, index and MEMORY.md, in the foreground.',
    )
    .option('--now', 'accepted for clarity; refresh always runs now')
    .action(async (_options: GlobalOptions, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const result = await (await cli.memory(options)).refresh({ signal: cli.signal })
      cli.print(options, result, () =>
        printable(
          [
            ...result.layers.map(({ layer, changed, removed }) => `${layer}: ${changed} changed, ${removed} removed`),
            `${result.captured} messages captured`,
            ...(result.jobs.done > 0
              ? [`${result.jobs.done} conversations read by a model, ${result.jobs.written} notes`]
              : []),
            ...(result.jobs.waiting > 0 ? [`${result.jobs.waiting} wait for a model: keepsake queue`] : []),
            ...(result.embedding ? [`${result.embedding.shown} texts shown to ${result.embedding.model}`] : []),
            ...(result.settled > 0 ? [`${result.settled} earlier copies of files checked and cleared`] : []),
            ...result.conflicts.map((file) => `conflict: ${file}`),
            ...result.problems,
          ].join('\n'),
        ),
      )
      cli.exit(result.problems.length > 0 ? 5 : 0)
    })
}
