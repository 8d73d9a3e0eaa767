/** Everything that one opened home shares: drivers, derived views, and how failures are recorded. */
import type { Environment, LoadedConfig } from '../config.ts'
import {
  type Clock,
  type Home,
  type IdSource,
  isoSeconds,
  type TranscriptReader,
  type VerifyNotes,
} from '../domain/index.ts'
import { MemoryError, messageOf } from '../errors.ts'
import { redact } from '../guard/index.ts'
import { type Completer, createEmbedder, type Embedder, type ModelJobs } from '../models/index.ts'
import { type Answers, createAnswers } from '../store/answers.ts'
import { appendFailure } from '../store/failures.ts'
import { ensureHome } from '../store/home.ts'
import { createFsNoteFiles } from '../store/notes/fs-note-files.ts'
import { createGitHistory } from '../store/notes/git-history.ts'
import { findGit } from '../store/notes/git-history-process.ts'
import { createNoteHistory, type NoteHistory } from '../store/notes/history.ts'
import { createFsHistoryModes } from '../store/notes/history-modes.ts'
import type { NoteFiles } from '../store/notes/note-files.ts'
import { createProposals, type Proposals } from '../store/proposals.ts'
import { createSessionModes, type SessionModes } from '../store/session-modes.ts'
import type { SessionStore } from '../store/sessions/session-store.ts'
import type { SqliteProbe } from '../store/sqlite/find-driver.ts'
import { createStartBlocks, type StartBlocks } from '../store/start-blocks.ts'
import { createTombstones, type Tombstones } from '../store/tombstones.ts'
import { createToolWrites, type ToolWrites } from '../store/tool-writes.ts'
import { createUnfinished } from '../store/unfinished.ts'
import { visibleSessions } from '../store/visible-sessions.ts'
import { finishingFiles } from '../write/index.ts'
import { buryingWords } from './bury-words.ts'
import type { EmbedDependencies } from './embed.ts'
import { createIndexView, type IndexView } from './index-view.ts'
import { modelsFor } from './models.ts'
import { layersHolding, nearNotes } from './near-notes.ts'
import { everyLayer, type Place, type PlaceOptions, type WriterParts } from './place.ts'
import { type Recalls, recallsOf } from './recalls.ts'
import { type SessionNotesAccess, sessionNotesOf } from './session-notes.ts'
import type { SharedIndexTools } from './shared-index.ts'
import { createStores, type Stores } from './stores.ts'
import { createTrustBook, type TrustBook } from './trust.ts'
import { createUses, earnedFrom, type Uses } from './uses.ts'
import { askingSync } from './withheld.ts'

export interface EngineOptions {
  readonly home: string
  readonly cwd: string
  readonly loaded: LoadedConfig
  readonly userHome: string
  readonly temporaryDirectory: string
  readonly clock: Clock
  readonly ids: IdSource
  /** By agent name. */
  readonly readers: Readonly<Record<string, TranscriptReader>>
  /** A language model for everything that asks one. Default: those that the settings name. Null: none. */
  readonly completer?: Completer | null
  /** For consolidation. Default: `completer`, else the one that the settings name. */
  readonly largeCompleter?: Completer
  /** Folders in which the git program is looked for, as in PATH. */
  readonly gitSearchPath?: string
  /** Looks up what notes name. Default: the working tree of the place. Null: nothing is looked up. */
  readonly verify?: VerifyNotes | null
  /** For tests: a machine without SQLite. */
  readonly probe?: () => SqliteProbe
  /** Default: the one that the settings name. Null: none, whatever they say. */
  readonly embedder?: Embedder | null
  /** Where providers of embedders find addresses and keys. */
  readonly environment?: Environment
}

export interface Core extends Recalls {
  readonly options: EngineOptions
  readonly home: Home
  readonly files: NoteFiles
  readonly stores: Stores
  /** Conversations as they may be read; null as `stores.sessions`. */
  readonly readableSessions: () => SessionStore | null
  readonly view: IndexView
  /** Every question to a language model goes through here. */
  readonly models: ModelJobs
  readonly proposals: Proposals
  readonly answers: Answers
  readonly sessionModes: SessionModes
  readonly sessionNotes: SessionNotesAccess
  /** Start blocks that are kept for conversations. */
  readonly startBlocks: StartBlocks
  readonly history: NoteHistory
  readonly trust: TrustBook
  readonly uses: Uses
  readonly earned: SharedIndexTools['earned']
  readonly firstSeenMs: IndexView['firstSeenMs']
  readonly toolWrites: ToolWrites
  readonly isToolWritten: (path: string) => boolean
  readonly placeOptions: PlaceOptions
  readonly writerParts: WriterParts
  /** Null while none is named. */
  readonly embedding: EmbedDependencies | null
  readonly onProblem: (error: unknown, where: string) => void
}

/** `place`: the layers of the Memory's own place, and where in it; asked at each use. */
export function openCore(options: EngineOptions, home: Home, { layers, here }: Pick<Place, 'layers' | 'here'>): Core {
  const { clock, ids, loaded, userHome, temporaryDirectory } = options
  const { directory } = home
  const onProblem = recorder(home, clock)
  const { unfinished, ...records } = recordsOf(options, directory, onProblem)
  const { files, history, toolWrites, proposals, answers, sessionModes } = records
  const stores = createStores({ home: directory, writable: home.writable, clock, probe: options.probe, onProblem })
  const trust = createTrustBook({ home: directory, stores, onProblem })
  const uses = createUses({ home: directory, stores, onProblem })
  const earned = earnedFrom(trust, uses)
  const startBlocks = createStartBlocks({ home: directory, clock })
  const models = modelsFor(options, stores)
  const buried = createTombstones({ home: directory, clock, ids })
  const sessionNotes = sessionNotesOf({ options, home, stores, models, sessionModes, tombstones: buried, onProblem })
  const tombstones = buryingWords(buried, {
    home: directory,
    stores,
    startBlocks,
    forgetNotes: sessionNotes.forgetWords,
    onProblem,
  })
  const placeOptions = { home, userHome, temporaryDirectory, config: loaded.config }
  const looked = createIndexView({
    files,
    stores,
    tombstones,
    toolWrites,
    history,
    answers,
    clock,
    layers,
    everyLayer: () => everyLayer(placeOptions),
  })
  const asking = { files, proposals, answers, onProblem }
  const view = home.writable ? { ...looked, sync: askingSync(looked.sync, asking) } : looked
  const readableSessions = () => {
    const store = stores.sessions()
    return store && visibleSessions(store, sessionModes)
  }
  const embedder = embedderFor(options)
  const recalls = recallsOf({
    stores,
    models,
    embedder,
    view,
    layers,
    here,
    readableSessions,
    trust,
    clock,
    onProblem,
  })
  const isToolWritten = (path: string) => toolWrites.has(path)
  const shared = { options, home, ...records, stores, view, ...recalls, isToolWritten, earned, placeOptions, onProblem }
  return {
    ...shared,
    readableSessions,
    models,
    sessionNotes,
    startBlocks,
    trust,
    uses,
    firstSeenMs: view.firstSeenMs,
    writerParts: { ...writerPartsOf({ ...shared, layers }, tombstones), unfinished },
    embedding: embedder && {
      embedder,
      config: loaded.config,
      index: () => stores.index(),
      readNote: view.readNoteIn,
      // What was set off is shown to no model either.
      sessions: readableSessions,
      everyLayer: () => everyLayer(placeOptions),
    },
  }
}

type Shared = Pick<
  Core,
  | 'options'
  | 'home'
  | 'files'
  | 'history'
  | 'proposals'
  | 'answers'
  | 'stores'
  | 'view'
  | 'recall'
  | 'isToolWritten'
  | 'earned'
  | 'placeOptions'
  | 'onProblem'
> &
  Pick<Place, 'layers'>

function writerPartsOf(shared: Shared, tombstones: Tombstones): Omit<WriterParts, 'unfinished'> {
  const { options, home, files, history, proposals, answers, isToolWritten, earned } = shared
  const { stores, view, placeOptions, onProblem } = shared
  const { clock, ids } = options
  // That no SQLite works here is said by status, once; it is no failure of each write.
  const onIndexProblem: Core['onProblem'] = (error, where) => {
    if (stores.unavailable() === null) onProblem(error, where)
  }
  return {
    files,
    writable: home.writable,
    clock,
    ids,
    tombstones,
    history,
    proposals,
    layersHolding: (text) => layersHolding({ ...shared, tombstones }, text),
    answers,
    everyLayer: () => everyLayer(placeOptions),
    isToolWritten,
    earned,
    ensureHome: () => ensureHome(home, { clock, ids }),
    nearest: async (text, keys, limit, more) =>
      nearNotes({ ...shared, onProblem: onIndexProblem }, text, keys, { limit, ...more }),
    afterCommit: async (layer) => {
      const { failure } = await view.sync.layer(layer)
      if (failure) onIndexProblem(new MemoryError(failure.code, failure.message), 'index')
    },
  }
}

/** What lies in plain files of the home. */
function recordsOf(options: EngineOptions, home: string, onProblem: Core['onProblem']) {
  const { clock, ids, loaded } = options
  const history = createNoteHistory({
    versions: createGitHistory({ home, git: findGit(options.gitSearchPath), clock }),
    modes: createFsHistoryModes([options.userHome]),
    clock,
    ids,
    off: !loaded.config.history,
    onProblem,
  })
  const toolWrites = createToolWrites({ home })
  const proposals = createProposals({ home, clock, ids })
  const answers = createAnswers({ home, clock })
  const sessionModes = createSessionModes({ home, clock })
  const unfinished = createUnfinished({ home, clock })
  const files = finishingFiles(createFsNoteFiles({ home, clock, linkRoots: [options.userHome] }), {
    unfinished,
    history,
    proposals,
  })
  return { files, history, toolWrites, proposals, answers, sessionModes, unfinished }
}

function embedderFor({ embedder, loaded, environment = {}, userHome }: EngineOptions): Embedder | null {
  const { embedder: name } = loaded.config
  return embedder === undefined && name !== null ? createEmbedder(name, { environment, userHome }) : (embedder ?? null)
}

function recorder({ directory, writable }: Home, clock: Clock): Core['onProblem'] {
  return (error, where) => {
    // A home that is only read gets no lines about it either.
    if (!writable) return
    const code = MemoryError.isInstance(error) ? error.code : 'INTERNAL'
    const message = messageOf(error)
    appendFailure(directory, { time: isoSeconds(clock.now()), where, code, message }, redact)
  }
}
