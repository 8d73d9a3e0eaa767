import type { Command } from 'commander'
import type { CaptureResult, LayerMode } from '../../domain/index.ts'
import { counted } from '../../util/index.ts'
import type { CliContext, GlobalOptions } from '../context.ts'
import { tellProgress } from '../progress.ts'
import { rememberLines } from '../render/notes.ts'
import { modeOption, withJson } from './options.ts'

interface Options extends GlobalOptions {
  readonly agent?: string
  readonly mode?: LayerMode
}

export function addCapture(program: Command, cli: CliContext): void {
  withJson(program.command('capture'))
    .summary('read a transcript now')
    .description(
      'Read one transcript of an agent: its messages become a session, what is worth keeping becomes notes (by rules, no model).',
    )
    .argument('<transcript>', 'transcript file (.jsonl)')
    .option('--agent <agent>', 'which agent wrote it', 'claude-code')
    .addOption(modeOption())
    .action(async (file: string, _options: Options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      const memory = await cli.memory(options)
      const onProgress = tellProgress(cli, 'read')
      const result = await memory.capture({
        file,
        agent: options.agent ?? 'claude-code',
        mode: options.mode,
        signal: cli.signal,
        onProgress,
      })
      for (const problem of result.problems) cli.remark(problem)
      cli.print(options, result, () => captureLines(result))
    })
}

function captureLines(result: CaptureResult): string {
  const kept = result.outcomes.filter(({ outcome }) => outcome !== 'unchanged')
  const skipped = Object.values(result.skipped).reduce((sum, count) => sum + count, 0)
  const read =
    result.messages === 0
      ? 'No new messages'
      : `${counted(result.messages, 'new message')} in ${counted(result.sessions.length, 'session')}`
  const head = skipped === 0 ? read : `${read}; ${skipped} other rows of the file are no messages`
  const back = result.takenBack > 0 ? [`${counted(result.takenBack, 'note')} taken back, as the user said.`] : []
  return [
    head,
    ...back,
    ...(kept.length === 0 ? ['Nothing new to keep.'] : kept.map((each) => rememberLines(each))),
  ].join('\n')
}
