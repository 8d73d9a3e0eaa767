/** The composition root: one opened home, seen from one folder, as one Memory. */
import { realpathSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import {
  type CaptureInput,
  type CaptureResult,
  type ContextInput,
  type EditInput,
  type EditResult,
  isShared,
  type Layer,
  type LayerMode,
  type Memory,
  modeOf,
  type RecallInput,
  type RememberInput,
  type RememberResult,
} from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import { readStartBlock } from '../inject/index.ts'
import { openCurrentHome } from '../store/migrate-home.ts'
import { ANYWHERE } from '../store/notes/precedence.ts'
import { createCapture, regenerateIndex } from '../write/index.ts'
import { type Core, type EngineOptions, openCore } from './core.ts'
import { reportHealth } from './health.ts'
import { createHistoryAccess } from './history.ts'
import { createNotes } from './notes.ts'
import { createPlace, everyLayer, type Place } from './place.ts'
import { createRefresh } from './refresh.ts'
import { createReviewAccess } from './review.ts'
import { setSessionMode, settleSessionModes } from './session-mode.ts'
import { createSessions } from './sessions.ts'
import { shownBlock, shownHit } from './shown.ts'
import { takeBack } from './take-back.ts'

/** How long background work waits for the lock of a layer (design 5a.1). */
const WORKER_LOCK_WAIT_MS = 60_000

/** Opens a home for one folder. Creates nothing: the first write does. Throws HOME_INVALID. */
export async function createEngine(options: EngineOptions): Promise<Memory> {
  const home = await openCurrentHome(options.home)
  const seen: Pick<Place, 'layers' | 'here'> = { layers: () => [], here: () => ANYWHERE }
  const core = openCore(options, home, { layers: () => seen.layers(), here: () => seen.here() })
  const place = await createPlace(options.cwd, core.placeOptions, core.writerParts)
  Object.assign(seen, { layers: place.layers, here: place.here })
  return methodsOf(core, place)
}

function methodsOf(core: Core, place: Place): Memory {
  const { files, stores, recall, options } = core
  const { layers } = place
  const notes = createNotes({ ...core, layers, here: place.here, clock: options.clock })
  const capture = captureIn(core, place)
  const refresh = createRefresh({
    ...core,
    sync: core.view.sync,
    clock: options.clock,
    ids: options.ids,
    layers: () => everyLayer(core.placeOptions),
    capture,
    tidyLayer: async (layer) => {
      const problems = await tidyLayer(core, layer)
      await askAboutFiles(core, place, layer)
      return problems
    },
  })
  const healthOf = {
    ...core,
    sync: core.view.sync,
    clock: options.clock,
    loaded: options.loaded,
    place,
    notes,
    tombstones: core.writerParts.tombstones,
  }
  return {
    remember: rememberIn(core, place),
    recall: async (input) => {
      const stale = await prepare(core, place, input.in)
      const found = await (stale === null ? recall : core.recallByScan(stale)).recall(input)
      return { ...found, results: found.results.map((hit) => shownHit(hit, layers())) }
    },
    read: (reference) => notes.read(reference),
    list: (input = {}) => notes.list(input),
    forget: (reference, more) => writing(core, () => place.writer.forget(reference, more)),
    review: createReviewAccess({
      ...core,
      review: place.writer.review,
      everyLayer: () => everyLayer(core.placeOptions),
      projectKey: place.projectKey,
      writing: (work) => writing(core, work),
    }),
    context: (input = {}) => startBlock(core, place, input),
    capture: (input) =>
      writing(core, () => capture({ ...input, mode: input.mode ?? options.loaded.config.session.mode })),
    refresh: (input) =>
      writing(core, async () => {
        await place.relink()
        const problems = await settleSessionModes(core, core.sessionModes)
        const result = await refresh(input)
        return { ...result, problems: [...problems, ...result.problems] }
      }),
    status: () => reportHealth(healthOf, 'status'),
    doctor: () => reportHealth(healthOf, 'doctor'),
    close: async () => stores.close(),
    sessions: createSessions({
      store: () => stores.sessions(),
      unavailable: () => stores.unavailable(),
      projectKey: place.projectKey,
      recall,
      prepare: async () => void (await prepare(core, place, 'sessions')),
      setMode: (input) => writing(core, () => setSessionMode(core, core.sessionModes, input)),
    }),
    history: createHistoryAccess({
      history: core.history,
      files,
      notes,
      layers,
      undo: (reference, more) => writing(core, () => place.writer.undo(reference, more)),
    }),
  }
}

/** One verb for a new memory and for edits of what is known. */
function rememberIn(core: Core, { writer }: Place): Memory['remember'] {
  function remember(input: RememberInput): Promise<RememberResult>
  function remember(input: EditInput): Promise<EditResult>
  function remember(input: RememberInput | EditInput): Promise<RememberResult | EditResult> {
    return 'edits' in input ? writing(core, () => writer.edit(input)) : writing(core, () => writer.remember(input))
  }
  return remember
}

/** MEMORY.md and the history of one layer, under its lock; a folder that does not exist is left so. */
async function tidyLayer({ files, isToolWritten, history }: Core, layer: Layer): Promise<readonly string[]> {
  const { state, files: notes } = await files.list(layer)
  if (state !== 'ok') return []
  const problems = await files.withLock(layer, { waitMs: WORKER_LOCK_WAIT_MS }, async (locked) => {
    const tidied = notes.length > 0 ? (await regenerateIndex(locked, layer, { isToolWritten })).problems : []
    await history.catchUp(locked)
    return tidied
  })
  await history.pack(layer)
  return problems
}

/** What an agent's own tools wrote is a fact until the user says that it is a rule (spec I11). */
async function askAboutFiles({ options, onProblem }: Core, place: Place, layer: Layer): Promise<void> {
  const mode = modeOf(layer, options.loaded.config)
  if (mode === 'off' || mode === 'read-only') return
  try {
    await place.writer.review.askAboutFiles(layer)
  } catch (error) {
    onProblem(error, 'proposals')
  }
}

/** A config.json that cannot be read may say `off`: nothing is written until it can be. */
function writing<Result>({ options, home }: Core, work: () => Promise<Result>): Promise<Result> {
  if (options.loaded.usable) return work()
  const [problem = 'config.json cannot be read'] = options.loaded.problems
  throw new MemoryError('CONFIG_INVALID', problem, {
    hint: 'Mend or remove config.json; nothing was changed.',
    data: { file: home.directory },
  })
}

/**
 * Brings into the index what a search needs. A failure is no reason to fail; gives why the index may not know what the
 * files say now, or null.
 */
async function prepare(core: Core, place: Place, target: RecallInput['in']): Promise<string | null> {
  const { view, stores, onProblem } = core
  let stale: string | null = null
  for (const layer of target === 'sessions' ? [] : place.layers()) {
    const failed = await syncNotes(core, layer)
    stale ??= failed
  }
  if (target === 'notes' || target === undefined) return stale
  try {
    const store = stores.sessions()
    // Only what this folder may see is searched, so only that must be up to date.
    if (store) await view.sync.sessions(store, { projects: [place.projectKey()] })
  } catch (error) {
    onProblem(error, 'sessions')
  }
  return stale
}

/** An index that another process is writing to is nearly up to date, and scanning costs more than it gives. */
async function syncNotes(core: Core, layer: Layer): Promise<string | null> {
  try {
    const report = await core.view.sync.layer(layer)
    return report.failure && report.failure.code !== 'SQLITE_BUSY' ? report.failure.message : null
  } catch (error) {
    core.onProblem(error, 'sync')
    return null
  }
}

/** Each session is captured in the place of its own folder. */
function captureIn(core: Core, here: Place): (input: CaptureInput) => Promise<CaptureResult> {
  const { options, stores, placeOptions, writerParts, toolWrites } = core
  const placeOf = async (cwd: string | null, mode: LayerMode) => {
    const config = { ...placeOptions.config, session: { mode } }
    const isHere = (cwd === null || cwd === options.cwd) && mode === options.loaded.config.session.mode
    const there = isHere
      ? here
      : await createPlace(cwd ?? options.cwd, { ...placeOptions, config, goneIsPlace: true }, writerParts)
    if (options.loaded.config.capture.sessions) await there.register()
    const notes = createNotes({ ...core, layers: there.layers, here: there.here, clock: options.clock })
    return {
      project: there.projectKey(),
      remember: there.writer.remember,
      // What others wrote down is no reason to leave out the user's own words.
      existing: async () => (await notes.scan()).flatMap(({ note, layer }) => (isShared(layer) ? [] : note)),
      takeBack: (session: string, hashes: ReadonlySet<string>) =>
        takeBack(session, hashes, { ...core, notes, writer: there.writer }),
      isNotePath: (path: string) => there.layers().some((layer) => isBelow(layer.directory, path)),
    }
  }
  return async (input) => {
    await writerParts.ensureHome()
    const run = createCapture({
      readers: options.readers,
      sessions: stores.sessions(),
      state: stores.state(),
      unavailable: stores.unavailable(),
      config: options.loaded.config,
      clock: options.clock,
      placeOf,
      modeOf: core.sessionModes.modeOf,
      recordToolWrite: ({ path, session, time }) => toolWrites.record(path, session, time),
    })
    // Cursors are kept by path: one file has one.
    return run({ ...input, file: resolve(options.cwd, input.file) })
  }
}

async function startBlock(core: Core, place: Place, { agent = 'plain', explain }: ContextInput) {
  const { files, isToolWritten, options } = core
  const known = ['plain', ...Object.keys(options.readers)]
  if (!known.includes(agent))
    throw new MemoryError('AGENT_UNKNOWN', `No dialect is called ${JSON.stringify(agent)}`, {
      hint: `Known: ${known.join(', ')}.`,
      data: { agent, known },
    })
  const resolution = place.resolution()
  const projectName = resolution.kind === 'known' ? resolution.project.name : null
  const { config } = options.loaded
  const source = {
    home: core.home.directory,
    files,
    layers: place.layers(),
    isToolWritten,
    config,
    projectName,
    here: place.here(),
  }
  return shownBlock(await readStartBlock({ ...source, explain }))
}

/** By the path as it is, or as its links lead: an agent may have written through one. */
function isBelow(directory: string, path: string): boolean {
  return [path, realPathOf(path)].some(
    (each) => each.startsWith(`${directory}${sep}`) || each.startsWith(`${realPathOf(directory)}${sep}`),
  )
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // Gone meanwhile: then the path as it was written has to do.
    return path
  }
}
