/**
 * The one error family of Keepsake. Expected outcomes are return values; these are for what the caller cannot
 * simply branch on. Every code is documented once, here, and the docs table is generated from this list.
 */

/** Every error code with what it means and what `data` holds. Grouped by room. */
export const errorCodes = {
  // input
  INPUT_INVALID: 'An argument, option or request body is wrong. data: {field}',
  CONFIG_INVALID: 'config.json or an environment variable holds a value that cannot be used. data: {key, file}',
  // home and store
  HOME_INVALID: 'The home folder is not usable (a file in its place, unreadable home.json). data: {home}',
  HOME_FORMAT_NEWER: 'The home was written by a newer Keepsake; it can be read, not written. data: {home, format}',
  HOME_NOT_EMPTY: 'A restore would replace a home that holds something; nothing was changed. data: {home}',
  BACKUP_NOT_FOUND: 'There is no backup file at this path. data: {file}',
  BACKUP_INVALID:
    'The backup is truncated, altered, or holds what no backup holds; nothing was changed. data: {file, reason}',
  STORE_BUSY: 'Another process holds the lock of the layer for longer than the wait allowed. data: {layer, waitedMs}',
  STORE_READ_ONLY: 'The disk or folder refuses writing. data: {path}',
  STORE_FULL: 'The disk is full. data: {path}',
  STORE_UNREADABLE: 'A folder or file of the store exists but cannot be read. data: {path}',
  PATH_OUTSIDE_STORE: 'A path leads outside the folder it must stay in. data: {path, reason}',
  // notes
  NOTE_NOT_FOUND: 'No note has this id, name or file. data: {reference}',
  NOTE_AMBIGUOUS: 'Several notes match; nothing was done. data: {reference, candidates}',
  NOTE_FORMAT_INVALID: 'The front matter of a note cannot be read, so Keepsake does not edit it. data: {file, line}',
  NOTE_CHANGED_ON_DISK: 'The file changed between reading and writing. data: {file}',
  PROPOSAL_NOT_FOUND: 'No proposal has this id, or it was decided meanwhile. data: {reference}',
  PROPOSAL_AMBIGUOUS: 'Several proposals begin or end so; nothing was done. data: {reference, candidates}',
  // history
  CHANGE_NOT_FOUND: 'No recorded change has this id, or there is nothing to take back. data: {reference}',
  CHANGE_AMBIGUOUS: 'Several changes begin with this id; nothing was done. data: {reference, candidates}',
  HISTORY_UNAVAILABLE: 'History is switched off, or there is no git on this machine; notes work. data: {reason}',
  HISTORY_FAILED: 'git could not read or write the history; notes are not touched by that. data: {repository}',
  // databases
  SQLITE_UNAVAILABLE: 'No SQLite binding works here; notes work, sessions wait in the journal. data: {tried}',
  SQLITE_BUSY: 'The database stayed locked longer than the wait allowed. data: {file}',
  SQLITE_CORRUPT: 'The database file is damaged. data: {file}',
  SQLITE_CONSTRAINT: 'A constraint of the database refused the row. data: {file}',
  SQLITE_FAILED: 'The database refused a statement. data: {file}',
  INDEX_UNAVAILABLE: 'The search index cannot be used; recall scans the files instead. data: {reason}',
  SESSION_NOT_FOUND: 'No captured session, or message of it, has this id. data: {reference}',
  // agents
  AGENT_UNKNOWN: 'No agent of this name is supported. data: {agent, known}',
  AGENT_SETTINGS_INVALID: "The agent's settings file cannot be read, so nothing was changed. data: {file, line}",
  TRANSCRIPT_UNREADABLE: 'The transcript file is missing, unreadable or of no known kind. data: {file}',
  // models
  EMBEDDER_UNAVAILABLE:
    'The embedding model cannot be used: a package, an address or a key is missing, or it gives no vectors. Recall goes by words. data: {embedder}',
  MODEL_UNAVAILABLE:
    'The language model cannot be asked: a package, a program, an address or a key is missing, or it refused. Work that needs it waits. data: {model}',
  // background work
  JOB_NOT_FOUND: 'No job that waits has this id; it may be done. data: {reference}',
  JOB_AMBIGUOUS: 'Several jobs begin or end so; nothing was done. data: {reference, candidates}',
  // machine
  CANCELLED: 'The caller cancelled. data: {}',
  INTERNAL: 'A fault of Keepsake itself. data: {}',
} as const

export type MemoryErrorCode = keyof typeof errorCodes

export interface MemoryErrorOptions {
  /** What the user can do about it, one sentence. */
  hint?: string
  data?: Record<string, unknown>
  cause?: unknown
}

const brand = Symbol.for('keepsake.memory-error')

/** An error with a documented `code`, a `hint` for the user, and `data` for programs. */
export class MemoryError extends Error {
  override readonly name = 'MemoryError'
  readonly code: MemoryErrorCode
  readonly hint: string | undefined
  readonly data: Record<string, unknown>
  readonly [brand] = true

  constructor(code: MemoryErrorCode, message: string, options: MemoryErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.hint = options.hint
    this.data = options.data ?? {}
  }

  /** True also for errors that come from a second copy of this package. */
  static isInstance(error: unknown): error is MemoryError {
    return typeof error === 'object' && error !== null && brand in error
  }
}

/** Narrow check for one code: `if (hasCode(error, 'STORE_BUSY')) …`. */
export function hasCode(error: unknown, code: MemoryErrorCode): error is MemoryError {
  return MemoryError.isInstance(error) && error.code === code
}

/** What is told of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Throws CANCELLED when the caller has given up; said before anything is changed. */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw cancelled(signal.reason)
}

/** The error for work that stopped because its caller gave up. */
export function cancelled(reason?: unknown): MemoryError {
  return new MemoryError('CANCELLED', 'Cancelled by the caller', {
    hint: 'What was done before is kept; nothing is half done.',
    cause: reason,
  })
}

/** Maps what the file system throws to our codes; anything unknown is returned unchanged. */
export function fromFileSystemError(error: unknown, path: string): unknown {
  const code = systemCode(error)
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new MemoryError('STORE_FULL', `No space left to write ${path}`, {
      hint: 'Free some disk space; nothing was changed.',
      data: { path },
      cause: error,
    })
  if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM')
    return new MemoryError('STORE_READ_ONLY', `Not allowed to write ${path}`, {
      hint: 'Check the permissions of the folder; nothing was changed.',
      data: { path },
      cause: error,
    })
  if (code === 'EISDIR')
    return new MemoryError('STORE_UNREADABLE', `A folder stands in the place of ${path}`, {
      hint: 'Move the folder away; nothing was changed.',
      data: { path },
      cause: error,
    })
  if (code === 'ENOTDIR')
    return new MemoryError('STORE_UNREADABLE', `A file stands in the place of a folder: ${path}`, {
      hint: 'Move the file away; nothing was changed.',
      data: { path },
      cause: error,
    })
  return error
}

/** The `code` of a Node system error (`ENOENT`, …), or undefined. */
export function systemCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
