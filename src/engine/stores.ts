/**
 * The three databases of a home, opened when first asked for. Reading never creates a home: while there is none, and
 * when no SQLite works, the index lives in memory and conversations are not available (and it is said why).
 * A file that was deleted or replaced under a long-lived process is opened again.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, homeFiles } from '../domain/index.ts'
import { hasCode, MemoryError, messageOf } from '../errors.ts'
import { createMemorySearchIndex } from '../store/search-index/memory-search-index.ts'
import type { SearchIndex } from '../store/search-index/search-index.ts'
import { openSqliteSearchIndex } from '../store/search-index/sqlite-search-index.ts'
import type { SessionStore } from '../store/sessions/session-store.ts'
import { openSessionStore } from '../store/sessions/sqlite-session-store.ts'
import { probeSqlite, type SqliteProbe } from '../store/sqlite/find-driver.ts'
import { isNetworkFileSystem } from '../store/sqlite/network-file-system.ts'
import { fileIdentity } from '../store/sqlite/quarantine.ts'
import type { SqliteDriver } from '../store/sqlite/sqlite-port.ts'
import { openStateStore } from '../store/state/sqlite-state-store.ts'
import type { StateStore } from '../store/state/state-store.ts'

export interface StoresOptions {
  readonly home: string
  /** False: nothing is written. The index then lives in memory, conversations are read, machine state is not opened. */
  readonly writable: boolean
  readonly clock: Clock
  /** For tests: a probe that finds nothing. */
  readonly probe?: () => SqliteProbe
  readonly onProblem: (error: unknown, where: string) => void
}

export interface Stores {
  /** Why no database can be used, for people; null when one can. */
  unavailable(): string | null
  /** Nothing was captured yet: `sessions()` may be null without a fault. */
  noSessionsYet(): boolean
  /** Null when no SQLite works, the home does not exist yet, or (state) it may not be written. */
  sessions(): SessionStore | null
  state(): StateStore | null
  /** Throws INDEX_UNAVAILABLE when it cannot be opened; in a home that does not exist yet it is an empty one in memory. */
  index(): SearchIndex
  close(): void
}

interface Slot<Store extends { close(): void }> {
  store: Store
  identity: string | null
}

export function createStores(options: StoresOptions): Stores {
  const { home, clock, writable } = options
  const readOnlyIndex = writable ? null : createMemorySearchIndex()
  const open = new Map<string, Slot<{ close(): void }>>()
  let probe: SqliteProbe | null = null
  const probed = (): SqliteProbe => {
    probe ??= (options.probe ?? probeSqlite)()
    return probe
  }

  /** The open store of a file, opened again when the file is no longer the one that was opened. */
  const take = <Store extends { close(): void }>(
    name: string,
    make: (file: string, driver: SqliteDriver) => Store,
  ): Store | null => {
    const { driver } = probed()
    if (!driver || !existsSync(home)) return null
    const file = join(home, name)
    if (!writable && !existsSync(file)) return null
    // Each name is opened by one caller with one type.
    const slot = open.get(name) as Slot<Store> | undefined
    if (slot && slot.identity === fileIdentity(file)) return slot.store
    slot?.store.close()
    open.delete(name)
    const store = make(file, driver)
    open.set(name, { store, identity: fileIdentity(file) })
    return store
  }

  const onDamage = (quarantined: string) =>
    options.onProblem(
      new MemoryError(
        'SQLITE_CORRUPT',
        `The search index was damaged; it is set aside as ${quarantined} and rebuilt from the files`,
      ),
      'index',
    )

  return {
    unavailable() {
      const { driver, tried } = probed()
      return driver ? null : `no SQLite works here (${tried.join('; ')}); notes work, conversations wait in the journal`
    },
    noSessionsYet: () => probed().driver !== null && !existsSync(join(home, homeFiles.sessionsDb)),
    sessions: () =>
      take(homeFiles.sessionsDb, (file, driver) =>
        twice(() => openSessionStore({ file, driver, clock, readOnly: !writable }), options),
      ),
    state: () => (writable ? take(homeFiles.stateDb, (file, driver) => openStateStore({ file, driver, clock })) : null),
    index() {
      if (readOnlyIndex) return readOnlyIndex
      if (!existsSync(home)) return createMemorySearchIndex()
      const index = openIndex(() =>
        take(homeFiles.indexDb, (file, driver) =>
          openSqliteSearchIndex({ file, driver, clock, wal: !isNetworkFileSystem(home), onDamage }),
        ),
      )
      if (index) return index
      throw new MemoryError('INDEX_UNAVAILABLE', 'The search index cannot be used here', {
        hint: 'Files are scanned instead.',
        data: { reason: `no SQLite works here (${probed().tried.join('; ')})` },
      })
    },
    close() {
      for (const { store } of open.values()) store.close()
      open.clear()
    },
  }
}

/** A damaged canonical file is set aside and named once; then a new one is begun. */
function twice<Store>(make: () => Store, { onProblem }: StoresOptions): Store {
  try {
    return make()
  } catch (error) {
    if (!hasCode(error, 'SQLITE_CORRUPT')) throw error
    onProblem(error, 'sessions')
    return make()
  }
}

function openIndex(make: () => SearchIndex | null): SearchIndex | null {
  try {
    return make()
  } catch (error) {
    throw new MemoryError('INDEX_UNAVAILABLE', 'The search index cannot be opened', {
      hint: 'Files are scanned instead; see `keepsake doctor`.',
      data: { reason: messageOf(error) },
      cause: error,
    })
  }
}
