/** The deferred pipeline as the engine wires it (spec W14): under the worker's lease, each layer in its own place. */
import { isAbsolute, relative, sep } from 'node:path'
import {
  type Clock,
  type Config,
  type DeferredProgress,
  type DeferredReport,
  type DeferredStatus,
  isoSeconds,
  type Layer,
  type LayerName,
  layerNameOf,
  modeOf,
  type Session,
} from '../domain/index.ts'
import { scanLayer } from '../store/notes/layer-scan.ts'
import { readNote } from '../store/notes/note-format.ts'
import { type Holding, layersDue, nextPassAt, type PassPlace, pruneSummary, runDeferred } from '../write/index.ts'
import type { Core } from './core.ts'
import { createPlace, type Place } from './place.ts'
import { whileHeld } from './while-held.ts'
import { HEARTBEAT_MS, type WorkerLease } from './worker-lease.ts'

export interface RunDeferredOptions {
  readonly lease: WorkerLease
  readonly now: boolean
  readonly signal: AbortSignal | undefined
  readonly onProgress: (progress: DeferredProgress) => void
}

/** Null where no database keeps conversations. Throws CANCELLED. */
export async function deferredRun(core: Core, here: Place, run: RunDeferredOptions): Promise<DeferredReport | null> {
  const { options, home, stores, models, sessionModes, placeOptions } = core
  const { loaded, clock } = options
  const sessions = loaded.config.capture.sessions ? core.readableSessions() : null
  const memories = stores.state()?.sessionMemories
  if (!sessions || !memories) return null
  return runDeferred({
    jobs: models,
    sessions,
    memories,
    config: loaded.config.deferred,
    clock,
    modeOf: sessionModes.modeOf,
    layerModeOf: (key) =>
      modeOf({ key, name: layerNameOf(key) }, { ...placeOptions.config, session: { mode: 'auto' } }),
    isOwn: (session) => isOwnWork(session, home.directory),
    placeOf: (layer, cwd) => passPlace(core, here, { layer, cwd }),
    holding: holdingOf(run),
    isNow: run.now,
    onProgress: run.onProgress,
  })
}

/** A call takes minutes, a lease two: it is renewed while the work waits for a model. */
function holdingOf({ lease, signal }: RunDeferredOptions): Holding {
  return (work) => whileHeld({ keep: () => lease.keep(), everyMs: HEARTBEAT_MS, signal }, work)
}

/** Where drivers let an agent program work, and our own home: what is said there is said by our own workers. */
function isOwnWork({ cwd }: Session, home: string): boolean {
  if (cwd === null) return false
  const inHome = relative(home, cwd)
  return (!inHome.startsWith('..') && !isAbsolute(inHome)) || /^keepsake-model-/.test(cwd.split(sep).at(-1) ?? '')
}

async function passPlace(
  core: Core,
  here: Place,
  { layer, cwd }: { readonly layer: string; readonly cwd: string | null },
): Promise<PassPlace | null> {
  const { options, files, history, isToolWritten, placeOptions, writerParts } = core
  const config = { ...placeOptions.config, session: { mode: 'auto' as const } }
  const folder = cwd ?? (here.projectKey() === layer ? options.cwd : null)
  if (folder === null && layer !== 'global') return null
  const there = await createPlace(folder ?? options.cwd, { ...placeOptions, config, goneIsPlace: true }, writerParts)
  const { global, project } = there.current()
  const isProject = layer !== 'global'
  if (isProject && project?.key !== layer) return null
  const layers = [isProject ? project : null, global].filter((each) => each !== null)
  const roots = layers
    .filter((each) => modeOf(each, config) !== 'off')
    .map((each) => ({ name: each.name, layer: each }))
  return { roots, files, history, writer: there.writer, isToolWritten, sensitive: config.sensitive }
}

/** What was forgotten, or went by hand, stands in the summary of its project no longer. */
export async function keepSummaryTrue(
  { files, placeOptions, onProblem }: Pick<Core, 'files' | 'placeOptions' | 'onProblem'>,
  layer: Layer | null,
  global: Layer,
): Promise<void> {
  if (layer?.name !== ('project' satisfies LayerName)) return
  const mode = modeOf(layer, placeOptions.config)
  if (mode === 'off' || mode === 'read-only') return
  try {
    await pruneSummary(files, layer, async () => {
      const scans = await Promise.all([layer, global].map((each) => scanLayer(files, each, { parse: readNote })))
      return scans.flatMap(({ notes }) => notes.flatMap(({ name, status }) => (status === 'active' ? name : [])))
    })
  } catch (error) {
    onProblem(error, 'summary')
  }
}

/** Null while there is no database. */
export function deferredStatus({
  stores,
  config,
  clock,
}: Pick<Core, 'stores'> & {
  readonly config: Config['deferred']
  readonly clock: Clock
}): DeferredStatus | null {
  const memories = stores.state()?.sessionMemories
  if (!memories) return null
  const passes = memories.passes()
  const succeeded = passes.flatMap(({ succeededAt }) => succeededAt ?? [])
  const next = layersDue({ memories }).map((layer) => nextPassAt({ memories, config }, layer))
  return {
    ...memories.counts(),
    lastPass: succeeded.length === 0 ? null : isoSeconds(Math.max(...succeeded)),
    nextPass: next.length === 0 ? null : isoSeconds(Math.max(Math.min(...next), clock.now())),
    problem: passes.flatMap(({ failure }) => failure?.problem ?? [])[0] ?? null,
  }
}
