/** The composition root: one opened home, seen from one folder, as one Memory. */
import type {
  EditInput,
  EditResult,
  Memory,
  RecallInput,
  RecallResult,
  RememberInput,
  RememberResult,
  StatusReport,
} from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import { FACTS_VIEW } from '../inject/index.ts'
import { newerHome } from '../store/home.ts'
import { openCurrentHome } from '../store/migrate-home.ts'
import { ANYWHERE } from '../store/notes/precedence.ts'
import { afterTurnOf } from './after-turn.ts'
import { answered, countOpened } from './answered.ts'
import { captureIn, placesOfSessions } from './capture.ts'
import { checkUses } from './check-uses.ts'
import { contextOf } from './context.ts'
import { type Core, type EngineOptions, openCore } from './core.ts'
import { deferredRun, keepSummaryTrue } from './deferred.ts'
import { factsOf } from './facts.ts'
import { type HealthDependencies, reportHealth, withChecks } from './health.ts'
import { createHistoryAccess } from './history.ts'
import { jobRunnerOf } from './job-runner.ts'
import { createJobs } from './jobs.ts'
import { judgeNote } from './judge-note.ts'
import { createNotes } from './notes.ts'
import { createPlace, everyLayer, type Place } from './place.ts'
import { prepare } from './prepare.ts'
import { probeModels } from './probe-models.ts'
import { createRefresh, type Refresh, type RefreshDependencies } from './refresh.ts'
import { createReviewAccess } from './review.ts'
import { setSessionMode, settleSessionModes } from './session-mode.ts'
import { continuedNote } from './session-notes.ts'
import { createSessions } from './sessions.ts'
import { shownResult } from './shown.ts'
import { tidyLayer } from './tidy.ts'
import { turnOf } from './turn.ts'
import { takingOutOfBlocks } from './undo-in-blocks.ts'
import { withUses } from './uses.ts'
import { verifierOf, verifyHits } from './verify.ts'

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
  const notes = createNotes({
    ...core,
    layers,
    here: place.here,
    clock: options.clock,
    freshness: options.loaded.config.freshness,
    verify: () => verifierOf(core, place),
  })
  const placeOf = placesOfSessions(core, place)
  const afterTurn = afterTurnOf(core, placeOf)
  const work = () => ({ ...afterTurn.work(), ...core.sessionNotes.work() })
  const jobRunner = jobRunnerOf(core, { work })
  const capture = captureIn(core, placeOf, afterTurn.book)
  const refresh = refreshIn(core, place, { capture, reading: afterTurn.book, runJobs: jobRunner.run })
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
    recall: (input) => recallIn(core, place, input),
    read: async (reference, more = {}) => {
      const found = await notes.read(reference)
      if (found) countOpened(core, found.note.id, more)
      return found
    },
    list: (input = {}) => notes.list(input),
    forget: (reference, more) =>
      changing(core, async () => {
        const result = await place.writer.forget(reference, more)
        await keepSummaryTrue(core, place.current().project, place.current().global)
        return result
      }),
    review: createReviewAccess({
      ...core,
      review: place.writer.review,
      everyLayer: () => everyLayer(core.placeOptions),
      projectKey: place.projectKey,
      judgeNote: (input) => changing(core, () => judgeNote({ ...core, notes, clock: options.clock }, input)),
      writing: (work) => writing(core, work),
    }),
    context: async (input = {}) => {
      const { agent, prompt, session, compare } = input
      if ([prompt, session, compare].filter((each) => each !== undefined).length > 1) throw oneOfThem()
      if (prompt === undefined) return contextOf(core, place, input)
      return (agent === FACTS_VIEW ? factsOf : turnOf)(core, place, { ...input, prompt })
    },
    capture: (input) =>
      changing(core, async () => {
        const result = await capture({ ...input, mode: input.mode ?? options.loaded.config.session.mode })
        return { ...result, problems: [...result.problems, ...(afterTurn.book()?.look(new Map()) ?? [])] }
      }),
    refresh: (input) =>
      changing(core, async () => {
        await place.relink()
        const problems = await settleSessionModes(core, core.sessionModes)
        const result = await refresh(input)
        return { ...result, problems: [...problems, ...result.problems] }
      }),
    status: () => reportHealth(healthOf, 'status'),
    doctor: (input) => examine(core, healthOf, input),
    close: async () => {
      core.view.sync.close()
      stores.close()
    },
    sessions: createSessions({
      store: core.readableSessions,
      unavailable: () => stores.unavailable(),
      projectKey: place.projectKey,
      recall,
      prepare: async () => void (await prepare(core, place, 'sessions')),
      models: core.models,
      clock: options.clock,
      readers: options.readers,
      state: () => stores.state(),
      changing: (work) => changing(core, work),
      answered: (input) => answered(core, notes, input),
      notes: core.sessionNotes,
      setMode: (input) => writing(core, () => setSessionMode(core, core.sessionModes, input)),
    }),
    jobs: createJobs({
      queue: () => stores.state()?.queue ?? null,
      clock: options.clock,
      runNow: ({ signal }) => changing(core, () => jobRunner.runAlone({ signal, now: true })),
      giveUp: afterTurn.giveUp,
    }),
    history: createHistoryAccess({
      history: core.history,
      files,
      notes,
      layers,
      undo: (reference, more) =>
        changing(core, () => takingOutOfBlocks(core, () => place.writer.undo(reference, more))),
    }),
  }
}

function refreshIn(
  core: Core,
  place: Place,
  parts: Pick<RefreshDependencies, 'capture' | 'reading' | 'runJobs'>,
): Refresh {
  const { clock, ids } = core.options
  return createRefresh({
    ...core,
    ...parts,
    sync: core.view.sync,
    clock,
    ids,
    layers: () => everyLayer(core.placeOptions),
    runDeferred: (run) => deferredRun(core, place, run),
    tidyLayer: (layer) => tidyLayer(core, place, layer),
  })
}

function oneOfThem(): MemoryError {
  return new MemoryError('INPUT_INVALID', 'A block is made for a message, for a session, or beside another one', {
    hint: 'Name one of `prompt`, `session` and `compare`.',
    data: { field: 'session' },
  })
}

async function recallIn(core: Core, place: Place, input: RecallInput): Promise<RecallResult> {
  const { config } = core.options.loaded
  const stale = await prepare(core, place, input.in)
  const found = await (stale === null ? core.recall : core.recallByScan(stale)).recall({
    ...input,
    rerank: input.rerank ?? config.recall.rerank,
  })
  const shown = withUses(core.uses, shownResult(found, place.layers()))
  const result = await verifyHits(core, place, shown, input.signal)
  const sessionNote = continuedNote(core.sessionNotes, place.projectKey(), input.query)
  return sessionNote ? { ...result, sessionNote } : result
}

async function examine(
  core: Core,
  healthOf: HealthDependencies,
  { askModels = false, signal }: Parameters<Memory['doctor']>[0] = {},
): Promise<StatusReport> {
  const asked = askModels ? await probeModels(core.models, signal) : []
  const report = await reportHealth(healthOf, 'doctor')
  const notes = Object.values(report.notes).reduce((sum, count) => sum + count, 0)
  const silent = checkUses({ ...core, agents: Object.keys(core.options.readers), notes })
  return withChecks(report, [...silent, ...asked])
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

/** For what gives no refusal as a value: a home of a newer format is not touched. */
function changing<Result>(core: Core, work: () => Promise<Result>): Promise<Result> {
  return writing(core, async () => {
    if (!core.home.writable) throw newerHome(core.home)
    return work()
  })
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
