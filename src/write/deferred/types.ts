/** What the deferred pipeline is handed in. The engine wires it; tests hand in fakes. */
import type { Clock, Config, DeferredProgress, LayerMode, Session } from '../../domain/index.ts'
import type { ModelJobs } from '../../models/index.ts'
import type { NoteHistory } from '../../store/notes/history.ts'
import type { NoteFiles } from '../../store/notes/note-files.ts'
import type { SessionStore } from '../../store/sessions/session-store.ts'
import type { SessionMemories } from '../../store/state/session-memories.ts'
import type { Writer } from '../dependencies.ts'
import type { NoteRoot } from '../sandbox/index.ts'

/** Where the notes of a pass lie, and the write path into them. */
export interface PassPlace {
  /** Nearest first: the project, then global; global alone outside any project. */
  readonly roots: readonly NoteRoot[]
  readonly files: NoteFiles
  readonly history: NoteHistory
  readonly writer: Pick<Writer, 'edit' | 'forget'>
  readonly isToolWritten: (path: string) => boolean
  readonly sensitive: Config['sensitive']
}

/** Work under a lease that is kept alive while it runs; the signal says when it is lost. */
export type Holding = <Result>(work: (held: Held) => Promise<Result>) => Promise<Result | null>

export interface Held {
  readonly signal: AbortSignal
  /** False when another process has the lease now: nothing more may be written. */
  isHeld(): boolean
}

export interface DeferredDependencies {
  readonly jobs: ModelJobs
  /** Without those that are off. */
  readonly sessions: SessionStore
  readonly memories: SessionMemories
  readonly config: Config['deferred']
  readonly clock: Clock
  /** What may become of a session (spec W11). */
  readonly modeOf: (session: string) => LayerMode
  /** What may happen to a layer, by its key. */
  readonly layerModeOf: (layer: string) => LayerMode
  /** True for conversations of our own workers: they are nobody's words. */
  readonly isOwn: (session: Session) => boolean
  /** Null when the place of the layer cannot be found any more. `cwd`: where one of its conversations was. */
  readonly placeOf: (layer: string, cwd: string | null) => Promise<PassPlace | null>
  /** Null: another process does it already. */
  readonly holding: Holding
  /** A person asked for it: no waiting, no cool-down, all that is due. */
  readonly isNow: boolean
  readonly onProgress: (progress: DeferredProgress) => void
}

/** Layer of what a conversation gave: its project, else global. */
export function layerOfSession({ project }: Pick<Session, 'project'>): string {
  return project ?? 'global'
}

const HOUR_MS = 3_600_000
/** Doubled with each failure in a row. */
const FIRST_RETRY_MS = HOUR_MS
const LAST_RETRY_MS = 24 * HOUR_MS

export function hours(count: number): number {
  return count * HOUR_MS
}

/** The next failure after `tries` in a row. */
export function failureAfter(tries: number, problem: string, now: number) {
  const wait = Math.min(FIRST_RETRY_MS * 2 ** tries, LAST_RETRY_MS)
  return { tries: tries + 1, retryAt: now + wait, problem }
}
