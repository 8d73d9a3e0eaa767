import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  comparable,
  createSyncHarness,
  exampleNote,
  globalLayer,
  type SyncHarness,
  THREAT_WORDS,
} from '../testing/sync-harness.ts'
import { createMemorySearchIndex } from './search-index/memory-search-index.ts'
import type { SearchIndex } from './search-index/search-index.ts'
import { openSqliteSearchIndex } from './search-index/sqlite-search-index.ts'
import { findSqliteDriver } from './sqlite/find-driver.ts'
import { checkIntegrity } from './sqlite/open-checked.ts'

const idOf = (n: number) => `01JQ00000000000000000000${String(n).padStart(2, '0')}`

type Change = { file: number; to: number; id: number; words: number; kind: number }

/** What a second write in place leaves of a file within one tick of its time stamp: the same time and inode. */
function sameTick({ clock }: SyncHarness, file: { mtimeMs: number; inode: number } | undefined) {
  return file && clock.time - file.mtimeMs < 1_000 ? { mtimeMs: file.mtimeMs, inode: file.inode } : {}
}

/** One act of a person or an agent on the files: mostly edits, some of them hostile. */
function apply(harness: SyncHarness, { file, to, id, words, kind }: Change): void {
  const name = `n${String(file).padStart(2, '0')}.md`
  const body = `words ${words} about 记忆 ${words % 7}`
  const before = harness.fileOf(name)
  if (kind < 4) harness.put(name, exampleNote({ id: idOf(id), name: `Note ${words}` }, body))
  else if (kind < 6) harness.put(name, body)
  else if (kind < 7) harness.put(name, exampleNote({ id: idOf(id) }, body), sameTick(harness, before))
  else if (kind < 9) harness.remove(name)
  else if (kind < 11) harness.move(name, `n${String(to).padStart(2, '0')}.md`)
  else if (kind < 12) harness.put(name, `---\nname: [broken ${words}\n---\n${body}`)
  else if (kind < 13) harness.put(name, `${THREAT_WORDS} ${words}`)
  else harness.pass(kind * 200)
}

async function rebuilt(harness: SyncHarness, index: SearchIndex) {
  harness.memory.index = index
  harness.pass(60_000)
  await harness.run()
  return harness.rows().map(comparable)
}

const change = fc.record({
  file: fc.nat(25),
  to: fc.nat(25),
  id: fc.nat(12),
  words: fc.nat(40),
  kind: fc.nat(15),
})

describe('an index that followed the files equals one built anew, row by row', () => {
  it('after 1,000 random writes, edits, renames and removals with a look after each few', async () => {
    const harness = createSyncHarness()
    const changes = fc.sample(change, { numRuns: 1_000, seed: 20_260_301 })
    for (const [position, each] of changes.entries()) {
      apply(harness, each)
      if (position % 7 === 0) expect((await harness.run()).state).toBe('ok')
      harness.pass(position % 50)
    }
    await harness.run()
    const followed = harness.rows().map(comparable)
    expect(followed.length).toBeGreaterThan(5)
    expect(await rebuilt(harness, createMemorySearchIndex())).toEqual(followed)
  })

  it('whatever is done in whatever order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(change, fc.boolean()), { maxLength: 40 }), async (changes) => {
        const harness = createSyncHarness()
        for (const [each, look] of changes) {
          apply(harness, each)
          if (look) await harness.run()
        }
        await harness.run()
        const followed = harness.rows().map(comparable)
        expect(await rebuilt(harness, createMemorySearchIndex())).toEqual(followed)
      }),
      { numRuns: 150 },
    )
  })
})

const driver = findSqliteDriver()

describe.skipIf(!driver)('the same on SQLite', () => {
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'keepsake-rebuild-'))
  })
  afterEach(() => rmSync(directory, { recursive: true, force: true }))
  const opened = (name: string) => openSqliteSearchIndex({ file: join(directory, name), driver: driver! })

  /** Lines of quick_check, and of FTS5's own check of every full-text table. */
  const faults = (name: string): string[] => {
    const database = driver!.open(join(directory, name))
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE sql LIKE '%USING fts5%'").all()
    expect(tables.length).toBeGreaterThan(0)
    for (const table of tables) database.exec(`INSERT INTO ${table.name} (${table.name}) VALUES ('integrity-check')`)
    const found = checkIntegrity(database)
    database.close()
    return found
  }

  it('after 400 random changes, and the file is sound', async () => {
    const [followed, anew] = [opened('followed.db'), opened('anew.db')]
    const harness = createSyncHarness({ index: followed })
    for (const [position, each] of fc.sample(change, { numRuns: 400, seed: 7 }).entries()) {
      apply(harness, each)
      if (position % 5 === 0) await harness.run()
    }
    await harness.run()
    const before = harness.rows().map(comparable)
    expect(await rebuilt(harness, anew)).toEqual(before)
    for (const index of [followed, anew]) index.close()
    expect([faults('followed.db'), faults('anew.db')]).toEqual([[], []])
  })

  it('BL-47 rewriting, removing and writing again leaves no old words, and reading again does not grow the file', async () => {
    const index = opened('index.db')
    const harness = createSyncHarness({ index })
    const finds = (word: string) =>
      index.searchNotes({ words: [{ text: word, weight: 1 }], grams: [], phrases: [], prefixes: [] }, ['global'], 9)
        .length
    for (const word of ['kestrel', 'osprey', 'kestrel', 'heron']) {
      for (let n = 0; n < 40; n++) harness.put(`n${n}.md`, exampleNote({ name: `Note ${n}` }, `words of a ${word}`))
      await harness.run()
      harness.remove('n7.md')
      await harness.run()
    }
    expect(['kestrel', 'osprey', 'heron'].map(finds)).toEqual([0, 0, 9])
    harness.pass(60_000)
    await harness.run()
    const size = () => {
      const database = driver!.open(join(directory, 'index.db'))
      const pages = database.prepare('PRAGMA page_count').get()?.page_count
      database.close()
      return pages
    }
    const before = size()
    for (let round = 0; round < 30; round++) await harness.run(globalLayer, { hashAll: true })
    expect(size()).toBe(before)
    index.close()
    expect(faults('index.db')).toEqual([])
  })
})
