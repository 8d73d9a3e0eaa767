/**
 * Closes every gap between what happened and what is kept: journal lines and transcripts that grew are captured, changed
 * files are read, lines that agents put into MEMORY.md become descriptions, displaced files are settled. One process at
 * a time holds the lease; everybody else ends at once. Nothing here is lost when it is killed: it starts over.
 */
import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import {
  type Clock,
  type DeferredReport,
  homeFiles,
  isoSeconds,
  isShared,
  type Layer,
  type RefreshInput,
  type RefreshResult,
} from '../domain/index.ts'
import { MemoryError, messageOf, throwIfCancelled } from '../errors.ts'
import { readJournal } from '../store/journal.ts'
import { recordRefreshDay } from '../store/notes/here.ts'
import type { NoteFiles } from '../store/notes/note-files.ts'
import type { StartBlocks } from '../store/start-blocks.ts'
import type { Sync } from '../store/sync.ts'
import { type CaptureWaitingDependencies, captureWaiting } from './capture-waiting.ts'
import type { RunDeferredOptions } from './deferred.ts'
import { type EmbedDependencies, embeddingStatus, embedMissing } from './embed.ts'
import { type JobRunner, NO_JOBS } from './job-runner.ts'
import { standOf } from './jobs.ts'
import type { SessionNotesAccess } from './session-notes.ts'
import { keepSharedIndex, type SharedIndexTools } from './shared-index.ts'
import { recordUserLanguage } from './user-language.ts'
import { ANOTHER_REFRESHES, takeWorkerLease, type WorkerLease } from './worker-lease.ts'

export interface RefreshDependencies extends CaptureWaitingDependencies {
  readonly files: NoteFiles
  readonly sync: Sync
  readonly clock: Clock
  readonly startBlocks: Pick<StartBlocks, 'removeOld'>
  readonly layers: () => readonly Layer[]
  /**
   * Regenerates MEMORY.md, takes over lines that agents wrote, and records in the history what changed outside. Returns
   * sentences about what it could not do.
   */
  readonly tidyLayer: (layer: Layer) => Promise<readonly string[]>
  readonly isToolWritten: (path: string) => boolean
  readonly earned: SharedIndexTools['earned']
  /** Null while no embedder is named. */
  readonly embedding: EmbedDependencies | null
  readonly sessionNotes: Pick<SessionNotesAccess, 'tidy'>
  /** Does what waits in the queue and is due. */
  readonly runJobs: JobRunner['run']
  /** Reads idle conversations and tidies notes; null where nothing keeps conversations. */
  readonly runDeferred: (run: RunDeferredOptions) => Promise<DeferredReport | null>
}

export type Refresh = (input?: RefreshInput) => Promise<RefreshResult>

export function createRefresh(dependencies: RefreshDependencies): Refresh {
  const owner = `${hostname()}:${process.pid}:${dependencies.ids.next()}`
  return async ({ signal, now = false, onProgress = () => undefined } = {}) => {
    const { stores, clock } = dependencies
    const lease = takeWorkerLease(stores.state(), owner, clock)
    if (!lease) {
      // What is due is the other one's.
      const jobs = { ...standOf(stores.state()?.queue ?? null), nextDue: null, done: 0, written: 0 }
      return { ...nothing, jobs, problems: [ANOTHER_REFRESHES] }
    }
    try {
      const unavailable = stores.unavailable()
      const before = await captureWaiting(dependencies, { lease, signal, now })
      const layers = await refreshLayers(dependencies, lease, signal)
      if (lease.keep()) await rememberDay(dependencies)
      const notes = lease.keep() ? await tidyNotes(dependencies) : []
      const droppedBlocks = lease.keep() ? dropOldBlocks(dependencies) : []
      const store = lease.keep() ? stores.sessions() : null
      if (store) await dependencies.sync.sessions(store, { signal })
      if (store) await recordUserLanguage(dependencies, store)
      const ran = lease.keep() ? await dependencies.runJobs({ lease, signal, now }) : NO_JOBS
      const deferred = lease.keep() ? await defer(dependencies, { lease, now, signal, onProgress }) : nothingDeferred
      // A model takes its time: what hooks left meanwhile found the lease taken.
      const isMore =
        (ran.done > 0 || isBusy(deferred.report)) &&
        lease.keep() &&
        readJournal(dependencies.home.directory).entries.length > 0
      const after = isMore ? await captureWaiting(dependencies, { lease, signal }) : { messages: 0, problems: [] }
      const embedded = lease.keep() ? await embed(dependencies, lease, signal) : { problems: [] }
      return {
        layers: layers.map(({ layer, changed, removed }) => ({ layer, changed, removed })),
        captured: before.messages + after.messages,
        settled: sum(layers.map(({ settled }) => settled)),
        waiting: sum(layers.map(({ waiting }) => waiting)),
        conflicts: layers.flatMap(({ conflicts }) => conflicts),
        ...(droppedBlocks.length > 0 ? { droppedBlocks } : {}),
        jobs: { ...standOf(stores.state()?.queue ?? null), done: ran.done, written: ran.written },
        ...(deferred.report ? { deferred: deferred.report } : {}),
        ...(embedded.embedding ? { embedding: embedded.embedding } : {}),
        problems: [
          ...(unavailable === null ? [] : [unavailable]),
          ...before.problems,
          ...after.problems,
          ...notes,
          ...ran.problems,
          ...deferred.problems,
          ...layers.flatMap(({ problems }) => problems),
          ...embedded.problems,
          ...(lease.keep() ? [] : [ANOTHER_REFRESHES]),
        ],
      }
    } finally {
      lease.release()
    }
  }
}

const nothingDeferred: { readonly report: DeferredReport | null; readonly problems: readonly string[] } = {
  report: null,
  problems: [],
}

/** A fault here must not keep the rest from being brought up to date. */
async function defer({ runDeferred, onProblem }: RefreshDependencies, run: RunDeferredOptions) {
  try {
    const report = await runDeferred(run)
    const failed = report?.two.passes.flatMap(({ layer, problem }) => (problem === null ? [] : `${layer}: ${problem}`))
    return { report, problems: failed ?? [] }
  } catch (error) {
    throwIfCancelled(run.signal)
    onProblem(error, 'worker deferred')
    return { report: null, problems: [`Idle conversations could not be read: ${messageOf(error)}`] }
  }
}

function isBusy(report: DeferredReport | null): boolean {
  return report !== null && (report.one.memories > 0 || report.two.passes.length > 0)
}

const nothing = { layers: [], captured: 0, settled: 0, waiting: 0, conflicts: [] }

async function refreshLayers(dependencies: RefreshDependencies, lease: WorkerLease, signal: AbortSignal | undefined) {
  const results = []
  const isWithoutSqlite = dependencies.stores.unavailable() !== null
  for (const layer of dependencies.layers()) {
    throwIfCancelled(signal)
    if (!lease.keep()) break
    const problems: string[] = []
    const settled = isShared(layer) ? nothingSettled : await keepTidy(dependencies, layer, problems)
    const report = await dependencies.sync.layer(layer, { signal })
    if (isShared(layer))
      await keepSharedIndex(layer, report, dependencies).catch((error: unknown) => problems.push(messageOf(error)))
    // That there is no SQLite is said once, for all layers.
    if (report.failure && !isWithoutSqlite) problems.push(`${layer.key}: ${report.failure.message}`)
    results.push({ layer: layer.key, changed: report.changed, removed: report.removed, ...settled, problems })
  }
  return results
}

/** Last, because words are found without it. A model that cannot be used is named; what it saw stays. */
async function embed(
  { embedding, onProblem }: RefreshDependencies,
  lease: WorkerLease,
  signal: AbortSignal | undefined,
) {
  if (embedding === null) return { problems: [] }
  const problems: string[] = []
  try {
    const shown = await embedMissing(embedding, { mayGoOn: () => lease.keep(), signal })
    return { problems, embedding: { ...embeddingStatus(embedding), shown } }
  } catch (error) {
    throwIfCancelled(signal)
    onProblem(error, 'worker embed')
    const hint = MemoryError.isInstance(error) ? error.hint : undefined
    const told = hint === undefined ? messageOf(error) : `${messageOf(error)}. ${hint}`
    problems.push(`${embedding.embedder.id}: ${told}`)
    return { problems }
  }
}

/** Notes of conversations that are too old go, and no start block names one of last week. */
async function tidyNotes({ home, sessionNotes, onProblem }: RefreshDependencies): Promise<readonly string[]> {
  if (!home.writable || !existsSync(join(home.directory, homeFiles.sessionNotes))) return []
  try {
    return await sessionNotes.tidy()
  } catch (error) {
    onProblem(error, 'refresh')
    return [`Notes of conversations could not be tidied: ${messageOf(error)}`]
  }
}

/** Dates of expiry act by a recorded run, so that a start block is the same until then. */
async function rememberDay({ home, clock, onProblem }: RefreshDependencies): Promise<void> {
  if (!home.writable || !existsSync(home.directory)) return
  try {
    await recordRefreshDay(home.directory, isoSeconds(clock.now()).slice(0, 10))
  } catch (error) {
    onProblem(error, 'refresh')
  }
}

/** Start blocks of conversations that nobody goes on with. */
function dropOldBlocks({ home, startBlocks, onProblem }: RefreshDependencies): readonly string[] {
  if (!home.writable) return []
  try {
    return startBlocks.removeOld()
  } catch (error) {
    onProblem(error, 'refresh')
    return []
  }
}

const nothingSettled = { settled: 0, waiting: 0, conflicts: [] }

/** Only of folders that we write to. */
async function keepTidy(dependencies: RefreshDependencies, layer: Layer, problems: string[]) {
  problems.push(...(await dependencies.tidyLayer(layer)))
  return dependencies.files.settle(layer).catch((error: unknown) => {
    problems.push(messageOf(error))
    return nothingSettled
  })
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
