import { describe, expect, it } from 'vitest'
import { loadBetterSqlite } from './better-sqlite.ts'
import { findReaderDriver, findSqliteDriver, probeSqlite, type SqliteCandidate } from './find-driver.ts'
import { loadNodeSqlite } from './node-sqlite.ts'
import { sqliteError } from './sqlite-errors.ts'
import type { SqliteDatabase, SqliteDriver } from './sqlite-port.ts'

const dlopen = `The module '/x/better_sqlite3.node'
was compiled against a different Node.js version using
NODE_MODULE_VERSION 115. This version of Node.js requires
NODE_MODULE_VERSION 137.`

/** A binding that opens a database whose every `exec` fails. */
function withoutFullText(closed: string[]): SqliteDriver {
  const refuse = () => {
    throw sqliteError('SQLITE_FAILED', 'no such module: fts5', ':memory:')
  }
  const database: SqliteDatabase = {
    file: ':memory:',
    exec: refuse,
    prepare: refuse,
    transaction: refuse,
    generation: refuse,
    close: () => void closed.push('closed'),
  }
  return { name: 'node-sqlite', open: () => database }
}

function failing(name: SqliteCandidate['name'], message: string): SqliteCandidate {
  return {
    name,
    load: () => {
      throw new Error(message)
    },
  }
}

/** better-sqlite3 whose package loads and whose native part throws when the first database is opened. */
const brokenNativePart: SqliteCandidate = {
  name: 'better-sqlite3',
  load: () =>
    loadBetterSqlite(
      () =>
        class {
          constructor() {
            throw Object.assign(new Error(dlopen), { code: 'ERR_DLOPEN_FAILED' })
          }
        },
    ),
}

describe('BL-70 no SQLite that works is a reason, never an error', () => {
  it.each<[string, readonly SqliteCandidate[], readonly string[]]>([
    [
      'a Node without node:sqlite and no package',
      [
        failing('node-sqlite', 'Node 20.20.2 has no node:sqlite'),
        failing(
          'better-sqlite3',
          "Cannot find module 'better-sqlite3'\nRequire stack:\n- /very/long/path.js\n- /and/more.js",
        ),
      ],
      ['node-sqlite: Node 20.20.2 has no node:sqlite', "better-sqlite3: Cannot find module 'better-sqlite3'"],
    ],
    [
      'a build without FTS5',
      [{ name: 'node-sqlite', load: () => withoutFullText([]) }],
      ['node-sqlite: no such module: fts5'],
    ],
    [
      'a native part of another Node, found at the first open',
      [brokenNativePart],
      [`better-sqlite3: ${dlopen.replaceAll('\n', ' ')}`],
    ],
    [
      'a package that was never compiled',
      [
        {
          name: 'better-sqlite3',
          load: () => loadBetterSqlite(() => failing('better-sqlite3', 'Could not locate the bindings file.').load()),
        },
      ],
      ['better-sqlite3: Could not locate the bindings file.'],
    ],
    [
      'a package of another kind in its place',
      [{ name: 'better-sqlite3', load: () => loadBetterSqlite(() => ({ default: 1 })) }],
      ['better-sqlite3: Binding is not a constructor'],
    ],
    [
      'something that throws no error',
      [
        {
          name: 'node-sqlite',
          load: () => {
            throw 'odd'
          },
        },
      ],
      ['node-sqlite: odd'],
    ],
    ['nothing to try', [], []],
  ])('%s', (_, candidates, tried) => {
    expect(probeSqlite(candidates)).toEqual({ driver: null, tried })
    expect(findSqliteDriver(candidates)).toBeNull()
  })

  it('keeps each reason to one line of bearable length', () => {
    const [reason] = probeSqlite([failing('better-sqlite3', 'words\n'.repeat(1_000))]).tried
    expect(reason).not.toContain('\n')
    expect(reason?.length).toBeLessThan(350)
  })

  it('goes on to the next driver and closes what it opened', () => {
    const closed: string[] = []
    const works = probeSqlite().driver
    const { driver, tried } = probeSqlite([
      { name: 'node-sqlite', load: () => withoutFullText(closed) },
      ...(works ? [{ name: works.name, load: () => works }] : []),
    ])
    expect([driver, tried, closed]).toEqual([works, ['node-sqlite: no such module: fts5'], ['closed']])
  })
})

describe('probing', () => {
  it('prints nothing and leaves warnings as they were', () => {
    const before = process.emitWarning
    probeSqlite()
    expect(process.emitWarning).toBe(before)
  })

  it.runIf(process.getBuiltinModule('node:sqlite'))('loads node:sqlite, whichever way', () => {
    expect(loadNodeSqlite().name).toBe('node-sqlite')
  })

  it.skipIf(process.getBuiltinModule('node:sqlite'))('says when this Node has no node:sqlite', () => {
    expect(loadNodeSqlite).toThrow(`Node ${process.versions.node} has no node:sqlite`)
  })
})

describe('findReaderDriver', () => {
  it('takes a Node without full text for none, and better-sqlite3 unseen', () => {
    const closed: string[] = []
    const nodeOnly: SqliteCandidate = { name: 'node-sqlite', load: () => withoutFullText(closed) }
    expect(findReaderDriver([nodeOnly])).toBeNull()
    expect(closed).toEqual(['closed'])
    expect(findReaderDriver([nodeOnly, brokenNativePart])?.name).toBe('better-sqlite3')
    expect(() => findReaderDriver([brokenNativePart])?.open('/nowhere/index.db', { readOnly: true })).toThrow(
      expect.objectContaining({ code: 'SQLITE_FAILED' }),
    )
    expect(findReaderDriver([failing('better-sqlite3', 'not installed')])).toBeNull()
  })
})
