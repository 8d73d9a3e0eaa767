import type { Command } from 'commander'
import { loadConfig } from '../../config.ts'
import { dialectNames } from '../../engine/index.ts'
import { MemoryError } from '../../errors.ts'
import { createCompleter } from '../../index.ts'
import { evalDialect } from '../../measure/index.ts'
import type { CliContext, GlobalOptions } from '../context.ts'
import { dialectLines } from '../render/dialect.ts'
import { withJson } from './options.ts'

interface Options extends GlobalOptions {
  readonly agent?: string
  readonly rules?: string
  readonly model?: string
  readonly list?: boolean
}

export function addEvalDialect(group: Command, cli: CliContext): void {
  withJson(group.command('dialect'))
    .summary('whether a model opens, verifies, cites and obeys what it was taught, in each dialect')
    .description(
      'Teach rules through `remember`, give a model the start block of each dialect and tasks that call for the rules, and count what it did. It asks a model some hundred times: about four calls a task. Ctrl-C ends it with the figures so far. Rules are JSON lines {id, lang, kind, type, name, description, text, task, opens, gone, must, mustNot, tree}; 20 ship with Keepsake.',
    )
    .option('--agent <agent>', 'only the dialect of this agent')
    .option('--rules <file>', 'rules of your own')
    .option('--model <model>', 'named as in the setting `models.small` (the default)')
    .option('--list', 'say for each task what was missed')
    .addHelpText('after', '\nExample:\n  keepsake eval dialect --agent codex --model ollama:qwen3:8b')
    .action(async (_options: Options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      const { completer, settings } = modelOf(cli, options)
      // What the tools need is loaded for this command only.
      const { openInProcess } = await import('../../mcp/index.ts')
      const { tasks, ...report } = await evalDialect({
        rulesFile: options.rules ?? null,
        dialects: options.agent === undefined ? dialectNames : [options.agent],
        completer,
        settings,
        temporaryDirectory: cli.surroundings.temporaryDirectory,
        openTools: (memory) => openInProcess(memory, cli.version),
        signal: cli.signal,
        onProgress: tellTasks(cli),
      })
      const shown = options.list ? { ...report, tasks } : report
      cli.print(options, shown, () => dialectLines(shown))
      if (report.stopped !== null) cli.exit(cli.signal.aborted ? 1 : 5)
    })
}

/** The model that is named, under the ceilings and prices of the settings. */
function modelOf({ surroundings, home }: CliContext, options: Options) {
  const { models, budget } = loadConfig(home(options), surroundings.environment).config
  const name = options.model ?? models.small
  if (name !== null) return { completer: createCompleter(name, surroundings), settings: { models, budget } }
  throw new MemoryError('MODEL_UNAVAILABLE', 'No model is set up that could be measured', {
    hint: "Name one: --model <model>, or 'keepsake config set models.small <model>' (docs/models.md).",
  })
}

/** A line when a tenth more is done: a run takes minutes to hours. */
function tellTasks(cli: Pick<CliContext, 'remark'>): (done: { tasks: number; of: number }) => void {
  let told = 0
  return ({ tasks, of }) => {
    const tenths = Math.floor((tasks * 10) / of)
    if (tenths > told) cli.remark(`${tasks} of ${of} tasks`)
    told = tenths
  }
}
