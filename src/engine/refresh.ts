/**
 * Closes every gap between what happened and what is kept: journal lines and transcripts that grew are captured, changed
 * files are read, lines that agents put into MEMORY.md become descriptions, displaced files are settled. One process at
 * a time holds the lease; everybody else ends at once. Nothing here is lost when it is killed: it starts over.
 */
import { existsSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import {
  type CaptureInput,
  type CaptureResult,
  type Clock,
  type Home,
  type IdSource,
  isoSeconds,
  isShared,
  type Layer,
  type RefreshResult,
} from '../domain/index.ts'
import { MemoryError, messageOf, throwIfCancelled } from '../errors.ts'
import { takeJournal } from '../store/journal.ts'
import { recordRefreshDay } from '../store/notes/here.ts'
import type { NoteFiles } from '../store/notes/note-files.ts'
import type { Sync } from '../store/sync.ts'
import { type EmbedDependencies, embeddingStatus, embedMissing } from './embed.ts'
import { keepSharedIndex } from './shared-index.ts'
import type { Stores } from './stores.ts'
import { takeWorkerLease, type WorkerLease } from './worker-lease.ts'

export interface RefreshDependencies {
  readonly home: Home
  readonly stores: Stores
  readonly files: NoteFiles
  readonly sync: Sync
  readonly clock: Clock
  readonly ids: IdSource
  readonly layers: () => readonly Layer[]
  readonly capture: (input: CaptureInput) => Promise<CaptureResult>
  /**
   * Regenerates MEMORY.md, takes over lines that agents wrote, and records in the history what changed outside. Returns
   * sentences about what it could not do.
   */
  readonly tidyLayer: (layer: Layer) => Promise<readonly string[]>
  readonly isToolWritten: (path: string) => boolean
  /** Null while no embedder is named. */
  readonly embedding: EmbedDependencies | null
  readonly onProblem: (error: unknown, where: string) => void
}

export type Refresh = (input?: { readonly signal?: AbortSignal }) => Promise<RefreshResult>

export function createRefresh(dependencies: RefreshDependencies): Refresh {
  const owner = `${hostname()}:${process.pid}:${dependencies.ids.next()}`
  return async ({ signal } = {}) => {
    const { stores, clock } = dependencies
    const lease = takeWorkerLease(stores.state(), owner, clock)
    if (!lease) return { ...nothing, problems: [TAKEN] }
    try {
      const unavailable = stores.unavailable()
      const captured = await captureWaiting(dependencies, lease, signal)
      const layers = await refreshLayers(dependencies, lease, signal)
      if (lease.keep()) await rememberDay(dependencies)
      const store = lease.keep() ? stores.sessions() : null
      if (store) await dependencies.sync.sessions(store, { signal })
      const embedded = lease.keep() ? await embed(dependencies, lease, signal) : { problems: [] }
      return {
        layers: layers.map(({ layer, changed, removed }) => ({ layer, changed, removed })),
        captured: captured.messages,
        settled: sum(layers.map(({ settled }) => settled)),
        waiting: sum(layers.map(({ waiting }) => waiting)),
        conflicts: layers.flatMap(({ conflicts }) => conflicts),
        ...(embedded.embedding ? { embedding: embedded.embedding } : {}),
        problems: [
          ...(unavailable === null ? [] : [unavailable]),
          ...captured.problems,
          ...layers.flatMap(({ problems }) => problems),
          ...embedded.problems,
          ...(lease.keep() ? [] : [TAKEN]),
        ],
      }
    } finally {
      lease.release()
    }
  }
}

const TAKEN = 'another process is refreshing this home'
const nothing: RefreshResult = { layers: [], captured: 0, settled: 0, waiting: 0, conflicts: [], problems: [] }

/** Transcripts named by the journal, and those whose cursor lags behind their size (a lost line costs a delay only). */
async function captureWaiting(dependencies: RefreshDependencies, lease: WorkerLease, signal: AbortSignal | undefined) {
  const { home, stores, ids } = dependencies
  // Without a database the journal is where conversations wait.
  if (stores.state() === null) return { messages: 0, problems: [] }
  const journal = takeJournal(home.directory, { ids })
  const waiting = new Map<string, string>()
  for (const { agent, transcript } of journal.entries) if (transcript) waiting.set(transcript, agent)
  for (const { transcript, agent, offset } of stores.state()?.cursors() ?? [])
    if (sizeOf(transcript) > offset) waiting.set(transcript, agent)
  let messages = 0
  const problems: string[] = []
  const again = new Set<string>()
  for (const [file, agent] of waiting) {
    // What is not done by then is in the files of the journal that stay.
    if (!lease.keep()) return { messages, problems }
    try {
      messages += (await captureWhileHeld(dependencies, { file, agent, signal }, lease)).messages
    } catch (error) {
      if (signal?.aborted) throw error
      if (!lease.keep()) return { messages, problems }
      // A transcript that its client deleted is no failure; anything else is named, and the others go on.
      if (sizeOf(file) === 0) continue
      if (isPassing(error)) again.add(file)
      dependencies.onProblem(error, 'worker capture')
      problems.push(`${file}: ${messageOf(error)}`)
    }
  }
  journal.done(journal.entries.filter(({ transcript }) => transcript !== null && again.has(transcript)))
  return { messages, problems }
}

/** A long transcript outlasts the lease unless it is renewed on the way; when it is lost, the work stops. */
function captureWhileHeld(dependencies: RefreshDependencies, input: CaptureInput, lease: WorkerLease) {
  const lost = new AbortController()
  const signals = [lost.signal, ...(input.signal ? [input.signal] : [])]
  const onProgress = () => {
    if (!lease.keep()) lost.abort()
  }
  return dependencies.capture({ ...input, signal: AbortSignal.any(signals), onProgress })
}

/** The transcript may be read well another time: a database that is locked or damaged, a disk that is full. */
function isPassing(error: unknown): boolean {
  return MemoryError.isInstance(error) && /^(SQLITE|STORE)_/.test(error.code)
}

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

/** Dates of expiry act by a recorded run, so that a start block is the same until then. */
async function rememberDay({ home, clock, onProblem }: RefreshDependencies): Promise<void> {
  if (!home.writable || !existsSync(home.directory)) return
  try {
    await recordRefreshDay(home.directory, isoSeconds(clock.now()).slice(0, 10))
  } catch (error) {
    onProblem(error, 'refresh')
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

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
