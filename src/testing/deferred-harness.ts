/**
 * The deferred pipeline over a folder with the real file driver, an in-memory history and session store, and a model that
 * answers by a function. Time stands still unless the test moves it.
 */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEFAULT_CONFIG, type DeferredProgress, type Layer, type MessageRole } from '../domain/index.ts'
import { createFakeModelJobs, type FakeAnswer, type JobQuestion, type ModelJobs } from '../models/index.ts'
import { createFsNoteFiles } from '../store/notes/fs-note-files.ts'
import { createNoteHistory } from '../store/notes/history.ts'
import { createMemoryHistory } from '../store/notes/memory-history.ts'
import { createMemorySessionStore } from '../store/sessions/memory-session-store.ts'
import { createMemorySessionMemories } from '../store/state/memory-session-memories.ts'
import { sha256 } from '../util/index.ts'
import { type DeferredDependencies, type PassPlace, runDeferred } from '../write/deferred/index.ts'
import { finishingFiles } from '../write/index.ts'
import { createWriteHarness } from './write-harness.ts'

export type Said = readonly [role: MessageRole, content: string]

/** A question of one of the two stages; `at` counts the questions of its stage from 0. */
export type DeferredAnswer = (question: JobQuestion, at: number) => FakeAnswer | Promise<FakeAnswer>

const HOUR_MS = 3_600_000

export function createDeferredHarness(answers: { one?: DeferredAnswer; two?: DeferredAnswer } = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'keepsake-deferred-')))
  const layer = (name: 'project' | 'global', key: string): Layer => ({ name, key, directory: join(root, key) })
  const project = layer('project', 'projects/tide-1')
  const global = layer('global', 'global')
  for (const { directory } of [project, global]) mkdirSync(directory, { recursive: true })
  const store = createWriteHarness({ home: root })
  const { clock } = store
  const { ids, unfinished, proposals } = store.dependencies
  const history = createNoteHistory({
    ...{ versions: createMemoryHistory(), modes: { of: () => null, set: () => undefined }, clock, ids, off: false },
    onProblem: (error) => {
      throw error
    },
  })
  const files = finishingFiles(createFsNoteFiles({ home: root, clock }), { unfinished, history, proposals })
  const writer = store.with({
    ...{ files, history, layerFor: async (name) => (name === 'global' ? global : project) },
    ...{ currentLayers: async () => ({ global, project }), everyLayer: () => [global, project] },
  })
  const sessions = createMemorySessionStore()
  const memories = createMemorySessionMemories()
  const counts = { 'stage-one': 0, 'stage-two': 0 }
  const fake = createFakeModelJobs((question, kind) => {
    const isOne = kind === 'stage-one'
    const answer = isOne ? answers.one : answers.two
    if (!answer) return { ok: false, reason: 'unavailable', message: 'the script has no answer' }
    return answer(question, counts[isOne ? 'stage-one' : 'stage-two']++)
  })
  const held = { isHeld: true, signal: new AbortController() }
  const progress: DeferredProgress[] = []
  const place: PassPlace = {
    ...{ files, history, writer, isToolWritten: () => false, sensitive: 'refuse' },
    roots: [
      { name: 'project', layer: project },
      { name: 'global', layer: global },
    ],
  }
  const dependencies: DeferredDependencies = {
    ...{ jobs: fake, sessions, memories, clock, config: DEFAULT_CONFIG.deferred },
    modeOf: () => 'auto',
    layerModeOf: () => 'auto',
    isOwn: () => false,
    placeOf: async () => place,
    holding: (work) => work({ signal: held.signal.signal, isHeld: () => held.isHeld }),
    isNow: false,
    onProgress: (each) => progress.push(each),
  }
  return {
    ...{
      root,
      project,
      global,
      store,
      writer,
      sessions,
      memories,
      fake,
      held,
      progress,
      place,
      dependencies,
      clock,
      history,
    },
    proposals: store.proposals,
    /** A conversation that ended so many hours ago. */
    talk(id: string, said: readonly Said[], { hoursAgo = 7, layer: key = project.key as string | null } = {}) {
      const end = clock.now() - hoursAgo * HOUR_MS
      const time = (at: number) => new Date(end - (said.length - 1 - at) * 60_000).toISOString()
      const empty = { tags: [], branch: null, summary: null, parent: null, title: null }
      const times = { started: time(0), ended: time(said.length - 1) }
      sessions.putSession({ ...empty, ...times, id, agent: 'claude-code', project: key, cwd: '/srv/tide' })
      sessions.addMessages(
        id,
        said.map(([role, content], at) => ({
          ...{ id: `${id}-${at}`, idGiven: true, role, content, hash: sha256(content), time: time(at) },
          toolName: role === 'tool' ? 'bash' : null,
        })),
      )
    },
    run: (changes: Partial<DeferredDependencies> = {}) => runDeferred({ ...dependencies, ...changes }),
    pass: (hoursLater: number) => clock.set(clock.now() + hoursLater * HOUR_MS),
    put: (where: Layer, file: string, text: string) => writeFileSync(join(where.directory, file), text),
    text: (where: Layer, file: string) => readFileSync(join(where.directory, file), 'utf8'),
    notes: async (where: Layer = project) => (await files.list(where)).files.map(({ file }) => file).sort(),
    asked: (kind: 'stage-one' | 'stage-two') => fake.asked.filter((each) => each.kind === kind),
    with: (jobs: ModelJobs) => ({ ...dependencies, jobs }),
    dispose: () => rmSync(root, { recursive: true, force: true }),
  }
}

export type DeferredHarness = ReturnType<typeof createDeferredHarness>
