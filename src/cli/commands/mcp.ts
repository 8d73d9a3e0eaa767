import type { Command } from 'commander'
import type { CliContext, GlobalOptions } from '../context.ts'

export function addMcp(program: Command, cli: CliContext): void {
  program
    .command('mcp')
    .summary('serve agents over MCP (stdio)')
    .description(
      'Serve the five memory tools over standard input and output. Agents start this themselves after install.',
    )
    .action(async (_options: GlobalOptions, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      // Loaded only here: the MCP library costs half a second that no other command should pay.
      const { serveMcpOverStdio } = await import('../../mcp/index.ts')
      const memory = await cli.memory(options)
      await serveMcpOverStdio({ memory, version: cli.version, onError: (error) => cli.remark(`mcp: ${error.message}`) })
    })
}
