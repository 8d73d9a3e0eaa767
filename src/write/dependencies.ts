/** Everything the write path is given. The engine wires it; tests hand in the in-memory drivers. */
import type {
  Clock,
  Config,
  ForgetOptions,
  ForgetResult,
  IdSource,
  Layer,
  MoveInput,
  NoteSummary,
  RememberInput,
  RememberResult,
  UndoOptions,
  UndoResult,
  WritableLayer,
} from '../domain/index.ts'
import type { NoteHistory } from '../store/notes/history.ts'
import type { Layers } from '../store/notes/layers.ts'
import type { NoteFiles } from '../store/notes/note-files.ts'
import type { Proposals } from '../store/proposals.ts'
import type { Tombstones } from '../store/tombstones.ts'
import type { ProjectFacts } from './choose-layer.ts'
import type { NoteCache } from './read-layer.ts'

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
  readonly proposals: Pick<Proposals, 'put'>
  /** Null outside any project. */
  readonly project: ProjectFacts | null
  /** Notes near a text, best first. An index that cannot be used gives none; it never throws. */
  readonly nearest: (text: string, layerKeys: readonly string[], limit: number) => Promise<readonly NoteSummary[]>
  /** True for a bare file that a tool call wrote (spec I11); `path` is absolute. */
  readonly isToolWritten: (path: string) => boolean
  /** Brings the index up to date. It may lag: a failure is told and changes no outcome. */
  readonly afterCommit: (layer: Layer) => Promise<void>
}

/** The dependencies, and what one writer keeps between its calls. */
export interface WriteContext extends WriterDependencies {
  readonly cache: NoteCache
}

export interface Writer {
  remember(input: RememberInput): Promise<RememberResult>
  move(input: MoveInput): Promise<RememberResult>
  forget(reference: string, options?: ForgetOptions): Promise<ForgetResult>
  /** Without a reference: the last change that can be taken back. */
  undo(reference?: string, options?: UndoOptions): Promise<UndoResult>
}
