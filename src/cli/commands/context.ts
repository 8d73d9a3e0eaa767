import type { Command } from 'commander'
import type { CliContext, GlobalOptions } from '../context.ts'
import { comparedLines } from '../render/compare.ts'
import { explainedLines } from '../render/context.ts'
import { withJson } from './options.ts'

interface Options extends GlobalOptions {
  readonly agent?: string
  readonly explain?: boolean
  readonly prompt?: string
  readonly session?: string
  readonly renew?: boolean
  readonly compare?: string
}

export function addContext(program: Command, cli: CliContext): void {
  withJson(program.command('context'))
    .summary('print what an agent sees at the start of a session, or beside a message')
    .description(
      'Print the start block: guidance, pinned notes, one line per note, within its budget. With --prompt print the turn block: the notes that bear on one message, empty when none does.',
    )
    .option('--agent <agent>', 'dialect of this agent (default: plain; with --compare that of the earlier block)')
    .option('--explain', 'say what it is made of, which layer won and why, and what was left out')
    .option('--prompt <message>', 'the turn block for this message of the user')
    .option('--session <id>', 'keep the start block for this conversation, and print the same bytes again from then on')
    .option('--renew', 'with --session, after a compaction or a clear: make it anew')
    .option(
      '--compare <what>',
      'compare it with an earlier one: a session, a transcript, or a file that holds one; exit code 4 when they differ',
    )
    .action(async (_options: Options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      const memory = await cli.memory(options)
      const block = await memory.context({
        agent: options.agent,
        explain: options.explain,
        prompt: options.prompt,
        session: options.session,
        renew: options.renew,
        compare: options.compare,
        signal: cli.signal,
      })
      for (const problem of block.problems) cli.remark(problem)
      for (const session of block.kept?.dropped ?? [])
        cli.remark(`The kept block of ${session} made room for this one.`)
      const lines = () => (options.explain ? explainedLines(block) : block.text)
      cli.print(options, block, () => (block.comparison ? comparedLines(block) : lines()))
      if (block.comparison && !block.comparison.isEqual) cli.exit(4)
    })
}
