/** A store that has grown for years: the start block stays within its caps and still holds what matters most. */
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Block, DEFAULT_CONFIG } from '../../src/domain/index.ts'
import { createReadMemory } from '../../src/engine-read.ts'
import { createMemory } from '../../src/index.ts'
import { makeRepository } from '../support/cli.ts'

const NOTES = 5_000
const ARCHIVED = 100
const root = realpathSync(mkdtempSync(join(tmpdir(), 'keepsake-large-')))
const home = join(root, '.keepsake')
const cwd = join(root, 'code', 'tidewater')
const around = { environment: {}, userHome: root, temporaryDirectory: join(root, 'tmp') }
afterAll(() => rmSync(root, { recursive: true, force: true }))

interface Planted {
  readonly index: number
  readonly text: string
  readonly updated: string
  readonly more?: string
}

function noteFile({ index, text, updated, more = '' }: Planted): string {
  const id = `01J${String(index).padStart(23, '0')}`
  return `---\nname: ${text.slice(0, 40)}\ndescription: ${text}\ntype: feedback\nid: ${id}\ncreated: ${updated}\nupdated: ${updated}\n${more}---\n\n${text}\n`
}

let layer: string
const write = (name: string, note: Planted) => writeFileSync(join(layer, name), noteFile(note))
const ordinary = (index: number): Planted => ({
  index,
  text:
    index % 3 === 0
      ? `第 ${index} 条：港口的灯塔在雾天每隔几秒闪一次`
      : `Entry ${index}: the harbour lamp blinks in fog`,
  updated: `2025-${String(1 + (index % 12)).padStart(2, '0')}-${String(1 + (index % 28)).padStart(2, '0')}T09:00:00Z`,
})

/** Newer than all others, and no longer meant. */
const archived = (index: number): Planted => ({
  index,
  text: `Archived lamp ${index}`,
  updated: '2026-11-29T09:00:00Z',
  more: 'status: archived\n',
})

const pinnedOld: Planted = {
  index: 90_001,
  text: 'Ask before any migration of the customer table',
  updated: '2019-03-01T08:00:00Z',
  more: 'pinned: true\n',
}
const newest: Planted = { index: 90_002, text: 'Reviews go through the orchid board', updated: '2026-11-28T10:00:00Z' }
const byHand: Planted = {
  index: 90_003,
  text: '部署前先跑灯塔检查',
  updated: '2020-01-01T00:00:00Z',
  more: 'pinned: true\n',
}

async function startBlock(): Promise<Block> {
  const { userHome, temporaryDirectory } = around
  const memory = await createReadMemory({ home, cwd, userHome, temporaryDirectory, config: DEFAULT_CONFIG })
  return memory.startBlock()
}

beforeAll(async () => {
  makeRepository(cwd)
  mkdirSync(home, { mode: 0o700 })
  const memory = await createMemory({ home, cwd, surroundings: around })
  await memory.remember({ text: 'Use pnpm, never npm, in this repository', layer: 'project', type: 'feedback' })
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' })
  layer = join(home, dirname(files.find((file) => /feedback_.*\.md$/.test(file)) ?? ''))
  // With the one above and the two planted ones.
  for (let index = 0; index < NOTES - 3; index++)
    write(`feedback_entry-${index}.md`, index < ARCHIVED ? archived(index) : ordinary(index))
  write('feedback_zz-migration.md', pinnedOld)
  write('feedback_zz-reviews.md', newest)
  // All older than the index that refresh writes.
  const before = new Date(Date.now() - 60_000)
  for (const name of readdirSync(layer)) utimesSync(join(layer, name), before, before)
  await memory.refresh()
  await memory.close()
}, 300_000)

describe('5,000 notes in one project', () => {
  it('the start block keeps its caps, shows pinned and newest rules, and counts the rest [I1] [S4]', async () => {
    const block = await startBlock()
    expect(block.bytes).toBe(Buffer.byteLength(block.text))
    expect(block.bytes).toBeLessThanOrEqual(9_500)
    expect(block.tokens).toBeLessThanOrEqual(2_500)
    expect(block.text).toContain(pinnedOld.text)
    expect(block.entries.find(({ why }) => why === 'pinned, shown whole')?.name).toBe(pinnedOld.text.slice(0, 40))
    expect(block.text).toContain(newest.text)
    expect(block.text).toContain('Use pnpm, never npm')
    const active = NOTES - ARCHIVED
    expect(block.text).toContain(
      `${block.entries.length} of ${active} notes are listed; find the others with memory_search.`,
    )
    expect(block.omitted).toBe(active - block.entries.length)
    expect(block.entries.length).toBeGreaterThan(40)
    expect(block.text).not.toContain('Archived')
  })

  it('a note that a person pinned since the last refresh stands in the next block [I1] [S2]', async () => {
    write('feedback_zz-by-hand.md', byHand)
    try {
      const block = await startBlock()
      expect(block.text).toContain(byHand.text)
      expect(block.text).toContain(` of ${NOTES - ARCHIVED + 1} notes are listed`)
    } finally {
      rmSync(join(layer, 'feedback_zz-by-hand.md'))
    }
  })

  it('the same store gives the same bytes [I1]', async () => {
    expect((await startBlock()).text).toBe((await startBlock()).text)
  })
})
