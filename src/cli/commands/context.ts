import type { Command } from 'commander'
import type { CliContext, GlobalOptions } from '../context.ts'
import { explainedLines } from '../render/context.ts'
import { withJson } from './options.ts'

interface Options extends GlobalOptions {
  readonly agent?: string
  readonly explain?: boolean
  readonly prompt?: string
}

export function addContext(program: Command, cli: CliContext): void {
  withJson(program.command('context'))
    .summary('print what an agent sees at the start of a session, or beside a message')
    .description(
      'Print the start block: guidance, pinned notes, one line per note, within its budget. With --prompt print the turn block: the notes that bear on one message, empty when none does.',
    )
    .option('--agent <agent>', 'dialect of this agent', 'plain')
    .option('--explain', 'say what it is made of, which layer won and why, and what was left out')
    .option('--prompt <message>', 'the turn block for this message of the user')
    .action(async (_options: Options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      const memory = await cli.memory(options)
      const block = await memory.context({
        agent: options.agent,
        explain: options.explain,
        prompt: options.prompt,
        signal: cli.signal,
      })
      for (const problem of block.problems) cli.remark(problem)
      cli.print(options, block, () => (options.explain ? explainedLines(block) : block.text))
    })
}
