import { type Command, Option } from 'commander'
import { createEmbedder, type Embedder } from '../../index.ts'
import { evalRetrieval, keepVectors } from '../../measure/index.ts'
import type { CliContext, GlobalOptions } from '../context.ts'
import { tellProjects } from '../progress.ts'
import { retrievalLines } from '../render/retrieval.ts'
import { addEvalAnchors } from './eval-anchors.ts'
import { addEvalDialect } from './eval-dialect.ts'
import { addEvalForeign } from './eval-foreign.ts'
import { addEvalGate } from './eval-gate.ts'
import { addEvalPairs } from './eval-pairs.ts'
import { addEvalReading } from './eval-reading.ts'
import { wholeNumber, withJson } from './options.ts'

interface Options extends GlobalOptions {
  readonly unit: 'turn' | 'session'
  /** True when given without a number: all conversations. */
  readonly pooled?: number | true
  readonly without: readonly string[]
  readonly embedder?: string
  readonly vectors?: string
}

export function addEval(program: Command, cli: CliContext): void {
  const group = program
    .command('eval')
    .summary('measure recall, merging and extraction on a data set')
    .description('Measure on data that you name. Works in a temporary home; yours is not touched.')
  withJson(group.command('retrieval'))
    .summary('how well recall finds what it should')
    .description(
      'Put the conversations of a data set into a temporary home, ask its questions and score what recall returns: any@k, all@k, share@k, NDCG, MRR, per category. Files are JSON lines, plain or gzip: turns {c, s, t, ts, r, x}, questions {c, id, q, cat, gt, gs}.',
    )
    .argument('<turns>', 'file of conversations')
    .argument('<questions>', 'file of questions with gold turns and sessions')
    .addOption(new Option('--unit <unit>', 'what is looked for').choices(['turn', 'session']).default('turn'))
    .option('--pooled [n]', 'so many conversations in one project; all without a number', wholeNumber(1, 1_000_000))
    .option('--without <category...>', 'leave questions of these categories out', [])
    .option('--embedder <name>', 'meaning beside words, named as in the setting `embedder`; none: words alone', 'none')
    .option('--vectors <file>', 'keep the vectors of the embedder in this file, so that the next run is quick')
    .addHelpText(
      'after',
      '\nExample:\n  keepsake eval retrieval turns.jsonl.gz questions.jsonl.gz --unit session --json',
    )
    .action(async (turnsFile: string, questionsFile: string, _options: Options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      const { unit, pooled, without } = options
      const report = await evalRetrieval({
        turnsFile,
        questionsFile,
        unit,
        pooled: pooled === undefined ? null : pooled === true ? 0 : pooled,
        without,
        embedder: embedderOf(options, cli),
        temporaryDirectory: cli.surroundings.temporaryDirectory,
        signal: cli.signal,
        onProgress: tellProjects(cli),
      })
      cli.print(options, report, () => retrievalLines(report))
    })
  addEvalDialect(group, cli)
  addEvalForeign(group, cli)
  addEvalAnchors(group, cli)
  addEvalPairs(group, cli)
  addEvalReading(group, cli)
  addEvalGate(group, cli)
}

function embedderOf({ embedder = 'none', vectors }: Options, { surroundings }: CliContext): Embedder | null {
  if (embedder === 'none') return null
  const made = createEmbedder(embedder, surroundings)
  return vectors === undefined ? made : keepVectors(made, vectors)
}
