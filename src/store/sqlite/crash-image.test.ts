import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findSqliteDriver } from './find-driver.ts'
import { checkIntegrity, openChecked } from './open-checked.ts'

const driver = findSqliteDriver()
const clock = { now: () => Date.parse('2026-03-01T10:00:00Z') }
const ROUNDS = 200
const BATCH = 25

/**
 * What a kill -9 leaves is what lies on disk at that moment: the file and its log, without any tidying up. So the disk
 * is copied at moments before, inside and after transactions, and each copy is opened as the next process would.
 */
describe.skipIf(!driver)('BL-10 a writer killed at any moment', () => {
  it(`leaves a sound file with every acknowledged batch and no half one, ${ROUNDS} times`, () => {
    const directory = mkdtempSync(join(tmpdir(), 'keepsake-crash-'))
    const [file, image] = [join(directory, 'live.db'), join(directory, 'image.db')]
    const prepare = (database: { exec(sql: string): void }) =>
      database.exec(`CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, body TEXT NOT NULL);
        CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(body, content='', contentless_delete=1)`)
    const writer = openChecked({ driver: driver!, file, kind: 'derived', clock, prepare })
    // A tiny cache makes SQLite write pages of a transaction to the log before it is committed.
    writer.exec('PRAGMA cache_size = 4')
    const note = writer.prepare('INSERT OR REPLACE INTO notes (id, body) VALUES (?, ?)')
    const words = writer.prepare('INSERT OR REPLACE INTO words (rowid, body) VALUES (?, ?)')
    const takeImage = () => {
      for (const suffix of ['', '-wal', '-shm']) rmSync(image + suffix, { force: true })
      for (const suffix of ['', '-wal']) if (existsSync(file + suffix)) copyFileSync(file + suffix, image + suffix)
    }
    const rowsOfImage = () => {
      const opened = openChecked({ driver: driver!, file: image, kind: 'derived', clock, prepare, check: 'always' })
      const rows = opened.prepare('SELECT count(*) AS n FROM notes').get()?.n
      const found = opened.prepare("SELECT count(*) AS n FROM words WHERE words MATCH 'note'").get()?.n
      const state = [opened.quarantined, checkIntegrity(opened), rows, found]
      opened.close()
      return state
    }
    for (let round = 0; round < ROUNDS; round++) {
      const killAt = round % (BATCH + 1)
      writer.transaction(() => {
        for (let n = 0; n < BATCH; n++) {
          if (n === killAt) takeImage()
          note.run(round * BATCH + n, `note ${n} ${'words '.repeat(20)}`)
          words.run(round * BATCH + n, `note of round ${round}`)
        }
      })
      if (killAt === BATCH) takeImage()
      const committed = (killAt === BATCH ? round + 1 : round) * BATCH
      expect(rowsOfImage()).toEqual([null, [], committed, committed])
      if (round % 40 === 39) writer.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    }
    writer.close()
    rmSync(directory, { recursive: true, force: true })
  })
})
