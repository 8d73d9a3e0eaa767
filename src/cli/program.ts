/** The command line as a table of contents: one file per verb or thing under commands/. */
import { Command } from 'commander'
import { addBackup } from './commands/backup.ts'
import { addCapture } from './commands/capture.ts'
import { addConfig } from './commands/config.ts'
import { addContext } from './commands/context.ts'
import { addEval } from './commands/eval.ts'
import { addForget } from './commands/forget.ts'
import { addDoctor, addRefresh, addStatus } from './commands/health.ts'
import { addDiff, addHistory, addUndo } from './commands/history.ts'
import { addList } from './commands/list.ts'
import { addMcp } from './commands/mcp.ts'
import { addQueue } from './commands/queue.ts'
import { addRead } from './commands/read.ts'
import { addRecall } from './commands/recall.ts'
import { addRemember } from './commands/remember.ts'
import { addRestore } from './commands/restore.ts'
import { addReview } from './commands/review.ts'
import { addSessions } from './commands/sessions.ts'
import { addInstall, addUninstall } from './commands/wiring.ts'
import type { CliContext } from './context.ts'

export function createProgram(cli: CliContext): Command {
  const program = new Command('keepsake')
    .description('Long-term memory for AI agents: Markdown notes that you own.')
    .version(cli.version)
    .option('--home <folder>', 'where memory lives (default ~/.keepsake, or KEEPSAKE_HOME)')
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .addHelpText('after', '\nExit codes: 0 ok, 1 fault, 2 usage, 3 not found, 4 conflict, 5 unavailable.')
  const adders = [
    addRemember,
    addRecall,
    addRead,
    addList,
    addForget,
    addHistory,
    addDiff,
    addUndo,
    addReview,
    addContext,
    addSessions,
    addCapture,
    addRefresh,
    addQueue,
    addStatus,
    addDoctor,
    addBackup,
    addRestore,
    addInstall,
    addUninstall,
    addConfig,
    addEval,
    addMcp,
  ]
  for (const add of adders) add(program, cli)
  program
    .command('hook')
    .summary('called by agents: <agent> <event>, JSON on standard input')
    .description('Answer one hook event of an agent. Always exits 0. Called by what install wired, not by people.')
    .argument('<agent>')
    .argument('<event>')
  for (const command of allCommands(program)) command.exitOverride().configureOutput({ writeErr: () => {} })
  return program
}

/** `help review approve` means the inner command, which the parser's own `help` does not reach. */
export function withNestedHelp(argv: readonly string[], program: Command): readonly string[] {
  const [node, script, verb, ...names] = argv
  const group = program.commands.find((each) => each.name() === names[0] && each.commands.length > 0)
  if (node === undefined || script === undefined || verb !== 'help' || names.length < 2 || !group) return argv
  return [node, script, ...names, '--help']
}

function allCommands(command: Command): Command[] {
  return command.commands.flatMap((each) => [each, ...allCommands(each)])
}
