/** Everything the write path is given. The engine wires it; tests hand in the in-memory drivers. */
import type {
  Clock,
  Config,
  EditInput,
  EditResult,
  ForgetOptions,
  ForgetResult,
  IdSource,
  Layer,
  MoveInput,
  NoteSummary,
  Proposal,
  RememberInput,
  RememberResult,
  UndoOptions,
  UndoResult,
  WritableLayer,
} from '../domain/index.ts'
import type { Answers } from '../store/answers.ts'
import type { NoteHistory } from '../store/notes/history.ts'
import type { Layers } from '../store/notes/layers.ts'
import type { NoteFiles } from '../store/notes/note-files.ts'
import type { Proposals } from '../store/proposals.ts'
import type { Tombstones } from '../store/tombstones.ts'
import type { Unfinished } from '../store/unfinished.ts'
import type { ProjectFacts } from './choose-layer.ts'
import type { Decided } from './decided.ts'
import type { Judged } from './judge-proposal.ts'
import type { NearJudge } from './near/index.ts'
import type { NoteCache } from './read-layer.ts'
import type { RegenerateOptions } from './regenerate-index.ts'

export interface WriterDependencies {
  readonly files: NoteFiles
  /** The layer to write to; registers the project at its first write. Null when there is no project here. */
  readonly layerFor: (name: WritableLayer) => Promise<Layer | null>
  /** The layers that exist now. Registers nothing. */
  readonly currentLayers: () => Promise<Pick<Layers, 'global' | 'project'> & Partial<Layers>>
  readonly config: Config
  /** False for a home of a newer format: every write is refused as a value. */
  readonly writable: boolean
  readonly clock: Clock
  readonly ids: IdSource
  readonly tombstones: Tombstones
  readonly history: NoteHistory
  readonly proposals: Proposals
  /** Keys of the layers that hold a note of this text; by the index, so it may lag. Never throws. */
  readonly layersHolding: (text: string) => readonly string[]
  /** What a person answered once. */
  readonly answers: Answers
  /** Every layer of the home: what waits may belong to any of them. */
  readonly everyLayer: () => readonly Layer[]
  /** Changes of several files, written down before they are made. `files` finishes what is left there. */
  readonly unfinished: Unfinished
  /** Null outside any project. */
  readonly project: ProjectFacts | null
  /** Notes near a text, best first. An index that cannot be used gives none; it never throws. */
  readonly nearest: (
    text: string,
    layerKeys: readonly string[],
    limit: number,
    options?: { readonly leastCoverage?: number },
  ) => Promise<readonly (NoteSummary & { readonly coverage?: number })[]>
  /** True for a bare file that a tool call wrote (spec I11); `path` is absolute. */
  readonly isToolWritten: (path: string) => boolean
  /** What notes earned by being used, by id; what nobody tried is not in it. */
  readonly earned?: RegenerateOptions['earned']
  /** Brings the index up to date. It may lag: a failure is told and changes no outcome. */
  readonly afterCommit: (layer: Layer) => Promise<void>
}

/** The dependencies, and what one writer keeps between its calls. */
export interface WriteContext extends WriterDependencies {
  readonly cache: NoteCache
  readonly judgeNear: NearJudge
}

export interface Writer {
  readonly review: Review
  remember(input: RememberInput): Promise<RememberResult>
  edit(input: EditInput): Promise<EditResult>
  move(input: MoveInput): Promise<RememberResult>
  forget(reference: string, options?: ForgetOptions): Promise<ForgetResult>
  /** Without a reference: the last change that can be taken back. */
  undo(reference?: string, options?: UndoOptions): Promise<UndoResult>
}

/** What a person decides about what waits. The caller has found the proposals. */
export interface Review {
  /** Looks at the layers as they are now; one look for any number of proposals. */
  judge(): (proposal: Proposal) => Promise<Judged>
  approve(proposals: readonly Proposal[], options: ReviewOptions): Promise<Approved>
  reject(proposals: readonly Proposal[], options: ReviewOptions): Promise<readonly Decided[]>
  edit(proposal: Proposal, words: EditedWords): Promise<Decided>
  /** Asks whether bare files that a tool call wrote are the user's rules; gives how many questions were put. */
  askAboutFiles(layer: Layer): Promise<number>
}

export interface ReviewOptions {
  readonly confirmThreat?: boolean
  readonly dryRun?: boolean
  readonly signal?: AbortSignal
}

export interface Approved {
  readonly decided: readonly Decided[]
  readonly notices: readonly string[]
}

export interface EditedWords {
  /** The whole text of the note, without front matter. */
  readonly text: string
  /** Keep it although it reads like an attack: approving asks again. */
  readonly confirmThreat?: boolean
  readonly signal?: AbortSignal
}
