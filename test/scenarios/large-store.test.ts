/** A store that has grown for years: the start block stays within its caps and still holds what matters most. */
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Block, type Config, DEFAULT_CONFIG } from '../../src/domain/index.ts'
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
const write = (name: string, note: Planted, folder = layer) => writeFileSync(join(folder, name), noteFile(note))
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

/** Of a team that keeps no index of its own, of which one is behind a project note that no index lists. */
const TEAM = 600
const teamNewest: Planted = { index: 91_001, text: 'The team meets at the heron pier', updated: '2026-11-27T10:00:00Z' }
const teamPinned: Planted = {
  ...teamNewest,
  index: 91_002,
  text: 'The team pinned the tide rule',
  more: 'pinned: true\n',
}
const GLOBAL = 450
const globalNewest: Planted = {
  index: 92_001,
  text: 'Answers are short, says the kite',
  updated: '2026-11-28T11:00:00Z',
}
const globalPinned: Planted = {
  index: 92_002,
  text: 'The user is a harbour pilot',
  updated: '2018-01-01T00:00:00Z',
  more: 'pinned: true\n',
}
/** The oldest note of the project, and the newest ones of its name elsewhere. */
const namesake = { text: 'Lantern colour', updated: '2026-11-28T12:00:00Z' }
const overriding: Planted = { index: 93_001, text: namesake.text, updated: '2001-01-01T00:00:00Z' }

async function startBlock(config: Config = DEFAULT_CONFIG): Promise<Block> {
  const { userHome, temporaryDirectory } = around
  const memory = await createReadMemory({ home, cwd, userHome, temporaryDirectory, config })
  return memory.startBlock({ agent: 'claude-code' })
}

beforeAll(async () => {
  makeRepository(cwd)
  mkdirSync(home, { mode: 0o700 })
  const memory = await createMemory({ home, cwd, surroundings: around })
  await memory.remember({ text: 'Use pnpm, never npm, in this repository', layer: 'project', type: 'feedback' })
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' })
  layer = join(home, dirname(files.find((file) => /feedback_.*\.md$/.test(file)) ?? ''))
  // With the one above and the three planted ones.
  for (let index = 0; index < NOTES - 4; index++)
    write(`feedback_entry-${index}.md`, index < ARCHIVED ? archived(index) : ordinary(index))
  write('feedback_zz-migration.md', pinnedOld)
  write('feedback_zz-reviews.md', newest)
  write('feedback_lantern-colour.md', overriding)
  const [team, global] = [join(layer, 'team'), join(home, 'global')]
  for (const folder of [team, global]) mkdirSync(folder, { recursive: true })
  for (let index = 0; index < TEAM - 3; index++)
    write(
      `feedback_team-${index}.md`,
      { ...ordinary(index), index: 70_000 + index, text: `Team entry ${index} about the pier` },
      team,
    )
  write('feedback_zz-newest.md', teamNewest, team)
  write('feedback_zz-pinned.md', teamPinned, team)
  write('feedback_zz-lantern.md', { index: 93_002, ...namesake }, team)
  for (let index = 0; index < GLOBAL - 3; index++)
    write(
      `feedback_global-${index}.md`,
      { ...ordinary(index), index: 80_000 + index, text: `全局第 ${index} 条：关于码头` },
      global,
    )
  write('feedback_zz-newest.md', globalNewest, global)
  write('feedback_zz-pinned.md', globalPinned, global)
  write('feedback_zz-lantern.md', { index: 93_003, ...namesake }, global)
  // All older than the index that refresh writes.
  const before = new Date(Date.now() - 60_000)
  for (const folder of [layer, team, global])
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), before, before)
  await memory.refresh()
  await memory.close()
}, 300_000)

/** Two are overridden: they count nowhere. */
const ACTIVE = NOTES - ARCHIVED + TEAM + GLOBAL - 2

describe('5,000 notes in one project, and large layers beside it', () => {
  it('the start block keeps its caps, shows pinned and newest rules, and counts the rest [I1] [S4]', async () => {
    const block = await startBlock()
    expect(block.bytes).toBe(Buffer.byteLength(block.text))
    expect(block.bytes).toBeLessThanOrEqual(9_500)
    expect(block.tokens).toBeLessThanOrEqual(2_500)
    expect(block.text).toContain(pinnedOld.text)
    expect(block.entries.find(({ why }) => why === 'pinned, shown whole')?.name).toBe(pinnedOld.text.slice(0, 40))
    expect(block.text).toContain(newest.text)
    expect(block.text).toContain('Use pnpm, never npm')
    expect(block.text).toContain(
      `${block.entries.length} of ${ACTIVE} notes are listed; find the others with memory_search.`,
    )
    expect(block.omitted).toBe(ACTIVE - block.entries.length)
    expect(block.entries.length).toBeGreaterThan(40)
    expect(block.text).not.toContain('Archived')
  })

  it('every layer has its pinned and newest notes there, and none that another one stands before [S5] [T1]', async () => {
    const block = await startBlock()
    for (const { text } of [globalPinned, globalNewest]) expect(block.text).toContain(text)
    expect(block.text).not.toContain(namesake.text)
    // The rules of the user take all the room; with fewer of them the team is seen too.
    const roomy = { ...DEFAULT_CONFIG, inject: { ...DEFAULT_CONFIG.inject, startBytes: 60_000, startTokens: 16_000 } }
    const large = await startBlock(roomy)
    for (const { text } of [teamPinned, teamNewest]) expect(large.text).toContain(text)
    // The one of the project, which stands before the two others.
    expect(large.text.split(namesake.text)).toHaveLength(2)
    expect(large.text).toContain(`${large.entries.length} of ${ACTIVE} notes are listed`)
  })

  it('the command line says the same, and explains it within bounds [S5]', async () => {
    const memory = await createMemory({ home, cwd, surroundings: around })
    const block = await memory.context({ agent: 'claude-code', explain: true })
    expect(block.text).toBe((await startBlock()).text)
    const { explanation } = block
    expect(explanation?.sections.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(block.bytes)
    expect(
      explanation?.left.filter(({ standing }) => standing.state === 'overridden').map(({ layer: of }) => of),
    ).toEqual(['global', 'team'])
    expect(explanation?.left.length).toBeLessThanOrEqual(100)
    const { leftMore = 0, unread = 0, left = [] } = explanation ?? {}
    expect(left.length + leftMore + unread).toBe(block.omitted + 2)
    await memory.close()
  })

  it('a note that a person pinned since the last refresh stands in the next block [I1] [S2]', async () => {
    write('feedback_zz-by-hand.md', byHand)
    try {
      const block = await startBlock()
      expect(block.text).toContain(byHand.text)
      expect(block.text).toContain(` of ${ACTIVE + 1} notes are listed`)
    } finally {
      rmSync(join(layer, 'feedback_zz-by-hand.md'))
    }
  })

  it('the same store gives the same bytes [I1]', async () => {
    expect((await startBlock()).text).toBe((await startBlock()).text)
  })
})
