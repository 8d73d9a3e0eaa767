import type { Command } from 'commander'
import type { Block } from '../../domain/index.ts'
import type { CliContext, GlobalOptions } from '../context.ts'
import { printable } from '../render/notes.ts'
import { withJson } from './options.ts'

interface Options extends GlobalOptions {
  readonly agent?: string
  readonly explain?: boolean
}

export function addContext(program: Command, cli: CliContext): void {
  withJson(program.command('context'))
    .summary('print what an agent sees at the start of a session')
    .description('Print the start block: guidance, pinned notes, one line per note, within its budget.')
    .option('--agent <agent>', 'dialect of this agent', 'plain')
    .option('--explain', 'say for each entry why it is there')
    .action(async (_options: Options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      const memory = await cli.memory(options)
      const block = await memory.context({ agent: options.agent, explain: options.explain })
      for (const problem of block.problems) cli.remark(problem)
      cli.print(options, block, () => (options.explain ? explained(block) : block.text))
    })
}

function explained(block: Block): string {
  const entries = block.entries.map(
    (entry) =>
      `${String(entry.bytes).padStart(5)} bytes  ${entry.section.padEnd(8)}  ${entry.layer.padEnd(7)}  ${entry.name}  (${entry.why})`,
  )
  return printable(
    [
      block.text,
      '',
      `${block.bytes} bytes, about ${block.tokens} tokens; ${block.omitted} notes left out`,
      ...entries,
    ].join('\n'),
  )
}
