/**
 * Keeps the history of notes while they are written (spec S12). Under the layer's lock it watches what is written, then
 * records three things in order: what had changed outside before, this change, and what changed outside meanwhile. What
 * could not be recorded now (no git, full disk, a kill) differs from the last commit and is recorded the next time.
 * Must stay true: nothing here fails or changes a write.
 */
import type { Clock, HistoryKind, IdSource, Layer } from '../../domain/index.ts'
import { MemoryError } from '../../errors.ts'
import type { HistoryModes } from './history-modes.ts'
import { lookOutside, type Touched } from './history-outside.ts'
import type { CommitFile, CommitMessage, History, NewCommit } from './history-port.ts'
import type { LockedLayer, NoteBytes } from './note-files.ts'
import { readNote } from './note-format.ts'

export interface NoteHistory {
  /** Why no history is kept here, for people; null when it is. */
  unavailable(): string | null
  readonly versions: History
  readonly modes: HistoryModes
  /** Everything that this change writes goes through `locked` of the watch; then `commit`, still under the lock. */
  watch(locked: LockedLayer): Watch
  /** Records what changed outside. Only while the lock is held. Never throws; true when something was recorded. */
  catchUp(locked: LockedLayer): Promise<boolean>
  /** Packs what grew, without the lock. Never throws. */
  pack(layer: Layer): Promise<void>
}

export interface Watch {
  readonly locked: LockedLayer
  /** Never throws: what went wrong is reported, and the change is recorded by the next write or refresh. */
  commit(change: ChangeWords): Promise<Recorded>
}

export interface ChangeWords {
  readonly kind: Exclude<HistoryKind, 'outside'>
  readonly author: string
  /** One fixed sentence, with no word of the note. */
  readonly why: string
  /** ULID that the halves of one change share. Default: a new one. */
  readonly change?: string
  /** Keys of all layers that are touched. Default: this one. */
  readonly layers?: readonly string[]
  readonly undoes?: CommitMessage['undoes']
}

export interface Recorded {
  /** What `undo` takes, or null when nothing was recorded. */
  readonly id: string | null
  readonly notices: readonly string[]
}

export interface NoteHistoryDependencies {
  readonly versions: History
  readonly modes: HistoryModes
  readonly clock: Clock
  readonly ids: IdSource
  /** True when the user switched history off. */
  readonly off: boolean
  readonly onProblem: (error: unknown, where: string) => void
}

/** Digits of a commit id that people see. */
export const SHOWN_ID_LENGTH = 12
/** Bytes of outside changes in one commit; the rest comes with the next. */
const MAX_COMMIT_BYTES = 33_554_432
const MAX_CATCH_UPS = 1_000
const OUTSIDE = 'Files changed outside, or were not recorded before'

export function createNoteHistory(dependencies: NoteHistoryDependencies): NoteHistory {
  const { versions, modes } = dependencies
  const unavailable = () => (dependencies.off ? 'history is switched off' : versions.unavailable())
  return {
    unavailable,
    versions,
    modes,
    watch(locked) {
      const touched = new Map<string, Touched>()
      if (unavailable() !== null) return { locked, commit: async () => ({ id: null, notices: [] }) }
      return {
        locked: watched(locked, modes, touched),
        commit: (change) => commitSafely(dependencies, locked, { change, touched }),
      }
    },
    async catchUp(locked) {
      if (unavailable() !== null) return false
      try {
        let rounds = 0
        while (rounds < MAX_CATCH_UPS && (await record(dependencies, locked, null)).count > 0) rounds++
        return rounds > 0
      } catch (error) {
        dependencies.onProblem(error, 'history')
        return false
      }
    },
    async pack(layer) {
      if (unavailable() !== null) return
      try {
        await versions.upkeep(layer)
      } catch (error) {
        dependencies.onProblem(error, 'history')
      }
    },
  }
}

/** No history at all: the write path then is as if there were none. */
export function withoutHistory(reason = 'history is switched off'): NoteHistory {
  const empty: History = {
    unavailable: () => reason,
    head: async () => new Map(),
    append: async () => [],
    log: async () => [],
    find: async () => [],
    versions: async () => [],
    latest: async () => null,
    damage: async () => null,
    upkeep: async () => undefined,
  }
  const nothing = { id: null, notices: [] }
  return {
    unavailable: () => reason,
    versions: empty,
    modes: { of: () => null, set: () => undefined },
    watch: (locked) => ({ locked, commit: async () => nothing }),
    catchUp: async () => false,
    pack: async () => undefined,
  }
}

/** The same layer, remembering what each written file was before the first write and is after the last. */
function watched(locked: LockedLayer, modes: HistoryModes, touched: Map<string, Touched>): LockedLayer {
  const step = async <Result>(
    file: string,
    work: () => Promise<Result>,
    after: (result: Result) => NoteBytes | null,
  ) => {
    const known = touched.get(file)
    const before = known ? null : await locked.read(file)
    const modeBefore = before && modes.of(locked.layer, file)
    const result = await work()
    if (known) known.after = after(result)
    else touched.set(file, { before, modeBefore, after: after(result) })
    return result
  }
  return {
    ...locked,
    write: (file, bytes, expectedHash) =>
      step(
        file,
        () => locked.write(file, bytes, expectedHash),
        (written) => written,
      ),
    remove: (file, expectedHash) =>
      step(
        file,
        () => locked.remove(file, expectedHash),
        () => null,
      ),
  }
}

interface Change {
  readonly change: ChangeWords
  readonly touched: ReadonlyMap<string, Touched>
}

async function commitSafely(
  dependencies: NoteHistoryDependencies,
  locked: LockedLayer,
  change: Change,
): Promise<Recorded> {
  try {
    const { id } = await record(dependencies, locked, change)
    return { id: id?.slice(0, SHOWN_ID_LENGTH) ?? null, notices: [] }
  } catch (error) {
    dependencies.onProblem(error, 'history')
    const code = MemoryError.isInstance(error) ? error.code : 'an unexpected fault'
    return { id: null, notices: [`The history could not be written now (${code}); the next write or refresh does it.`] }
  }
}

/** `count` of commits made, and the id of the one that is the change itself. */
async function record(
  { versions, modes, clock, ids }: NoteHistoryDependencies,
  locked: LockedLayer,
  change: Change | null,
): Promise<{ count: number; id: string | null }> {
  const { layer } = locked
  const touched = change?.touched ?? new Map<string, Touched>()
  const head = await versions.head(layer)
  const outside = await lookOutside({ locked, head, touched, modes, maxBytes: MAX_COMMIT_BYTES })
  const base = { timeMs: clock.now(), layers: [layer.key], undoes: null }
  const parts: (NewCommit & { isOwn: boolean })[] = []
  const addOutside = (files: readonly CommitFile[]) => {
    const words = { kind: 'outside' as const, author: 'person', why: OUTSIDE, noteIds: noteIdsOf(layer.key, files) }
    if (files.length > 0) parts.push({ ...base, ...words, change: ids.next(), files, isOwn: false })
  }
  addOutside(outside.before)
  if (change && outside.own.length > 0) {
    const { why, kind, author, layers = base.layers, undoes = null } = change.change
    const noteIds = noteIdsOf(layer.key, outside.own, touched)
    const id = change.change.change ?? ids.next()
    parts.push({ ...base, why, kind, author, layers, undoes, noteIds, change: id, files: outside.own, isOwn: true })
  }
  addOutside(outside.after)
  if (parts.length === 0 && outside.seen.size === 0) return { count: 0, id: null }
  const made = await versions.append(layer, parts, outside.seen)
  const own = parts.findIndex(({ isOwn }) => isOwn)
  return { count: made.length, id: own < 0 ? null : (made[own] ?? null) }
}

/** Ids as the front matter has them, else as they are derived. Of a file that went, as it was. */
function noteIdsOf(
  layerKey: string,
  files: readonly CommitFile[],
  touched?: ReadonlyMap<string, Touched>,
): readonly string[] {
  const found = files.flatMap(({ file, version }) => {
    const bytes = version?.bytes ?? touched?.get(file)?.before?.bytes
    return bytes ? [readNote(bytes, { layer: layerKey, file }).id] : []
  })
  return [...new Set(found)]
}
