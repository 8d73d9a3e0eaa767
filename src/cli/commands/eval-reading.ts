import type { Command } from 'commander'
import { evalReading, type ReadingReport } from '../../measure/index.ts'
import type { CliContext, GlobalOptions } from '../context.ts'
import { tellProjects } from '../progress.ts'
import { wholeNumber, withJson } from './options.ts'

interface Options extends GlobalOptions {
  readonly sessions: number
}

export function addEvalReading(group: Command, cli: CliContext): void {
  withJson(group.command('reading'))
    .summary('how often a model would be asked about conversations, and what it costs')
    .description(
      'Hold conversations again, turn by turn at their own times, and count the questions that a model would be asked after a turn: calls per session and day, tokens of a question, and the share of it that a cache of prompts serves. No model is asked. A file of turns as for eval retrieval.',
    )
    .argument('<turns>', 'file of conversations')
    .option('--sessions <n>', 'so many of them, from the first on', wholeNumber(1, 100_000), 50)
    .addHelpText('after', '\nExample:\n  keepsake eval reading turns.jsonl.gz --sessions 100 --json')
    .action(async (turnsFile: string, _options: Options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      const report = await evalReading({
        turnsFile,
        sessions: options.sessions,
        temporaryDirectory: cli.surroundings.temporaryDirectory,
        signal: cli.signal,
        onProgress: tellProjects(cli),
      })
      cli.print(options, report, () => readingLines(report))
    })
}

function readingLines(report: ReadingReport): string {
  const { callsPerSession: calls, tokensPerCall: tokens } = report
  return [
    `${report.sessions} sessions with ${report.messages} messages on ${report.days} days: ${report.calls} calls`,
    `calls per session: median ${calls.p50}, 95 % at most ${calls.p95}, most ${calls.max}; per day ${report.callsPerDay.toFixed(1)}`,
    `tokens of a question: median ${tokens.p50}, 95 % at most ${tokens.p95}`,
    `stable beginning: ${Math.round(report.stablePrefixShare.p50 * 100)} % of a question (median)`,
  ].join('\n')
}
