/** A large layer is not looked at again while it lies quiet; what anybody writes is found by the next search all the same. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createMemory, type Memory } from '../../src/index.ts'
import { openSqliteSearchIndex } from '../../src/store/search-index/sqlite-search-index.ts'
import { findSqliteDriver } from '../../src/store/sqlite/find-driver.ts'

const NOTES = 600
const root = realpathSync(mkdtempSync(join(tmpdir(), 'keepsake-quiet-')))
const home = join(root, 'home')
const layer = join(home, 'global')
const around = { home, cwd: root, environment: {}, userHome: root, temporaryDirectory: join(root, 'tmp') }
let memory: Memory
let other: Memory

beforeAll(async () => {
  memory = await createMemory(around)
  other = await createMemory(around)
  await memory.remember({ text: 'The first note of this home', layer: 'global', name: 'first' })
  mkdirSync(layer, { recursive: true })
  for (let at = 0; at < NOTES; at++)
    writeFileSync(join(layer, `note-${at}.md`), `# Note ${at}\n\nLamp number ${at} of the pier\n`)
  // A look finds how many there are, the next one watches, the third is spared.
  for (let round = 0; round < 3; round++) await memory.recall({ query: 'lamp' })
}, 60_000)
afterAll(async () => {
  await memory.close()
  await other.close()
  rmSync(root, { recursive: true, force: true })
})

const found = async (query: string) =>
  (await memory.recall({ query })).results.map(({ file }) => file?.split('/').at(-1))

/** While this process is blocked, so that it hears of the change only when the search asks. */
const elsewhere = (script: string) =>
  execFileSync(process.execPath, ['-e', `const fs = require('fs'); process.chdir(process.argv[1]); ${script}`, layer])

it.each<[string, string, () => unknown, string | undefined]>([
  [
    'a new note of an editor',
    'zeppelin',
    () => elsewhere("fs.writeFileSync('new.md', '# A zeppelin\\n\\nThe zeppelin lands at noon\\n')"),
    'new.md',
  ],
  [
    'a changed line',
    'walrus',
    () => elsewhere("fs.appendFileSync('note-7.md', '\\nThe walrus sleeps here\\n')"),
    'note-7.md',
  ],
  [
    'a word of the same length',
    'LAMB',
    () => elsewhere("fs.writeFileSync('note-9.md', '# Note 9\\n\\nLamb number 9 of the pier\\n')"),
    'note-9.md',
  ],
  ['a note that went', 'zeppelin', () => elsewhere("fs.rmSync('new.md')"), undefined],
  [
    'a note in a new folder',
    'porcupine',
    () => elsewhere("fs.mkdirSync('deep'); fs.writeFileSync('deep/n.md', '# Porcupine\\n\\nThe porcupine is shy\\n')"),
    'n.md',
  ],
  ['一条中文笔记', '独木舟', () => elsewhere("fs.writeFileSync('zh.md', '# 独木舟\\n\\n独木舟停在北岸\\n')"), 'zh.md'],
  [
    'a note through another process of ours',
    'marmot',
    () => other.remember({ text: 'The marmot guards the gate', layer: 'global', name: 'marmot' }),
    expect.stringContaining('marmot') as unknown as string,
  ],
])('[S14] finds %s at once', async (_, query, change, file) => {
  await change()
  const [first] = await found(query)
  expect(first).toEqual(file)
  // And the look that this search took is spared again later, with the same answer.
  for (let round = 0; round < 3; round++) expect((await found(query))[0]).toEqual(file)
})

it('[S14] looks again when the index was taken away and a process elsewhere began it anew', async () => {
  const here = { ...around, home: join(root, 'other-home'), clock: { now: () => Date.now() + 60 * 60_000 } }
  const first = await createMemory(here)
  await first.remember({ text: 'The first note of this home', layer: 'global', name: 'first' })
  for (let at = 0; at < NOTES; at++)
    writeFileSync(join(here.home, 'global', `note-${at}.md`), `# Note ${at}\n\nLamp number ${at} of the pier\n`)
  await first.recall({ query: 'lamp' })
  await first.close()
  // It writes nothing, so what its stores say of themselves is what any store says that was opened just now.
  const reader = await createMemory(here)
  for (let round = 0; round < 3; round++) expect((await reader.recall({ query: 'lamp 77' })).results).not.toEqual([])
  for (const name of readdirSync(here.home)) if (name.startsWith('index.db')) rmSync(join(here.home, name))
  openSqliteSearchIndex({ file: join(here.home, 'index.db'), driver: findSqliteDriver()! }).close()
  expect((await reader.recall({ query: 'lamp 77' })).results).not.toEqual([])
  await reader.close()
})
