/**
 * `keepsake eval pairs`: what becomes of a note that is brought beside one that is kept, through `remember` itself. Each
 * pair has a home of its own. The name that comes with the new note was made up by nobody who is there, so it comes as
 * an import: a name that a person gives decides alone (spec S3).
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DEFAULT_CONFIG, type Memory, type RememberResult } from '../domain/index.ts'
import { throwIfCancelled } from '../errors.ts'
import { createMemory } from '../index.ts'
import { type PairNote, type PairRow, readPairs } from './pairs-data.ts'
import { type DecidedPair, type Decision, type PairScore, scorePairs } from './pairs-score.ts'

export interface EvalPairsOptions {
  readonly file: string
  /** The homes that are filled lie below it, and are removed. */
  readonly temporaryDirectory: string
  readonly signal?: AbortSignal
  readonly onProgress?: (done: { readonly groups: number; readonly of: number }) => void
}

export interface PairsReport extends PairScore {
  /** In file order. */
  readonly decided: readonly DecidedPair[]
}

/** Throws INPUT_INVALID for a file that is no data set. Stops between two pairs when the signal says so. */
export async function evalPairs(options: EvalPairsOptions): Promise<PairsReport> {
  const pairs = readPairs(options.file)
  const folder = realpathSync(mkdtempSync(join(options.temporaryDirectory, 'keepsake-eval-')))
  const decided: DecidedPair[] = []
  try {
    for (const [at, pair] of pairs.entries()) {
      throwIfCancelled(options.signal)
      const { id, lang, label } = pair
      decided.push({ id, lang, label, decision: await decide(pair, join(folder, String(at))) })
      options.onProgress?.({ groups: at + 1, of: pairs.length })
    }
    return { ...scorePairs(decided), decided }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What is measured is the decision, not what may be kept at all. */
const everythingMayBeKept = { ...DEFAULT_CONFIG, sensitive: 'allow' } as const

async function decide({ existing, incoming }: PairRow, folder: string): Promise<Decision> {
  const cwd = join(folder, 'project')
  mkdirSync(cwd, { recursive: true })
  const memory = await createMemory({
    home: join(folder, 'home'),
    cwd,
    config: { config: everythingMayBeKept, unknownKeys: [], problems: [], usable: true },
  })
  try {
    await memory.remember({ ...given(existing), author: 'person' })
    return await decisionOf(memory, existing, await memory.remember({ ...given(incoming), author: 'import' }))
  } finally {
    await memory.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function given({ type, name, description, body }: PairNote) {
  return { text: body, type, name, description, layer: 'project' } as const
}

/** A new version that took the place of other words is an update, however it came about. */
async function decisionOf(memory: Memory, existing: PairNote, result: RememberResult): Promise<Decision> {
  if (result.outcome === 'unchanged') return 'merge'
  if (result.outcome === 'merged') {
    const read = await memory.read(result.note.id)
    return read?.note.body.trim() === existing.body.trim() ? 'merge' : 'update'
  }
  return result.similar.some(({ relation }) => relation === 'update') ? 'update' : 'separate'
}
