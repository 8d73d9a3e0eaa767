import { describe } from 'vitest'
import { testSqliteDriver } from '../../testing/sqlite-suite.ts'
import { loadBetterSqlite } from './better-sqlite.ts'
import { probeSqlite } from './find-driver.ts'
import { loadNodeSqlite } from './node-sqlite.ts'

describe('SQLite drivers', () => {
  for (const candidate of [
    { name: 'node-sqlite' as const, load: loadNodeSqlite },
    { name: 'better-sqlite3' as const, load: () => loadBetterSqlite() },
  ]) {
    const { driver, tried } = probeSqlite([candidate])
    testSqliteDriver(candidate.name, driver, `cannot exist here (${tried.join()})`)
  }
})
