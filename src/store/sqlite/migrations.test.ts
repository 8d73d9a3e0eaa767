import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findSqliteDriver } from './find-driver.ts'
import { copyDatabase, migrate, schemaVersion } from './migrations.ts'
import type { SqliteDatabase } from './sqlite-port.ts'

const driver = findSqliteDriver()
const steps = ['CREATE TABLE t (a); INSERT INTO t VALUES (1)', 'ALTER TABLE t ADD COLUMN b', 'UPDATE t SET b = a + 1']

describe.skipIf(!driver)('migrate', () => {
  let directory: string
  let file: string
  const open: SqliteDatabase[] = []
  const opened = (path = file) => {
    const database = driver!.open(path)
    open.push(database)
    return database
  }
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'keepsake-migrate-'))
    file = join(directory, 'some.db')
  })
  afterEach(() => {
    for (const database of open.splice(0)) database.close()
    rmSync(directory, { recursive: true, force: true })
  })

  it('runs each step once, whatever the version it starts from', () => {
    const database = opened()
    for (const upTo of [1, 1, 2, 3, 3]) migrate(database, steps.slice(0, upTo))
    expect([schemaVersion(database), database.prepare('SELECT * FROM t').all()]).toEqual([3, [{ a: 1, b: 2 }]])
  })

  it('keeps a private copy of what was there before, none of a new file', () => {
    const database = opened()
    migrate(database, steps.slice(0, 1))
    expect(readdirSync(directory).filter((name) => name.includes('before'))).toEqual([])
    migrate(database, steps)
    const copy = opened(`${file}.before-1`)
    expect(statSync(`${file}.before-1`).mode & 0o777).toBe(0o600)
    expect([schemaVersion(copy), copy.prepare('SELECT * FROM t').all()]).toEqual([1, [{ a: 1 }]])
    expect(readdirSync(directory).filter((name) => name.includes('partial'))).toEqual([])
  })

  it('leaves everything as it was when a step fails', () => {
    const database = opened()
    migrate(database, steps.slice(0, 1))
    expect(() => migrate(database, [steps[0]!, 'INSERT INTO t VALUES (2)', 'nonsense'])).toThrow(
      expect.objectContaining({ code: 'SQLITE_FAILED' }),
    )
    expect([schemaVersion(database), database.prepare('SELECT * FROM t').all()]).toEqual([1, [{ a: 1 }]])
    migrate(database, steps)
    expect(schemaVersion(database)).toBe(3)
  })

  it('refuses a file that a newer version wrote, and changes nothing', () => {
    const database = opened()
    migrate(database, steps)
    expect(() => migrate(database, steps.slice(0, 2))).toThrow(
      expect.objectContaining({ code: 'HOME_FORMAT_NEWER', data: { home: file, format: 3 } }),
    )
    expect(schemaVersion(database)).toBe(3)
  })

  it('does not run a step twice when another connection was first', () => {
    const [first, second] = [opened(), opened()]
    const raced: SqliteDatabase = {
      ...second,
      transaction: (work) => {
        migrate(first, steps)
        return second.transaction(work)
      },
    }
    migrate(raced, steps)
    expect(second.prepare('SELECT * FROM t').all()).toEqual([{ a: 1, b: 2 }])
  })

  it('copies a live database whole and never over a file', () => {
    const database = opened()
    migrate(database, steps)
    copyDatabase(database, join(directory, 'copy.db'))
    expect(opened(join(directory, 'copy.db')).prepare('SELECT * FROM t').all()).toEqual([{ a: 1, b: 2 }])
    expect(existsSync(`${file}-wal`)).toBe(true)
    expect(() => copyDatabase(database, join(directory, 'copy.db'))).toThrow(/EEXIST/)
  })
})
