/**
 * The only place that writes notes. Under the layer's lock: plan on the bytes that are there, write with their hashes,
 * then MEMORY.md and the history. When somebody else changed a file in between, look again; never overwrite. The write
 * is acknowledged when the note is on disk: what follows (MEMORY.md, history, index) may lag and is told as a notice.
 */
import type { EntriesNow, Layer, Rejection } from '../domain/index.ts'
import { hasCode, MemoryError } from '../errors.ts'
import type { Recorded, Watch } from '../store/notes/history.ts'
import type { LockedLayer } from '../store/notes/note-files.ts'
import type { WriteContext } from './dependencies.ts'
import type { Draft } from './draft.ts'
import { type FileChange, type Plan, planWrite } from './plan-write.ts'
import { fitProfile } from './profile/fit-profile.ts'
import { readerOf } from './read-layer.ts'
import { regenerateIndex } from './regenerate-index.ts'
import { retryWhenChanged } from './retry-when-changed.ts'

/** The extractor works in the background and may wait longer than a person. */
const EXTRACTOR_WAIT_MS = 60_000

type Doable = Exclude<Plan, { kind: 'blocked' }>

export type Committed =
  | {
      readonly state: 'done'
      readonly plan: Doable
      /** Id of the recorded change, or null when there is none. */
      readonly change: string | null
      readonly notices: readonly string[]
    }
  /** The writer can mend it: no room in the profile, words that stand for others. */
  | { readonly state: 'refused'; readonly reason: Rejection; readonly present: EntriesNow | null }
  /** A person has to look: the plan is blocked, or the file kept changing. */
  | { readonly state: 'undecided'; readonly plan: Plan; readonly reason: string }

/** Throws STORE_BUSY when the lock cannot be had, and what a broken store throws; then nothing was changed. */
export async function commit(
  dependencies: WriteContext,
  layer: Layer,
  draft: Draft,
  signal: AbortSignal | undefined,
): Promise<Committed> {
  const lock = { signal, ...(draft.author === 'extractor' ? { waitMs: EXTRACTOR_WAIT_MS } : {}) }
  return dependencies.files.withLock(layer, lock, async (locked) => {
    const watch = dependencies.history.watch(locked)
    const reader = readerOf(locked, layer, dependencies)
    try {
      return await retryWhenChanged(async (): Promise<Committed> => {
        const wanted = await planWrite(reader, draft, dependencies.ids)
        const fitted = await fitProfile(reader, layer, { plan: wanted, draft }, dependencies)
        if ('reason' in fitted) return { state: 'refused', ...fitted }
        const { plan } = fitted
        if (plan.kind === 'blocked') return { state: 'undecided', plan, reason: plan.reason }
        await writeAll(watch.locked, plan)
        // Also when nothing was new: an earlier writer may have died between the note and its line.
        const lagging = await updateIndexFile(dependencies, locked, layer, { isNewNote: plan.kind === 'create' })
        const { id, notices } = await recordChange(watch, plan, draft.authorName)
        return { state: 'done', plan, change: id, notices: [...fitted.notices, ...lagging, ...notices] }
      })
    } catch (error) {
      if (!hasCode(error, 'NOTE_CHANGED_ON_DISK')) throw error
      const plan = await planWrite(reader, draft, dependencies.ids)
      return { state: 'undecided', plan, reason: 'The file kept changing on disk, so it was not overwritten.' }
    }
  })
}

/** The new words first: a note is only marked superseded once its successor is on disk. */
async function writeAll(locked: LockedLayer, plan: Doable): Promise<void> {
  const changes: FileChange[] = [...(plan.kind === 'unchanged' ? [] : [plan.change]), ...plan.also]
  for (const { file, bytes, baseHash } of changes) await locked.write(file, bytes, baseHash)
}

function recordChange(watch: Watch, plan: Doable, author: string): Promise<Recorded> {
  const isNothing = plan.kind === 'unchanged' && plan.also.length === 0
  if (isNothing) return Promise.resolve({ id: null, notices: [] })
  const why = { create: 'Remembered a new note', patch: 'Remembered a new version', unchanged: 'Retired a note' }
  return watch.commit({ kind: 'remember', author, why: why[plan.kind] })
}

/** MEMORY.md after a change of notes; a failure is a notice, and so is a note that hardly has room there. */
export async function updateIndexFile(
  dependencies: Pick<WriteContext, 'isToolWritten' | 'cache' | 'earned'>,
  locked: LockedLayer,
  layer: Layer,
  { isNewNote = false }: { readonly isNewNote?: boolean } = {},
): Promise<readonly string[]> {
  try {
    const { problems, pressure } = await regenerateIndex(locked, layer, dependencies)
    return isNewNote && pressure !== null ? [...problems, pressure] : problems
  } catch (error) {
    return [lagging('MEMORY.md', error)]
  }
}

/** The search index after the lock is gone; a failure is a notice. */
export async function updateSearchIndex(
  dependencies: Pick<WriteContext, 'afterCommit'>,
  layers: readonly Layer[],
): Promise<readonly string[]> {
  const notices: string[] = []
  for (const layer of layers) {
    try {
      await dependencies.afterCommit(layer)
    } catch (error) {
      notices.push(lagging('The search index', error))
    }
  }
  return notices
}

function lagging(what: string, error: unknown): string {
  const why = MemoryError.isInstance(error) ? error.code : 'an unexpected fault'
  return `${what} could not be updated now (${why}); the next refresh brings it up to date.`
}
