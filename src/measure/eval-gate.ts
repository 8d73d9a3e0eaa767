/** `keepsake eval gate`: what is saved from labelled conversations, through `capture`, and what should have been. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { throwIfCancelled } from '../errors.ts'
import { readGateRows } from './gate-data.ts'
import { type GateModels, savedFrom } from './gate-home.ts'
import { type GateScore, type ScoredConversation, scoreConversation, scoreGate } from './gate-score.ts'
import { perturb } from './perturb.ts'

export interface EvalGateOptions {
  readonly file: string
  /** Other names, numbers, order and courtesy words, by this seed; null: the conversations as they are. */
  readonly perturb: number | null
  /** Read each conversation after the rules; null: rules alone. */
  readonly models: GateModels | null
  /** The homes that are filled lie below it, and are removed. */
  readonly temporaryDirectory: string
  readonly signal?: AbortSignal
  readonly onProgress?: (done: { readonly groups: number; readonly of: number }) => void
}

export interface GateReport extends GateScore {
  readonly model: 'rules' | 'configured'
  readonly perturbed: number | null
  /** In file order. */
  readonly conversations: readonly ScoredConversation[]
}

/** Throws INPUT_INVALID for a file that is no data set. Stops between two conversations when the signal says so. */
export async function evalGate(options: EvalGateOptions): Promise<GateReport> {
  const { signal } = options
  const given = readGateRows(options.file)
  const seed = options.perturb
  const rows = seed === null ? given : given.map((row) => perturb(row, seed))
  const folder = realpathSync(mkdtempSync(join(options.temporaryDirectory, 'keepsake-eval-')))
  try {
    const conversations: ScoredConversation[] = []
    for (const [at, row] of rows.entries()) {
      throwIfCancelled(signal)
      conversations.push(
        scoreConversation(row, await savedFrom(row, join(folder, String(at)), { models: options.models, signal })),
      )
      options.onProgress?.({ groups: at + 1, of: rows.length })
    }
    const model = options.models ? 'configured' : 'rules'
    return { ...scoreGate(conversations), model, perturbed: seed, conversations }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
