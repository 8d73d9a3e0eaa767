import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findSqliteDriver } from './find-driver.ts'
import { checkIntegrity, type OpenCheckedOptions, openChecked } from './open-checked.ts'
import { fileIdentity, quarantine } from './quarantine.ts'
import { sqliteError } from './sqlite-errors.ts'
import type { SqliteDatabase, SqliteDriver } from './sqlite-port.ts'

const driver = findSqliteDriver()
const clock = { now: () => Date.parse('2026-03-01T10:00:00Z') }
const SET_ASIDE = '.damaged-20260301T100000Z'

const schema = `CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, body TEXT NOT NULL);
  CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(body, content='', contentless_delete=1)`

describe.skipIf(!driver)('openChecked', () => {
  let directory: string
  let file: string
  const open: SqliteDatabase[] = []
  const opened = (options: Partial<OpenCheckedOptions> = {}) => {
    const prepare = (database: SqliteDatabase) => database.exec(schema)
    const database = openChecked({ driver: driver!, file, kind: 'derived', clock, prepare, ...options })
    open.push(database)
    return database
  }
  const rows = (database: SqliteDatabase) => database.prepare('SELECT count(body) AS n FROM notes').get()?.n
  const allFiles = () => readdirSync(directory).sort()

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'keepsake-checked-'))
    file = join(directory, 'some.db')
  })
  afterEach(() => {
    for (const database of open.splice(0)) database.close()
    rmSync(directory, { recursive: true, force: true })
  })

  /** A closed database of some hundred pages. */
  function fill(): void {
    const database = opened()
    database.transaction(() => {
      for (let id = 1; id <= 2_000; id++) {
        database.prepare('INSERT INTO notes (id, body) VALUES (?, ?)').run(id, `note ${id} ${'words '.repeat(40)}`)
        database.prepare('INSERT INTO words (rowid, body) VALUES (?, ?)').run(id, `note${id} words`)
      }
    })
    database.close()
  }

  const damages: [string, () => void][] = [
    ['4 KiB of noise in the middle', () => overwrite(0.5, Buffer.alloc(4_096, 0x5a))],
    ['4 KiB of zeros in the middle', () => overwrite(0.5, Buffer.alloc(4_096, 0))],
    ['4 KiB of noise across two pages', () => overwrite(0.37, Buffer.alloc(4_096, 0xff), 1_000)],
    ['noise over the first page', () => overwrite(0, Buffer.alloc(4_096, 0x11))],
    ['the second half cut off', () => truncateSync(file, Math.floor(statSync(file).size / 2 / 4_096) * 4_096)],
    ['another file in its place', () => writeFileSync(file, 'words, not a database\n'.repeat(1_000))],
  ]

  function overwrite(part: number, bytes: Buffer, shift = 0): void {
    const content = readFileSync(file)
    bytes.copy(content, Math.floor((content.length * part) / 4_096) * 4_096 + shift)
    writeFileSync(file, content)
  }

  describe('BL-10 damage of a derived database', () => {
    it.each(damages)('%s: found by the check, set aside whole, begun anew', (_, damage) => {
      fill()
      damage()
      const damaged = readFileSync(file)
      const database = opened({ check: 'always' })
      expect(database.quarantined).toBe(file + SET_ASIDE)
      expect(readFileSync(file + SET_ASIDE).equals(damaged)).toBe(true)
      expect([rows(database), checkIntegrity(database), database.isReplaced()]).toEqual([0, [], false])
    })

    it('met while it is read: says so, sets aside, writes nothing more; the next open begins anew', () => {
      fill()
      overwrite(0.5, Buffer.alloc(4_096, 0x5a))
      const database = opened({ check: 'signs' })
      expect(database.quarantined).toBeNull()
      const corrupt = expect.objectContaining({
        code: 'SQLITE_CORRUPT',
        data: expect.objectContaining({ quarantined: file + SET_ASIDE }),
        hint: expect.stringContaining(file + SET_ASIDE),
      })
      expect(() => rows(database)).toThrow(corrupt)
      const damaged = readFileSync(file + SET_ASIDE)
      expect(() => database.exec('DELETE FROM notes')).toThrow(corrupt)
      expect(() => database.transaction(() => 1)).toThrow(corrupt)
      expect(() => database.prepare('SELECT 1')).toThrow(corrupt)
      expect(readFileSync(file + SET_ASIDE).equals(damaged)).toBe(true)
      expect(existsSync(file)).toBe(false)
      expect(rows(opened())).toBe(0)
    })

    it('is looked for at each opening of a small file by a writer', () => {
      fill()
      overwrite(0.5, Buffer.alloc(4_096, 0x5a))
      const reader = opened({ readOnly: true, prepare: () => undefined })
      expect(reader.quarantined).toBeNull()
      reader.close()
      expect(opened().quarantined).toBe(file + SET_ASIDE)
    })

    it('a second damaged file on the same second gets a name of its own', () => {
      for (let round = 0; round < 3; round++) {
        writeFileSync(file, `damaged ${round} `.repeat(1_000))
        opened().close()
      }
      const kept = allFiles().filter((name) => name.includes('.damaged-') && !/-(wal|shm)$/.test(name))
      expect(kept).toEqual([`some.db${SET_ASIDE}`, `some.db${SET_ASIDE}-2`, `some.db${SET_ASIDE}-3`])
      expect(readFileSync(`${file}${SET_ASIDE}-2`, 'utf8')).toMatch(/^damaged 1/)
    })

    it('a read-only connection sets nothing aside', () => {
      fill()
      overwrite(0.5, Buffer.alloc(4_096, 0x5a))
      const before = allFiles()
      expect(() => opened({ readOnly: true, check: 'always', prepare: () => undefined })).toThrow(
        expect.objectContaining({ code: 'SQLITE_CORRUPT' }),
      )
      expect(allFiles().filter((name) => !/-(wal|shm)$/.test(name))).toEqual(before)
    })

    it('another process that mended first keeps its new file', () => {
      fill()
      overwrite(0.5, Buffer.alloc(4_096, 0x5a))
      const late = opened({ check: 'signs' })
      const first = opened({ check: 'always' })
      first.exec("INSERT INTO notes (body) VALUES ('new')")
      expect(() => rows(late)).toThrow(expect.objectContaining({ code: 'SQLITE_CORRUPT' }))
      expect(rows(opened())).toBe(1)
    })
  })

  describe('damage of a canonical database', () => {
    it.each(damages)('%s: said once with the name, kept, then begun anew', (_, damage) => {
      fill()
      damage()
      const damaged = readFileSync(file)
      expect(() => opened({ kind: 'canonical', check: 'always' })).toThrow(
        expect.objectContaining({
          code: 'SQLITE_CORRUPT',
          hint: expect.stringContaining(file + SET_ASIDE),
          data: expect.objectContaining({ file, quarantined: file + SET_ASIDE }),
        }),
      )
      expect(readFileSync(file + SET_ASIDE).equals(damaged)).toBe(true)
      expect(rows(opened({ kind: 'canonical', check: 'always' }))).toBe(0)
    })

    it('is not set aside when a second look finds it sound', () => {
      fill()
      const failsOnce: SqliteDriver = {
        ...driver!,
        open: (path, options) => {
          const database = driver!.open(path, options)
          const prepare: SqliteDatabase['prepare'] = (sql) => {
            if (sql.includes('sqlite_schema')) throw sqliteError('SQLITE_CORRUPT', 'a read that went wrong', path)
            return database.prepare(sql)
          }
          return { ...database, prepare }
        },
      }
      expect(() => opened({ driver: failsOnce, kind: 'canonical' })).toThrow(
        expect.objectContaining({
          code: 'SQLITE_CORRUPT',
          data: expect.not.objectContaining({ quarantined: expect.anything() }),
        }),
      )
      expect(rows(opened({ kind: 'canonical' }))).toBe(2_000)
    })
  })

  it.each<[string, () => void]>([
    ['deleted', () => rmSync(file)],
    ['replaced by another', () => renameSync(copyOf(file), file)],
    ['moved away', () => renameSync(file, `${file}.moved`)],
  ])('a file that was %s under it is noticed, and nothing is acknowledged', (_, change) => {
    const database = opened()
    expect(database.isReplaced()).toBe(false)
    change()
    expect(database.isReplaced()).toBe(true)
    expect(() => database.transaction(() => 1)).toThrow(expect.objectContaining({ code: 'SQLITE_FAILED' }))
  })

  it('uses no write-ahead log on a network file system', () => {
    const asked: string[] = []
    const isNetworkFileSystem = (path: string) => asked.push(path) > 0
    const database = opened({ isNetworkFileSystem })
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'delete' })
    expect([asked, allFiles()]).toEqual([[directory], ['some.db']])
  })

  it('passes on a lock and a fault of `prepare` as they are, and closes', () => {
    const writer = opened()
    const fault = new Error('fault in prepare')
    const fail = () => {
      throw fault
    }
    expect(() => opened({ prepare: fail })).toThrow(fault)
    writer.transaction(() => {
      const lock = (database: SqliteDatabase) => database.transaction(() => 1)
      expect(() => opened({ busyTimeoutMs: 20, prepare: lock })).toThrow(
        expect.objectContaining({ code: 'SQLITE_BUSY' }),
      )
    })
    expect(allFiles().filter((name) => name.includes('damaged'))).toEqual([])
  })
})

describe('quarantine', () => {
  it('moves the file with its log, and only the file that was meant', () => {
    const directory = mkdtempSync(join(tmpdir(), 'keepsake-quarantine-'))
    const file = join(directory, 'x.db')
    for (const suffix of ['', '-wal', '-shm']) writeFileSync(file + suffix, `content${suffix}`)
    const identity = fileIdentity(file)
    expect(quarantine(file, '1:1', clock)).toBeNull()
    expect(quarantine(file, null, clock)).toBeNull()
    expect(readdirSync(directory).sort()).toEqual(['x.db', 'x.db-shm', 'x.db-wal'])
    expect(quarantine(file, identity, clock)).toBe(file + SET_ASIDE)
    expect(readdirSync(directory).sort()).toEqual(['', '-shm', '-wal'].map((suffix) => `x.db${SET_ASIDE}${suffix}`))
    expect(quarantine(file, identity, clock)).toBeNull()
    rmSync(directory, { recursive: true })
  })
})

function copyOf(file: string): string {
  writeFileSync(`${file}.copy`, readFileSync(file))
  return `${file}.copy`
}
