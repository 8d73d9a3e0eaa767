import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { comparable, createSyncHarness, exampleNote, globalLayer } from '../testing/sync-harness.ts'
import type { SearchIndex } from './search-index/search-index.ts'
import { openSqliteSearchIndex } from './search-index/sqlite-search-index.ts'
import { findSqliteDriver } from './sqlite/find-driver.ts'
import { sqliteError } from './sqlite/sqlite-errors.ts'
import type { SqliteDriver } from './sqlite/sqlite-port.ts'
import { createSync } from './sync.ts'

const found = findSqliteDriver()
const clock = { now: () => Date.parse('2026-03-01T10:00:00Z') }

describe.skipIf(!found)('index.db', () => {
  const driver = found!
  let directory: string
  let file: string
  const open: SearchIndex[] = []
  const opened = (from: SqliteDriver = driver) => {
    const index = openSqliteSearchIndex({ file, driver: from, clock })
    open.push(index)
    return index
  }
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'keepsake-index-'))
    file = join(directory, 'index.db')
  })
  afterEach(() => {
    for (const index of open.splice(0)) index.close()
    rmSync(directory, { recursive: true, force: true })
  })

  /** 150 notes in the files and in index.db, the connection closed. */
  async function filled() {
    const index = opened()
    const harness = createSyncHarness({ index })
    for (let n = 0; n < 150; n++)
      harness.put(`n${n}.md`, exampleNote({ name: `Note ${n}` }, `words of note ${n} 记忆 ${'and more '.repeat(30)}`))
    harness.pass(60_000)
    await harness.run()
    const rows = harness.rows().map(comparable)
    index.close()
    return { harness, rows }
  }
  const search = (index: SearchIndex, word: string) =>
    index
      .searchNotes({ words: [{ text: word, weight: 1 }], grams: [], phrases: [], prefixes: [] }, ['global'], 10)
      .map((hit) => [hit.reference.file, hit.score])
  const files = (harness: ReturnType<typeof createSyncHarness>) =>
    harness.files().map((name) => harness.fileOf(name)?.bytes)

  describe('BL-10 damaged', () => {
    it.each<[string, number, number, number]>([
      ['4 KiB of noise in the middle', 0.5, 4_096, 0x5a],
      ['4 KiB of zeros in the middle', 0.5, 4_096, 0],
      ['4 KiB of noise at a quarter', 0.25, 4_096, 0xa5],
      ['4 KiB of noise over the end', 0.98, 4_096, 0x5a],
      ['noise over the header', 0, 100, 0x5a],
      ['noise over half of the file', 0.4, 60_000, 0x77],
    ])('by %s: noticed, set aside, filled again from the files with the same rows', async (_, part, length, noise) => {
      const { harness, rows } = await filled()
      const wanted = search(opened(), '149')
      for (const index of open.splice(0)) index.close()
      const content = readFileSync(file)
      content.fill(
        noise,
        Math.floor((content.length * part) / 4_096) * 4_096,
        Math.floor(content.length * part) + length,
      )
      writeFileSync(file, content)

      const before = files(harness)
      const sync = createSync({
        ...harness.dependencies,
        index: () => {
          harness.memory.index = opened()
          return harness.memory.index
        },
      })
      expect(await sync.layer(globalLayer)).toMatchObject({ state: 'ok', changed: 150, failure: null })
      const kept = readdirSync(directory).filter((name) => /damaged-\d{8}T\d{6}Z$/.test(name))
      expect(kept).toHaveLength(1)
      expect(readFileSync(join(directory, kept[0]!)).equals(content)).toBe(true)
      expect(harness.rows().map(comparable)).toEqual(rows)
      expect(search(harness.memory.index, '149')).toEqual(wanted)
      expect([files(harness), harness.buried]).toEqual([before, []])
    })
  })

  describe('BL-70 a build without FTS5 meets it', () => {
    /** The real driver, but every statement on a full-text table fails as in such a build. */
    const withoutFullText: SqliteDriver = {
      ...driver,
      open: (path, options) => {
        const database = driver.open(path, options)
        const refuse = (sql: string) => {
          if (/fts5|_fts|words/i.test(sql)) throw sqliteError('SQLITE_FAILED', 'no such module: fts5', path)
        }
        return {
          ...database,
          exec: (sql) => {
            refuse(sql)
            database.exec(sql)
          },
          prepare: (sql) => {
            refuse(sql)
            return database.prepare(sql)
          },
        }
      },
    }
    const dlopen: SqliteDriver = {
      ...driver,
      open: (path) => {
        throw sqliteError('SQLITE_FAILED', 'Could not dlopen: compiled against a different Node.js version', path)
      },
    }

    it.each<[string, SqliteDriver, RegExp]>([
      ['no such module: fts5', withoutFullText, /no such module: fts5/],
      ['dlopen', dlopen, /dlopen/],
    ])('%s: one reason, files untouched; when it returns, everything is there', async (_, broken, reason) => {
      const { harness, rows } = await filled()
      const before = files(harness)
      harness.put('new.md', exampleNote({ name: 'New' }, 'kestrel'))
      const report = await createSync({ ...harness.dependencies, index: () => opened(broken) }).layer(globalLayer)
      expect(report).toMatchObject({
        state: 'failed',
        failure: { message: expect.stringMatching(reason) },
        forgotten: 0,
      })
      expect(report.failure?.message.match(/fts5|dlopen/g)).toHaveLength(1)
      expect(files(harness).slice(0, -1)).toEqual(before)

      const sync = createSync({ ...harness.dependencies, index: () => (harness.memory.index = opened()) })
      expect(await sync.layer(globalLayer)).toMatchObject({ state: 'ok', changed: 1 })
      expect(
        harness
          .rows()
          .map(comparable)
          .filter((row) => row.file !== 'new.md'),
      ).toEqual(rows)
      expect(search(harness.memory.index, 'kestrel')).toHaveLength(1)
      expect(existsSync(`${file}.damaged-20260301T100000Z`)).toBe(false)
    })
  })

  it('deleted: comes back with the same rows', async () => {
    const { harness, rows } = await filled()
    for (const name of readdirSync(directory)) rmSync(join(directory, name))
    harness.memory.index = opened()
    await harness.run()
    expect(harness.rows().map(comparable)).toEqual(rows)
  })

  it('BL-64 locked by another process: reported within the time-out, done at the next run', async () => {
    const { harness } = await filled()
    const holder = driver.open(file)
    const patient = openSqliteSearchIndex({ file, driver, clock, busyTimeoutMs: 50 })
    open.push(patient)
    harness.memory.index = patient
    harness.put('new.md', 'kestrel')
    const started = performance.now()
    holder.exec('BEGIN IMMEDIATE')
    const report = await harness.run()
    holder.exec('ROLLBACK')
    holder.close()
    expect(report).toMatchObject({ state: 'failed', failure: { code: 'SQLITE_BUSY', hint: expect.any(String) } })
    expect(performance.now() - started).toBeLessThan(1_500)
    expect(await harness.run()).toMatchObject({ state: 'ok', changed: 1 })
  })
})
