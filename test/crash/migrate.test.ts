/** Migrations killed with SIGKILL at each step: they go on where they must and end the same as one that was never killed. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findSqliteDriver } from '../../src/store/sqlite/find-driver.ts'
import { migrate, schemaVersion } from '../../src/store/sqlite/migrations.ts'
import { type BuiltChild, buildChild } from '../support/build-child.ts'
import { databaseSteps, firstDatabaseSteps, NOTES } from './migration-steps.ts'

let child: BuiltChild
let home: string
beforeAll(async () => {
  child = await buildChild('test/crash/migrate-child.ts')
})
afterAll(() => child?.dispose())
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'keepsake-killed-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const run = (what: string, point: string) =>
  spawnSync(process.execPath, [child.file, home, what, point], { stdio: ['ignore', 'inherit', 'inherit'] }).signal

const homePoints = [
  'begun 1',
  'copied 1',
  'in first',
  'step-run 2',
  'step-recorded 2',
  'in second',
  'step-run 3',
  'step-recorded 3',
  'in third',
  'step-run 4',
  'step-recorded 4',
]

describe('files of a home [S7]', () => {
  const note = (index: number) => `${'words of a note\n'.repeat(index + 1)}`
  const notes = () =>
    Array.from({ length: NOTES }, (_, index) => readFileSync(join(home, `global/project_${index}.md`), 'utf8'))
  const ended = Array.from({ length: NOTES }, (_, index) => `${note(index)}first\nsecond\nthird\n`)
  beforeEach(() => {
    mkdirSync(join(home, 'global'))
    for (let index = 0; index < NOTES; index++) writeFileSync(join(home, `global/project_${index}.md`), note(index))
    writeFileSync(
      join(home, 'home.json'),
      JSON.stringify({ format: 1, id: '01JZZZZZZZZZZZZZZZZZZZZZZZ', created: '2026-01-01T00:00:00Z' }),
    )
  })

  it.each(homePoints)('killed at "%s": the next opening ends the same', (point) => {
    expect(run('home', point)).toBe('SIGKILL')
    expect(run('home', '-')).toBe(null)
    expect(notes()).toEqual(ended)
    expect(readFileSync(join(home, 'home.json'), 'utf8')).toContain('"format": 4')
    // The copy is of what was there before the first step, whatever was killed in between.
    expect(readFileSync(join(home, 'before-format-2/global/project_3.md'), 'utf8')).toBe(note(3))
    expect(readdirSync(home).filter((each) => each.includes('partial'))).toEqual([])
  })

  it('killed at every point, one after the other', () => {
    for (const point of homePoints) expect(run('home', point)).toBe('SIGKILL')
    expect(run('home', '-')).toBe(null)
    expect(notes()).toEqual(ended)
  })
})

const driver = findSqliteDriver()
const databasePoints = ['begun', 'copy-made', 'copied', 'step-2', 'step-3', 'step-4', 'counted', 'committed']

describe.skipIf(!driver).each(['sessions.db', 'state.db'])('rows of %s [S9]', (name) => {
  const file = () => join(home, name)
  beforeEach(() => {
    const database = driver!.open(file())
    migrate(database, firstDatabaseSteps)
    const insert = database.prepare('INSERT INTO messages (words) VALUES (?)')
    database.transaction(() => {
      for (let index = 0; index < 50; index++) insert.run(`word ${index} 词`)
    })
    database.close()
  })

  it.each([...databasePoints.map((point) => [point]), databasePoints.slice(0, -1)])(
    'killed at %s: the next opening ends the same',
    (...points) => {
      for (const point of points) expect(run(name, point)).toBe('SIGKILL')
      expect(run(name, '-')).toBe(null)
      const database = driver!.open(file())
      const rows = database.prepare('SELECT words, hash FROM messages ORDER BY key').all()
      expect(rows).toHaveLength(50)
      for (const [index, { words, hash }] of rows.entries()) {
        expect(words).toBe(`word ${index} 词!`)
        expect(hash).toBe(Buffer.from(`word ${index} 词`).toString('hex').toUpperCase())
      }
      expect([schemaVersion(database), database.prepare('SELECT n FROM counts').all()]).toEqual([
        databaseSteps.length,
        [{ n: 50 }],
      ])
      database.close()
      expect(readdirSync(home).filter((each) => each.includes('partial'))).toEqual([])
      const copy = driver!.open(`${file()}.before-1`)
      expect(copy.prepare('SELECT words FROM messages WHERE key = 1').get()).toEqual({ words: 'word 0 词' })
      copy.close()
    },
  )
})
