/** What a note earned (spec R10): moved by the person's word only, kept by id, shown where notes are shown. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ListResult, Memory, ReadResult, RecallResult } from '../../src/domain/index.ts'
import { createMemory } from '../../src/index.ts'
import { createWorkshop, type Workshop } from '../support/cli.ts'

const DAY_MS = 86_400_000

describe('trust [R10]', () => {
  let shop: Workshop
  const memories: Memory[] = []
  const clock = { ms: Date.parse('2026-06-01T10:00:00Z'), now: () => clock.ms }
  const open = async () => {
    const around = {
      environment: { PATH: process.env.PATH ?? '' },
      userHome: shop.root,
      temporaryDirectory: '/nowhere',
    }
    const memory = await createMemory({ home: shop.home, cwd: shop.project, surroundings: around, clock })
    memories.push(memory)
    return memory
  }
  const json = async <T>(...words: string[]): Promise<T> => (await shop.cli([...words, '--json'])).json<T>()
  const trustOf = async (memory: Memory, name: string) => (await memory.read(name))?.trust

  beforeEach(() => {
    shop = createWorkshop()
    clock.ms = Date.parse('2026-06-01T10:00:00Z')
  })
  afterEach(async () => {
    for (const memory of memories.splice(0)) await memory.close()
    shop.remove()
  })

  it('the person says what helped and what misled; list, read and recall show it', async () => {
    await shop.cli(['remember', '--name', 'Deploy window', 'Deploys of tidewater happen on Tuesdays'])
    await shop.cli(['remember', '--name', '发布窗口', '潮水项目每周二发布'])
    expect((await shop.cli(['review', 'helped', 'Deploy window'])).stdout).toContain('is now 0.55')
    expect((await shop.cli(['review', 'helped', 'Deploy window'])).stdout).toContain('is now 0.55')
    expect((await shop.cli(['review', 'misled', '发布窗口'])).stdout).toContain('is now 0.40')
    const { notes } = await json<ListResult>('list')
    expect(new Map(notes.map(({ name, trust }) => [name, trust]))).toEqual(
      new Map([
        ['Deploy window', 0.55],
        ['发布窗口', 0.4],
      ]),
    )
    const read = await json<ReadResult>('read', '发布窗口')
    expect(read.trust).toEqual({ value: 0.4, helped: 0, misled: 1 })
    expect((await shop.cli(['read', '发布窗口'])).stdout).toContain('trust 0.40 (helped 0, misled 1)')
    const found = await json<RecallResult>('recall', '发布窗口', '--explain', '--in', 'notes')
    expect(JSON.stringify(found.results.find(({ name }) => name === '发布窗口')?.explain)).toContain('"trust"')
  }, 60_000)

  it('is not for an agent to say, and no word on what is not there', async () => {
    await shop.cli(['remember', '--name', 'Deploy window', 'Deploys of tidewater happen on Tuesdays'])
    const agent = await shop.cli(['review', 'helped', 'Deploy window'], {
      environment: { CLAUDECODE: '1' },
    })
    expect([agent.code, agent.stderr]).toEqual([2, expect.stringContaining('shell of an agent')])
    const missing = await shop.cli(['review', 'misled', 'no such note'])
    expect([missing.code, missing.stderr]).toEqual([3, expect.stringContaining('No note is called')])
    expect((await json<ListResult>('list')).notes[0]?.trust).toBe(0.5)
  }, 60_000)

  it('moves one step a day, and stays within its bounds', async () => {
    const memory = await open()
    await memory.remember({ text: 'Deploys of tidewater happen on Tuesdays', name: 'Deploy window' })
    for (let day = 0; day < 12; day++, clock.ms += DAY_MS)
      for (const action of ['helped', 'helped'] as const) await memory.review({ action, note: 'Deploy window' })
    expect(await trustOf(memory, 'Deploy window')).toEqual({ value: 1, helped: 12, misled: 0 })
    await memory.review({ action: 'misled', note: 'Deploy window' })
    await memory.review({ action: 'helped', note: 'Deploy window' })
    expect(await trustOf(memory, 'Deploy window')).toMatchObject({ helped: 12, misled: 1 })
  })

  it('follows the id through a new name, another layer and another process; a forget ends it', async () => {
    const memory = await open()
    await memory.remember({ text: 'Deploys of tidewater happen on Tuesdays', name: 'Deploy window', layer: 'project' })
    await memory.review({ action: 'helped', note: 'Deploy window' })
    const file = (await memory.read('Deploy window'))?.summary.file ?? ''
    renameSync(file, join(dirname(file), 'project_other.md'))
    expect(await trustOf(memory, 'project_other.md')).toMatchObject({ value: 0.55 })
    await memory.remember({ edits: [{ action: 'move', in: 'Deploy window', to: 'global' }] })
    const elsewhere = await open()
    expect(await trustOf(elsewhere, 'Deploy window')).toMatchObject({ value: 0.55 })
    const { file: now = '' } = (await elsewhere.read('Deploy window'))?.summary ?? {}
    const bytes = readFileSync(now)
    await elsewhere.forget('Deploy window')
    writeFileSync(now, bytes)
    expect(await trustOf(memory, 'Deploy window')).toEqual({ value: 0.5, helped: 0, misled: 0 })
  })

  it('is a statistic: without its database every note is there, untried', async () => {
    const memory = await open()
    await memory.remember({ text: '潮水项目每周二发布', name: '发布窗口' })
    await memory.review({ action: 'helped', note: '发布窗口' })
    await memory.close()
    for (const end of ['', '-wal', '-shm']) rmSync(join(shop.home, `state.db${end}`), { force: true })
    const again = await open()
    expect((await again.list()).notes.map(({ name, trust }) => [name, trust])).toEqual([['发布窗口', 0.5]])
    expect((await again.recall({ query: '发布窗口' })).results).toHaveLength(1)
  })
})
