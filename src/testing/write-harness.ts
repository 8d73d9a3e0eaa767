/**
 * The write room over in-memory layers, a fixed clock and counted ids. Tombstones and proposals are the real ones in a
 * folder that the test gives. Faults are injected by name: what `failAt` throws happens before the step of that name.
 */
import { type Config, DEFAULT_CONFIG, type Layer, type NoteSummary, type Proposal } from '../domain/index.ts'
import { createAnswers } from '../store/answers.ts'
import { withoutHistory } from '../store/notes/history.ts'
import { createMemoryNoteFiles, type MemoryNoteFiles } from '../store/notes/memory-note-files.ts'
import type { LockedLayer, NoteFiles } from '../store/notes/note-files.ts'
import { createProposals, type Proposals } from '../store/proposals.ts'
import { createTombstones, type Tombstones } from '../store/tombstones.ts'
import { createUnfinished } from '../store/unfinished.ts'
import type { ProjectFacts } from '../write/choose-layer.ts'
import { finishingFiles } from '../write/finish-unfinished.ts'
import { createWriter, type Writer, type WriterDependencies } from '../write/index.ts'

export const globalLayer: Layer = { name: 'global', key: 'global', directory: '/home/.keepsake/global' }
export const projectLayer: Layer = {
  name: 'project',
  key: 'projects/billing-12345678',
  directory: '/home/.keepsake/projects/billing-12345678',
}

/** 2026-11-29T20:24:00Z, a Sunday. */
export const harnessNow = Date.UTC(2026, 10, 29, 20, 24)

export interface WriteHarness {
  readonly writer: Writer
  readonly files: MemoryNoteFiles
  readonly tombstones: Tombstones
  readonly proposals: Proposals
  readonly clock: { now(): number; set(ms: number): void }
  readonly dependencies: WriterDependencies
  /** A writer over the same store with other dependencies. */
  with(changes: Partial<WriterDependencies>): Writer
  /** File names of a layer, sorted. */
  list(layer: Layer): Promise<string[]>
  text(layer: Layer, file: string): Promise<string>
  index(layer: Layer): Promise<string>
  /** Every byte that the store holds, as one text. */
  everything(): Promise<string>
  waiting(): Promise<readonly Proposal[]>
}

export interface WriteHarnessOptions {
  /** An empty folder for tombstones and proposals. */
  readonly home: string
  readonly config?: Partial<Config>
  readonly project?: ProjectFacts | null
  readonly near?: readonly NoteSummary[]
  /** Called before each step of the store: `write <file>`, `remove <file>`, `index`, `lock <key>`. */
  readonly before?: (step: string) => void | Promise<void>
}

export const billingProject: ProjectFacts = {
  name: 'billing',
  workingTree: '/srv/billing',
  mentions: (text) => /\bbilling\b|src\/invoice\.ts|InvoiceService/.test(text),
}

export function createWriteHarness(options: WriteHarnessOptions): WriteHarness {
  const files = createMemoryNoteFiles()
  const time = { now: harnessNow }
  const clock = { now: () => time.now, set: (ms: number) => void Object.assign(time, { now: ms }) }
  const ids = countedIds()
  const tombstones = createTombstones({ home: options.home, clock, ids })
  const proposals = createProposals({ home: options.home, clock, ids })
  const project = options.project === undefined ? billingProject : options.project
  const unfinished = createUnfinished({ home: options.home, clock })
  const history = withoutHistory()
  const stepped: NoteFiles = options.before ? withSteps(files, options.before) : files
  const dependencies: WriterDependencies = {
    files: finishingFiles(stepped, { unfinished, history, proposals }),
    unfinished,
    layerFor: async (name) => (name === 'global' ? globalLayer : project && projectLayer),
    currentLayers: async () => ({ global: globalLayer, project: project && projectLayer }),
    config: { ...DEFAULT_CONFIG, ...options.config },
    writable: true,
    clock,
    ids,
    tombstones,
    history,
    proposals,
    layersHolding: () => [],
    answers: createAnswers({ home: options.home, clock }),
    everyLayer: () => [globalLayer, projectLayer],
    project,
    nearest: async () => options.near ?? [],
    isToolWritten: () => false,
    afterCommit: async () => undefined,
  }
  const decode = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)
  const list = async (layer: Layer) => (await files.list(layer)).files.map(({ file }) => file).sort()
  const harness: WriteHarness = {
    writer: createWriter(dependencies),
    files,
    tombstones,
    proposals,
    clock,
    dependencies,
    with: (changes) => createWriter({ ...dependencies, ...changes }),
    list,
    text: async (layer, file) => decode((await files.read(layer, file))?.bytes),
    index: async (layer) => decode((await files.readIndex(layer))?.bytes),
    everything: async () => {
      const texts: string[] = []
      for (const layer of [globalLayer, projectLayer]) {
        texts.push(await harness.index(layer))
        for (const file of await list(layer)) texts.push(file, await harness.text(layer, file))
      }
      return [...texts, JSON.stringify(await harness.waiting())].join('\n')
    },
    waiting: async () => (await proposals.list({ limit: 100 })).proposals,
  }
  return harness
}

/** ULIDs that count up, so that every run gives the same ones. */
function countedIds() {
  const state = { count: 0 }
  return { next: () => `01K${String(++state.count).padStart(23, '0')}` }
}

function withSteps(files: NoteFiles, before: (step: string) => void | Promise<void>): NoteFiles {
  return {
    ...files,
    withLock: async (layer, options, work) => {
      await before(`lock ${layer.key}`)
      return files.withLock(layer, options, (locked) => work(lockedWithSteps(locked, before)))
    },
  }
}

function lockedWithSteps(locked: LockedLayer, before: (step: string) => void | Promise<void>): LockedLayer {
  return {
    ...locked,
    write: async (file, bytes, expectedHash) => {
      await before(`write ${file}`)
      return locked.write(file, bytes, expectedHash)
    },
    remove: async (file, expectedHash) => {
      await before(`remove ${file}`)
      return locked.remove(file, expectedHash)
    },
    writeIndex: async (bytes, expectedHash) => {
      await before('index')
      return locked.writeIndex(bytes, expectedHash)
    },
  }
}
