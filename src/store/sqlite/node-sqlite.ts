/** Driver on `node:sqlite` (Node 22.16 and later, 24; earlier ones have no FTS5, which the probe finds out). */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { openConnection, type RawDatabase, type RawStatement } from './connection.ts'
import type { SqliteDriver } from './sqlite-port.ts'

type NodeSqlite = typeof import('node:sqlite')

/** Throws when this Node has no `node:sqlite`. Loading it prints no ExperimentalWarning. */
export function loadNodeSqlite(): SqliteDriver {
  // Evidence: the types are those of Node 24; older ones give undefined.
  const binding = withoutSqliteWarning(() => process.getBuiltinModule('node:sqlite') as NodeSqlite | undefined)
  if (!binding) throw new Error(`Node ${process.versions.node} has no node:sqlite`)
  return {
    name: 'node-sqlite',
    open: (file, options = {}) =>
      openConnection(file, options, (path) =>
        adapt(new binding.DatabaseSync(path, { readOnly: options.readOnly ?? false })),
      ),
  }
}

/**
 * Node 22 and 24.0 warn while the module loads, which would stand on the stderr of every hook. Loading is synchronous,
 * so nothing else can warn through the replaced function but what is passed on.
 */
function withoutSqliteWarning<T>(load: () => T): T {
  const emitWarning = process.emitWarning
  const quiet = (warning: string | Error, ...rest: unknown[]): void => {
    if (String(warning).includes('SQLite is an experimental feature')) return
    Reflect.apply(emitWarning, process, [warning, ...rest])
  }
  process.emitWarning = quiet
  try {
    return load()
  } finally {
    process.emitWarning = emitWarning
  }
}

function adapt(database: DatabaseSync): RawDatabase {
  return {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => adaptStatement(database.prepare(sql)),
    close: () => database.close(),
  }
}

function adaptStatement(statement: StatementSync): RawStatement {
  statement.setReadBigInts(true)
  return {
    returnsRows: statement.columns().length > 0,
    run: (values) => statement.run(...values),
    get: (values) => statement.get(...values),
    all: (values) => statement.all(...values),
  }
}
