/**
 * Driver on better-sqlite3, an optional dependency. That it is missing, or was built for another Node and throws when
 * the first database is opened, is normal: the probe turns it into a reason.
 */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type Database from 'better-sqlite3'
import { openConnection, type RawDatabase, type RawStatement } from './connection.ts'
import type { SqliteDriver } from './sqlite-port.ts'

/** Throws when the package cannot be loaded. */
export function loadBetterSqlite(load: () => unknown = requirePackage): SqliteDriver {
  // Evidence: the package is pinned and its types are those of the pinned version.
  const Binding = load() as typeof Database
  const native = nativePart()
  return {
    name: 'better-sqlite3',
    open: (file, options = {}) =>
      openConnection(file, options, (path, timeout) =>
        adapt(new Binding(path, { ...native, readonly: options.readOnly ?? false, timeout })),
      ),
  }
}

function requirePackage(): unknown {
  return createRequire(import.meta.url)('better-sqlite3')
}

/** Where the native part lies as a rule; the package itself looks in a dozen places, and needs two more packages for it. */
function nativePart(): { nativeBinding?: string } {
  try {
    const entry = createRequire(import.meta.url).resolve('better-sqlite3')
    const nativeBinding = join(dirname(entry), '..', 'build', 'Release', 'better_sqlite3.node')
    return existsSync(nativeBinding) ? { nativeBinding } : {}
  } catch {
    // A package that was handed in: then it finds its own.
    return {}
  }
}

function adapt(database: Database.Database): RawDatabase {
  return {
    exec: (sql) => void database.exec(sql),
    prepare: (sql) => adaptStatement(database.prepare<unknown[], object>(sql)),
    close: () => void database.close(),
  }
}

function adaptStatement(statement: Database.Statement<unknown[], object>): RawStatement {
  statement.safeIntegers(true)
  return {
    returnsRows: statement.reader,
    run: (values) => statement.run(...values),
    get: (values) => statement.get(...values),
    all: (values) => statement.all(...values),
  }
}
