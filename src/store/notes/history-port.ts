/**
 * Port to the versions of the notes of one layer (spec S12): what each change made of which files, bytes and permission
 * bits, oldest first, never rewritten. It knows nothing of front matter and never reads the layer's folder: callers give
 * it what they read under the layer's lock. Drivers: `git-history` and `memory-history`.
 */
import { createHash } from 'node:crypto'
import type { HistoryKind, Layer } from '../../domain/index.ts'

/** One file at one moment. */
export interface Version {
  readonly bytes: Uint8Array
  /** Permission bits, such as 0o600. */
  readonly mode: number
}

/** What a stat said when the file was read; an equal one later means that it need not be read again. */
export interface SeenStat {
  readonly size: number
  readonly mtimeMs: number
  readonly inode: number
}

/** A file as the last commit holds it. */
export interface RecordedFile {
  /** `versionKey` of the bytes. */
  readonly key: string
  readonly mode: number
  /** Null when it has to be read to be sure. */
  readonly seen: SeenStat | null
}

export interface CommitFile {
  readonly file: string
  /** Null: the file is gone. */
  readonly version: Version | null
  /** Of the file on disk, when it is as committed. */
  readonly seen: SeenStat | null
}

/** Says why and which note, never a word of the note: it is kept for good and shown without masking. */
export interface CommitMessage {
  /** ULID. The halves of one change in several layers share it. */
  readonly change: string
  readonly kind: HistoryKind
  /** `person`, or the name of an agent. */
  readonly author: string
  /** One fixed sentence. */
  readonly why: string
  readonly noteIds: readonly string[]
  /** Keys of all layers that the change touches. */
  readonly layers: readonly string[]
  /** What this change takes back: its ULID, and the id that people saw. */
  readonly undoes: { readonly change: string; readonly id: string } | null
}

export interface NewCommit extends CommitMessage {
  readonly timeMs: number
  readonly files: readonly CommitFile[]
}

export interface Commit extends CommitMessage {
  /** 40 hex digits. */
  readonly id: string
  readonly timeMs: number
  /** In the order of their paths, at most `MAX_COMMIT_FILES`. */
  readonly files: readonly { readonly file: string; readonly change: 'added' | 'changed' | 'removed' }[]
  readonly omittedFiles: number
}

export interface ChangedFile {
  readonly file: string
  readonly before: Version | null
  readonly after: Version | null
}

export interface CommitQuery {
  /** Only commits that touch this file or name this note; both: one of the two. */
  readonly file?: string
  readonly noteId?: string
  /** Newest first, at most this many. */
  readonly limit: number
}

export interface History {
  /** Why no version can be kept or read here, for people; null when it can. Cheap. */
  unavailable(): string | null
  /** By file. Empty before the first commit. */
  head(layer: Layer): Promise<ReadonlyMap<string, RecordedFile>>
  /**
   * Appends commits in this order, all or none; gives their ids. Only while the layer's lock is held. `seen` replaces
   * what is known of files that were read and found as recorded; it may come without commits.
   */
  append(layer: Layer, commits: readonly NewCommit[], seen?: ReadonlyMap<string, SeenStat>): Promise<readonly string[]>
  log(layer: Layer, query: CommitQuery): Promise<readonly Commit[]>
  /** Commits whose id begins with `reference` (6 or more hex digits), or whose change is `reference`. At most 10. */
  find(layer: Layer, reference: string): Promise<readonly Commit[]>
  /** Every file of one commit, before and after it. */
  versions(layer: Layer, commitId: string): Promise<readonly ChangedFile[]>
  /** One file as the last commit holds it. */
  latest(layer: Layer, file: string): Promise<Version | null>
  /** What is wrong with the history of a layer, one line; null when it can be read or was not begun. */
  damage(layer: Layer): Promise<string | null>
  /** Packs what grew; may take long and needs no lock. */
  upkeep(layer: Layer): Promise<void>
}

/** Files named by one commit of a log; the rest is counted. */
export const MAX_COMMIT_FILES = 20
/** Commits that one reference may give. */
export const MAX_FOUND = 10
/** Permission bits of a note that Keepsake made. */
export const DEFAULT_MODE = 0o600

/** Git's own name of these bytes (a blob, SHA-1), so that both drivers and the git program agree. */
export function versionKey(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}
