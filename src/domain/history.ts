/** What happened to notes, one change after the other (spec S12), and taking a change back. */

/**
 * Who changed what: a write, a move, a forget, an undo of ours; or `outside`: files that a person, an editor or another
 * program changed, found and recorded at the next write or refresh.
 */
export type HistoryKind = 'remember' | 'move' | 'forget' | 'undo' | 'outside'

export interface HistoryFile {
  /** `global` or `project`. */
  readonly layer: string
  /** Absolute path. */
  readonly file: string
  readonly change: 'added' | 'changed' | 'removed'
}

export interface HistoryChange {
  /** 12 hex digits; every unique prefix of 6 or more names it. */
  readonly id: string
  /** UTC ISO 8601. */
  readonly time: string
  /** `person`, or the name of an agent. */
  readonly author: string
  readonly kind: HistoryKind
  /** One sentence; never words of a note. */
  readonly why: string
  /** Ids of the notes. */
  readonly notes: readonly string[]
  readonly files: readonly HistoryFile[]
  /** Files that are not named above. */
  readonly omittedFiles: number
  /** Id of the change that this one took back. */
  readonly undoes: string | null
  /** True when a later change took it back. */
  readonly undone: boolean
}

export interface HistoryLogInput {
  /** Id, unique id prefix, file name or name; also of a note that is gone, by its id or file name. Default: all. */
  readonly note?: string
  /** 1..500, default 20. */
  readonly limit?: number
  readonly cursor?: string
}

export interface HistoryLog {
  /** Newest first. */
  readonly changes: readonly HistoryChange[]
  readonly nextCursor: string | null
}

export interface FileDiff {
  readonly layer: string
  /** Absolute path. */
  readonly file: string
  readonly change: 'added' | 'changed' | 'removed'
  /** Unified lines (`@@`, ` `, `-`, `+`), masked as a note is when read. Empty when only permissions changed. */
  readonly text: string
  /** Lines that are not shown. */
  readonly omittedLines: number
}

export interface HistoryDiff {
  /** Null for what was changed on disk and is not recorded yet. */
  readonly change: HistoryChange | null
  readonly files: readonly FileDiff[]
  readonly omittedFiles: number
}

export interface UndoOptions {
  /** Say what would be done, change nothing. */
  readonly dryRun?: boolean
  readonly signal?: AbortSignal
}

export interface UndoResult {
  /** `unchanged`: everything is already as it was before the change. `rejected`: the layer may not be written. */
  readonly outcome: 'undone' | 'unchanged' | 'rejected'
  /** What was taken back. */
  readonly change: HistoryChange
  /** What became of each file. */
  readonly files: readonly HistoryFile[]
  readonly notices: readonly string[]
}

export interface HistoryAccess {
  /** Changes of this project's and the global layer. Throws HISTORY_UNAVAILABLE. */
  log(input?: HistoryLogInput): Promise<HistoryLog>
  /** What one change did, or what last happened to a note. Throws CHANGE_NOT_FOUND, HISTORY_UNAVAILABLE. */
  diff(reference: string): Promise<HistoryDiff>
  /**
   * Takes one change back: bytes and permissions as they were. Without an id: the last change made by Keepsake here that
   * is not an undo and was not taken back. Nothing is overwritten: a file that changed since keeps its later words, and
   * where both cannot stand NOTE_CHANGED_ON_DISK is thrown and nothing is done. Throws CHANGE_NOT_FOUND,
   * CHANGE_AMBIGUOUS, HISTORY_UNAVAILABLE, STORE_BUSY.
   */
  undo(id?: string, options?: UndoOptions): Promise<UndoResult>
}
