/**
 * Opens one of our database files so that damage has one path: it is detected, the file is set aside (never deleted)
 * and nothing is written to it any more.
 * - `derived` (index.db, state.db): damage found while opening gives a new, empty database and `quarantined`.
 * - `canonical` (sessions.db): damage throws SQLITE_CORRUPT once, naming the file set aside; the next open starts anew.
 * - Damage met later throws SQLITE_CORRUPT with `data.quarantined`; the connection is closed; open again.
 * - Read-only connections set nothing aside: they throw, and the next writer mends.
 */
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Clock } from '../../domain/index.ts'
import { hasCode, MemoryError } from '../../errors.ts'
import { MEMORY_FILE } from './connection.ts'
import { isNetworkFileSystem } from './network-file-system.ts'
import { fileIdentity, quarantine } from './quarantine.ts'
import { sqliteError, toSqliteError } from './sqlite-errors.ts'
import type { OpenSqliteOptions, SqliteDatabase, SqliteDriver, SqliteStatement } from './sqlite-port.ts'

export interface OpenCheckedOptions extends OpenSqliteOptions {
  readonly driver: SqliteDriver
  readonly file: string
  readonly kind: 'derived' | 'canonical'
  readonly clock: Clock
  /**
   * `signs`: the file must open and its schema be readable; damage elsewhere is met when it is read. `always`:
   * quick_check, about 12 ms a MB. Default: `always` for writers of a file up to 4 MB, else `signs`.
   */
  readonly check?: 'signs' | 'always'
  /** Makes or migrates the schema; damage met here counts as damage of the file. */
  readonly prepare?: (database: SqliteDatabase) => void
  /** No write-ahead log where this is true. Default: by the type of the file system. */
  readonly isNetworkFileSystem?: (path: string) => boolean
}

export interface CheckedDatabase extends SqliteDatabase {
  /** The damaged file that was set aside while opening, or null. */
  readonly quarantined: string | null
  /** True when the path no longer holds the file that was opened: it was deleted, replaced or set aside. Open again. */
  isReplaced(): boolean
}

/** Throws SQLITE_BUSY, SQLITE_FAILED, what `prepare` throws, and SQLITE_CORRUPT as said above. */
export function openChecked(options: OpenCheckedOptions): CheckedDatabase {
  try {
    return openOnce(options, null)
  } catch (error) {
    const quarantined = hasCode(error, 'SQLITE_CORRUPT') ? error.data.quarantined : undefined
    if (options.kind === 'canonical' || typeof quarantined !== 'string') throw error
    return openOnce(options, quarantined)
  }
}

/** What `PRAGMA quick_check` says is wrong, at most 10 lines; empty when the file is sound. Never throws. */
export function checkIntegrity(database: SqliteDatabase): string[] {
  try {
    const rows = database.prepare('PRAGMA quick_check(10)').all()
    const lines = rows.map((row) => String(Object.values(row)[0]))
    return lines.length === 1 && lines[0] === 'ok' ? [] : lines
  } catch (error) {
    return [toSqliteError(error, database.file).message]
  }
}

function openOnce(options: OpenCheckedOptions, quarantined: string | null): CheckedDatabase {
  const { driver, file } = options
  const isNetwork = options.isNetworkFileSystem ?? ((path) => isNetworkFileSystem(path))
  const wal = (options.wal ?? true) && (file === MEMORY_FILE || !isNetwork(dirname(file)))
  const before = fileIdentity(file)
  let database: SqliteDatabase
  try {
    database = driver.open(file, { ...options, wal })
  } catch (error) {
    throw setAside(error, { options, identity: before, close: () => undefined })
  }
  const { checked, guarded } = watch(database, options, quarantined)
  try {
    checked.prepare('SELECT count(*) FROM sqlite_schema').get()
    if ((options.check ?? defaultCheck(options)) === 'always') guarded(() => demandIntegrity(database))
    options.prepare?.(checked)
    return checked
  } catch (error) {
    checked.close()
    throw error
  }
}

/** Keeps what a command pays for at its start under about 50 ms. */
const MAX_BYTES_CHECKED_AT_OPEN = 4_000_000

function defaultCheck({ file, readOnly }: OpenCheckedOptions): 'signs' | 'always' {
  const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  return readOnly || bytes > MAX_BYTES_CHECKED_AT_OPEN ? 'signs' : 'always'
}

function demandIntegrity(database: SqliteDatabase): void {
  const [first] = checkIntegrity(database)
  if (first !== undefined) throw sqliteError('SQLITE_CORRUPT', first, database.file)
}

interface Watched {
  readonly checked: CheckedDatabase
  guarded<T>(work: () => T): T
}

/** Every call goes through `guarded`, so that no statement runs after damage was seen. */
function watch(database: SqliteDatabase, options: OpenCheckedOptions, quarantined: string | null): Watched {
  const identity = fileIdentity(database.file)
  const wrapped = new WeakMap<SqliteStatement, SqliteStatement>()
  let damage: MemoryError | null = null

  const guarded = <T>(work: () => T): T => {
    if (damage) throw damage
    try {
      return work()
    } catch (error) {
      if (damage) throw damage
      if (!hasCode(error, 'SQLITE_CORRUPT')) throw error
      damage = setAside(error, { options, identity, close: () => database.close() })
      throw damage
    }
  }
  const wrapStatement = (statement: SqliteStatement): SqliteStatement => {
    const known = wrapped.get(statement)
    if (known) return known
    const watched: SqliteStatement = {
      run: (...values) => guarded(() => statement.run(...values)),
      get: (...values) => guarded(() => statement.get(...values)),
      all: (...values) => guarded(() => statement.all(...values)),
    }
    wrapped.set(statement, watched)
    return watched
  }
  const isReplaced = (): boolean => identity !== null && fileIdentity(database.file) !== identity

  const checked: CheckedDatabase = {
    file: database.file,
    quarantined,
    isReplaced,
    exec: (sql) => guarded(() => database.exec(sql)),
    prepare: (sql) => guarded(() => wrapStatement(database.prepare(sql))),
    generation: () => guarded(() => database.generation()),
    transaction: (work) =>
      guarded(() => {
        if (isReplaced()) throw sqliteError('SQLITE_FAILED', 'the file was replaced; open it again', database.file)
        return database.transaction(work)
      }),
    close: () => database.close(),
  }
  return { checked, guarded }
}

interface Damage {
  readonly options: OpenCheckedOptions
  readonly identity: string | null
  close(): void
}

/** The error to throw: for damage, after the file was set aside; for anything else, the error itself. */
function setAside(error: unknown, { options, identity, close }: Damage): MemoryError {
  const known = toSqliteError(error, options.file)
  if (known.code !== 'SQLITE_CORRUPT' || known.data.quarantined !== undefined) return known
  closeQuietly(close)
  if (options.readOnly || options.file === MEMORY_FILE) return known
  if (options.kind === 'canonical' && isSound(options)) return known
  try {
    return namingTheFile(known, options, quarantine(options.file, identity, options.clock))
  } catch (cause) {
    return new MemoryError('SQLITE_CORRUPT', `${known.message}; it could not be set aside`, {
      hint: 'Check the permissions of the folder.',
      data: { ...known.data },
      cause,
    })
  }
}

function namingTheFile(known: MemoryError, options: OpenCheckedOptions, quarantined: string | null): MemoryError {
  const kept = quarantined ?? 'set aside by another process'
  const hint =
    options.kind === 'derived'
      ? `It is rebuilt; the damaged file is kept: ${kept}`
      : `Capture goes on in a new file; the damaged one is kept: ${kept}`
  return new MemoryError('SQLITE_CORRUPT', known.message, {
    hint,
    data: { ...known.data, quarantined: kept },
    cause: known,
  })
}

/** A canonical file is set aside only when a second look, on a new connection, finds it damaged too. */
function isSound({ driver, file }: OpenCheckedOptions): boolean {
  try {
    const second = driver.open(file, { readOnly: true })
    try {
      return checkIntegrity(second).length === 0
    } finally {
      second.close()
    }
  } catch (error) {
    return !hasCode(error, 'SQLITE_CORRUPT')
  }
}

function closeQuietly(close: () => void): void {
  try {
    close()
  } catch {
    // Closing a damaged database may fail on its checkpoint; the file is moved away as it is.
  }
}
