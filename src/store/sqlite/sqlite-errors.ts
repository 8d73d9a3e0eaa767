/** Maps what both bindings throw to our codes. Messages of SQLite never hold bound values, so they may be passed on. */
import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { fromFileSystemError, MemoryError, type MemoryErrorCode, messageOf, systemCode } from '../../errors.ts'

/** Primary result codes of SQLite that have a meaning of their own here. */
const primaryCodes: Readonly<Record<number, MemoryErrorCode>> = {
  5: 'SQLITE_BUSY',
  6: 'SQLITE_BUSY',
  8: 'STORE_READ_ONLY',
  11: 'SQLITE_CORRUPT',
  13: 'STORE_FULL',
  15: 'SQLITE_BUSY',
  19: 'SQLITE_CONSTRAINT',
  26: 'SQLITE_CORRUPT',
}

const primaryNames: Readonly<Record<string, number>> = {
  BUSY: 5,
  LOCKED: 6,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  PROTOCOL: 15,
  CONSTRAINT: 19,
  NOTADB: 26,
}

const words: Partial<Record<MemoryErrorCode, { message: string; hint: string }>> = {
  SQLITE_BUSY: { message: 'Another process keeps the database locked', hint: 'Try again in a moment.' },
  SQLITE_CORRUPT: { message: 'The database file is damaged', hint: 'Run `keepsake doctor`; notes are not concerned.' },
  SQLITE_CONSTRAINT: {
    message: 'The database refused the row',
    hint: 'This is a fault of Keepsake; please report it.',
  },
  STORE_FULL: { message: 'No space left to write the database', hint: 'Free some disk space; nothing was changed.' },
  STORE_READ_ONLY: { message: 'The database cannot be written', hint: 'Check the permissions of the file and folder.' },
  SQLITE_FAILED: { message: 'The database refused a statement', hint: 'Run `keepsake doctor`.' },
}

/** The MemoryError for anything a binding threw; a MemoryError passes unchanged. */
export function toSqliteError(error: unknown, file: string): MemoryError {
  if (MemoryError.isInstance(error)) return error
  const primary = primaryCodeOf(error)
  const code =
    fileSystemCode(error) ??
    primaryCodes[primary] ??
    (diskCodes.has(primary) ? diskTrouble(file) : null) ??
    'SQLITE_FAILED'
  return sqliteError(code, messageOf(error), file, error)
}

/**
 * Why SQLite cannot open its files or gets an I/O error: a log that cannot be made on a read-only or full disk comes
 * with these codes alone, so the disk is asked. Null when it is neither.
 */
function diskTrouble(file: string): MemoryErrorCode | null {
  const folder = dirname(file)
  try {
    const { bavail, bsize } = statfsSync(folder)
    if (bavail * bsize < LEAST_BYTES) return 'STORE_FULL'
    accessSync(folder, constants.W_OK)
    if (existsSync(file)) accessSync(file, constants.W_OK)
    return null
  } catch (error) {
    return ['EROFS', 'EACCES', 'EPERM'].includes(systemCode(error) ?? '') ? 'STORE_READ_ONLY' : null
  }
}

/** CANTOPEN and IOERR. */
const diskCodes: ReadonlySet<number> = new Set([10, 14])
/** What the index of a new log takes. */
const LEAST_BYTES = 32_768

/** The file is made before the binding opens it, so the disk may refuse first. */
function fileSystemCode(error: unknown): MemoryErrorCode | null {
  const mapped = fromFileSystemError(error, '')
  return mapped !== error && MemoryError.isInstance(mapped) ? mapped.code : null
}

/** A MemoryError with our words for `code`, the reason, and the data that the code documents. */
export function sqliteError(code: MemoryErrorCode, reason: string, file: string, cause?: unknown): MemoryError {
  const { message, hint } = words[code] ?? { message: 'The database failed', hint: 'Run `keepsake doctor`.' }
  const place = code.startsWith('STORE_') ? { path: file } : { file }
  return new MemoryError(code, `${message}: ${reason} (${file})`, { hint, data: { ...place, reason }, cause })
}

/** `node:sqlite` gives an extended `errcode`, better-sqlite3 a `code` such as `SQLITE_BUSY_SNAPSHOT`; 1 when unknown. */
function primaryCodeOf(error: unknown): number {
  if (typeof error !== 'object' || error === null) return 1
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode & 0xff
  if (!('code' in error) || typeof error.code !== 'string') return 1
  return primaryNames[/^SQLITE_([A-Z]+)/.exec(error.code)?.[1] ?? ''] ?? 1
}
