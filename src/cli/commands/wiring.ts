import { join } from 'node:path'
import type { Command } from 'commander'
import { agents } from '../../adapters/index.ts'
import type { AgentWiring, WiringChange, WiringOptions } from '../../domain/index.ts'
import { MemoryError } from '../../errors.ts'
import { compileHook } from '../../worker/compile-hook.ts'
import type { CliContext, GlobalOptions } from '../context.ts'
import { DRY_RUN, printable } from '../render/notes.ts'
import { withJson } from './options.ts'

interface Options extends GlobalOptions {
  readonly dryRun?: boolean
}

export function addInstall(program: Command, cli: CliContext): void {
  withJson(program.command('install'))
    .summary('wire Keepsake into an agent')
    .description(
      `Add Keepsake's hooks and MCP server to an agent's settings. Only marked entries are added, a backup is kept, uninstall gives the bytes back. Agents: ${Object.keys(agents).join(', ')}.`,
    )
    .argument('<agent>', Object.keys(agents).join(', '))
    .option('--dry-run', 'say what would change')
    .action(async (agent: string, _options: Options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      const wiring = wiringOf(agent)
      const changes = await wiring.install(wiringOptions(options, cli))
      const problems = options.dryRun ? [] : await wiring.verify(wiringOptions(options, cli))
      if (!options.dryRun) await compileHook(cli.distribution, cli.surroundings)
      // What only the person can do next is no fault of the install: it is said here, and by doctor until it is done.
      const isWired = problems.every((problem) => wiring.asksPerson?.(problem))
      const isChanged = changes.some(({ action }) => action !== 'unchanged')
      const remark =
        'From now on conversations with this agent are captured on this machine, secrets masked. Sessions that are open now need a new start. Switch capture off: keepsake config set capture.sessions false'
      cli.print(options, { agent, changes, problems }, () =>
        [
          changeLines(changes, options),
          ...problems,
          ...(options.dryRun || !isWired || !isChanged ? [] : [remark]),
        ].join('\n'),
      )
      cli.exit(isWired ? 0 : 5)
    })
}

export function addUninstall(program: Command, cli: CliContext): void {
  withJson(program.command('uninstall'))
    .summary('take Keepsake out of an agent')
    .description("Remove Keepsake's entries from an agent's settings and give the earlier bytes back. Notes stay.")
    .argument('<agent>', Object.keys(agents).join(', '))
    .option('--dry-run', 'say what would change')
    .action(async (agent: string, _options: Options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      const changes = await wiringOf(agent).uninstall(wiringOptions(options, cli))
      cli.print(options, { agent, changes }, () => changeLines(changes, options))
    })
}

function wiringOf(agent: string): AgentWiring {
  const known = agents[agent]
  if (!known)
    throw new MemoryError('AGENT_UNKNOWN', `No agent is called ${JSON.stringify(agent)}`, {
      hint: `Known: ${Object.keys(agents).join(', ')}.`,
      data: { agent, known: Object.keys(agents) },
    })
  return known.wiring
}

/** Absolute paths, so that neither PATH nor a shell is needed; an own home travels with the commands. */
export function wiringOptions(options: Options, cli: CliContext): WiringOptions {
  const home = cli.home(options)
  const own = home === join(cli.surroundings.userHome, '.keepsake') ? [] : ['--home', home]
  return {
    userHome: cli.surroundings.userHome,
    environment: cli.surroundings.environment,
    keepsakeHome: home,
    hookCommand: [process.execPath, join(cli.distribution, 'hook.js'), ...own],
    mcpCommand: [process.execPath, join(cli.distribution, 'cli.js'), ...own, 'mcp'],
    dryRun: options.dryRun,
  }
}

function changeLines(changes: readonly WiringChange[], { dryRun }: Options): string {
  const lines = changes.map(({ action, file, detail }) => `${action.padEnd(9)}  ${file}  ${detail}`)
  return printable([...lines, ...(dryRun ? [DRY_RUN] : [])].join('\n'))
}
