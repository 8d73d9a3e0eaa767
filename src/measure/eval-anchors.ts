/**
 * `keepsake eval anchors`: notes about invented repositories are looked up in working trees that are made for it, each
 * note alone, as when it is shown. The trees are fresh checkouts: no file is older than the notes, so that the history must
 * be asked for each.
 */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createAnchorVerifier } from '../engine/index.ts'
import { MemoryError, throwIfCancelled } from '../errors.ts'
import { type AnchorNote, readAnchorSet } from './anchors-data.ts'
import { type AnchorScore, type JudgedAnchor, type JudgedNote, judgeNote, scoreAnchors } from './anchors-score.ts'
import { type HistoryStep, type MadeRepository, makeRepository } from './history-repository.ts'
import { percentile } from './retrieval-score.ts'

export interface EvalAnchorsOptions {
  readonly file: string
  /** Time for one note, milliseconds. */
  readonly maxMs: number
  /** Each repository gets so many files besides, which no note names. */
  readonly files: number
  readonly temporaryDirectory: string
  readonly signal?: AbortSignal
  readonly onProgress?: (done: { readonly groups: number; readonly of: number }) => void
}

export interface AnchorsReport extends AnchorScore {
  readonly maxMs: number
  /** Of one note. */
  readonly ms: { readonly p50: number; readonly p95: number; readonly max: number }
  /** What was said otherwise than the label says. */
  readonly wrong: readonly JudgedAnchor[]
  readonly extraAnchors: readonly { readonly note: string; readonly anchor: string; readonly verdict: string }[]
}

/** Throws INPUT_INVALID for a file that is no data set. Stops between two notes when the signal says so. */
export async function evalAnchors(options: EvalAnchorsOptions): Promise<AnchorsReport> {
  const { histories, notes } = readAnchorSet(options.file)
  const folder = realpathSync(mkdtempSync(join(options.temporaryDirectory, 'keepsake-eval-')))
  const judged: (JudgedNote & { readonly note: string })[] = []
  const times: number[] = []
  try {
    const made = new Map<string, MadeRepository>()
    for (const [at, note] of notes.entries()) {
      throwIfCancelled(options.signal)
      const { repository } = note
      const tree = made.get(repository) ?? make(join(folder, repository), histories.get(repository) ?? [], options)
      made.set(repository, tree)
      const labelled = withCommits(note, tree)
      const startedMs = performance.now()
      const verify = createAnchorVerifier({ root: tree.root })
      const found = await verify([labelled], { maxMs: options.maxMs })
      times.push(performance.now() - startedMs)
      judged.push({ note: note.id, ...judgeNote(labelled, found.get(note.id) ?? []) })
      options.onProgress?.({ groups: at + 1, of: notes.length })
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    ...scoreAnchors(judged),
    maxMs: options.maxMs,
    ms: { p50: percentile(times, 0.5), p95: percentile(times, 0.95), max: percentile(times, 1) },
    wrong: judged.flatMap(({ anchors }) => anchors.filter(({ said, verdict }) => said !== verdict)),
    extraAnchors: judged.flatMap(({ note, extra }) => extra.map(({ anchor, verdict }) => ({ note, anchor, verdict }))),
  }
}

function make(root: string, history: readonly HistoryStep[], { file, files }: EvalAnchorsOptions): MadeRepository {
  try {
    return makeRepository(root, [...history.slice(0, 1).map((step) => crowded(step, files)), ...history.slice(1)])
  } catch (error) {
    throw new MemoryError('INPUT_INVALID', `${file}: a history of this data set does not fit together`, {
      hint: error instanceof Error ? error.message : 'Look at its steps.',
      data: { field: 'history' },
      cause: error,
    })
  }
}

const FILES_IN_FOLDER = 100

/** Files of a large project, in folders of a hundred. */
export function crowded(step: HistoryStep, count: number): HistoryStep {
  const others = Array.from({ length: count }, (_, at) => {
    const path = `modules/part${Math.floor(at / FILES_IN_FOLDER)}/piece${at}.ts`
    return [
      path,
      `export const piece${at} = ${at}\n\nexport function usePiece${at}() {\n  return piece${at}\n}\n`,
    ] as const
  })
  return { ...step, files: { ...step.files, ...Object.fromEntries(others) } }
}

/** `{{name:2}}` is the short name of the second commit. */
function withCommits(note: AnchorNote, { commits }: MadeRepository): AnchorNote {
  const filled = (text: string) =>
    text.replace(/\{\{[\w-]+:(\d+)\}\}/g, (_, at: string) => (commits[Number(at) - 1] ?? '').slice(0, 10))
  return {
    ...note,
    body: filled(note.body),
    anchors: note.anchors.map((each) => ({ ...each, anchor: filled(each.anchor) })),
  }
}
