/**
 * Port to the folder that notes speak of: what stands there now, and what its git history says stood there before. Nothing
 * is run or changed, and no link is followed out of the folder. Methods never throw. What asks git gives null when it
 * cannot be known (no repository, no git, stopped, too much).
 */

/** `refused`: outside the folder, no plain name, or nothing that may be looked at. */
export type Entry = 'file' | 'folder' | 'absent' | 'refused'

/** What stood at a path in a commit; `text` is null for what is no text or too large. */
export type PastEntry = { readonly kind: 'file'; readonly text: string | null } | { readonly kind: 'folder' }

/** The newest commit of the present branch that is not younger than some moment, and what stood in it. */
export interface Past {
  /** Full hex name. */
  readonly commit: string
  /** Each path that was asked for; null where nothing stood. */
  readonly entries: ReadonlyMap<string, PastEntry | null>
}

/** A line of a file that holds a word that was looked for. */
export interface FoundLine {
  readonly path: string
  readonly text: string
}

export interface Found {
  readonly lines: readonly FoundLine[]
  /** False when there were more, or the search was stopped. */
  readonly isComplete: boolean
}

/** `dropped`: there, and no branch or tag leads to it. */
export type CommitState = 'there' | 'elsewhere' | 'dropped' | 'gone' | 'unknown'

export interface WorkingTree {
  /** Real path of the folder. */
  readonly root: string
  /** Whether there is a git history that could be asked. */
  readonly hasHistory: boolean
  /** Paths are relative to the root, with `/` between their parts. */
  entryAt(path: string): Entry
  /** When the file was last written, milliseconds; null when there is none. */
  changedMsAt(path: string): number | null
  /** A text file of at most `MAX_FILE_BYTES`, whole; else null. */
  read(path: string): string | null
  /** Null also when there is no commit as old as that. Without a time: the newest commit. */
  pastAt(timeMs: number | null, paths: readonly string[], signal: AbortSignal): Promise<Past | null>
  /** Where files and folders of `commit` that are no longer there have gone: old path to new path; null: nowhere. */
  movedSince(
    commit: string,
    paths: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string | null> | null>
  /** In how many commits after `commit` each file was changed. */
  changesSince(
    commit: string,
    paths: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, number> | null>
  /** Tracked files, now or in a commit; null when there are more than `MAX_LISTED_FILES`. */
  listFiles(commit: string | null, signal: AbortSignal): Promise<readonly string[] | null>
  /** Lines of tracked files that hold one of these words whole; as they are now, or as they were in a commit. */
  findWords(words: readonly string[], commit: string | null, signal: AbortSignal): Promise<Found | null>
  /** A branch (local, or of a remote) or a tag; without git it is looked for among the files of the repository. */
  hasRef(kind: 'branch' | 'tag', name: string): boolean | null
  /** `there`: part of the present branch; `elsewhere`: of another one. */
  stateOfCommit(hex: string, signal: AbortSignal): Promise<CommitState>
}

/** A larger file is data or generated; lock files of large projects stay below. */
export const MAX_FILE_BYTES = 4_194_304
export const MAX_LISTED_FILES = 200_000
