/** Whom notes name, what is known of them, what contradicts (spec R10), and the filters of R9, through every door. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ListResult, RecallResult } from '../../src/domain/index.ts'
import { createMemory } from '../../src/index.ts'
import { createWorkshop, makeRepository, type Workshop } from '../support/cli.ts'
import { callTools } from '../support/mcp.ts'

const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().replace(/\.\d+/, '')

describe('people, projects and tools', () => {
  let shop: Workshop
  const json = async <T>(...words: string[]): Promise<T> => (await shop.cli([...words, '--json'])).json<T>()
  const names = async (...words: string[]) =>
    (await json<RecallResult>('recall', ...words)).results.map(({ name }) => name)
  const listed = async (...words: string[]) => (await json<ListResult>('list', ...words)).notes.map(({ name }) => name)

  beforeAll(async () => {
    shop = createWorkshop()
    const folder = join(shop.home, 'global')
    mkdirSync(folder, { recursive: true })
    const plant = (file: string, head: string, body: string) =>
      writeFileSync(join(folder, file), `---\n${head}---\n${body}\n`)
    plant(
      'reference_ana.md',
      `name: Ana Souza\naliases: [Ana, 阿娜]\ntags: ["person:ana"]\nupdated: ${dayAgo(90)}\n`,
      'Leads the parser team.',
    )
    plant('project_home.md', `name: Home\nupdated: ${dayAgo(60)}\n`, 'Ana Souza lives in Lisbon.')
    plant('project_moved.md', `name: Moved\nupdated: ${dayAgo(3)}\n`, 'Ana Souza now lives in Porto.')
    plant('feedback_zh.md', `name: 周会\nupdated: ${dayAgo(10)}\n`, '周会由阿娜主持，小王记录。')
    plant('project_book.md', `name: 书\nupdated: ${dayAgo(1)}\n`, '《小王子》在书架上。')
    plant('project_old.md', `name: 旧值班\nupdated: ${dayAgo(40)}\nstatus: superseded\n`, '日志服务由小王负责。')
    await shop.cli(['review', 'helped', '周会'])
    // Another project has an Ana of its own, with another name for her.
    const other = join(shop.root, 'code', 'other')
    makeRepository(other)
    const secret = 'Ana owns the harbour plan'
    await shop.cli(['remember', '--layer', 'project', '--name', 'Ana Lima', '--type', 'project', secret], {
      cwd: other,
    })
    const { file = '' } =
      (await shop.cli(['list', '--layer', 'project', '--json'], { cwd: other })).json<ListResult>().notes[0] ?? {}
    writeFileSync(file, '---\nname: Ana Lima\naliases: [Ana, harbourmaster]\n---\nAna owns the harbour plan.\n')
  }, 60_000)
  afterAll(() => shop.remove())

  it('[R10] all that is known of somebody, under every name, newest first', async () => {
    const all = ['Moved', '周会', 'Home', 'Ana Souza']
    for (const name of ['Ana', 'ana souza', '阿娜', '@Ana']) expect(await names('--about', name)).toEqual(all)
    expect(await names('--about', '小王')).toEqual(['周会'])
    const { entities } = await json<RecallResult>('recall', '--about', 'Ana')
    expect(entities).toEqual([{ asked: 'Ana', names: ['Ana', 'Ana Souza', '阿娜'], kind: 'person' }])
    const { stdout } = await shop.cli(['recall', '--about', 'Ana', '--limit', '2'])
    expect(stdout).toContain('About Ana (person), also Ana Souza, 阿娜:')
    expect(stdout).toContain('2 more; raise --limit')
    expect(stdout.indexOf('project:')).toBeLessThan(stdout.indexOf('feedback:'))
  }, 60_000)

  it('[R10] two together, and a plain question', async () => {
    expect(await names('--about', '小王', '--together', 'Ana')).toEqual(['周会'])
    expect(await names('--about', '小王', '--together', 'nobody')).toEqual([])
    expect(await names('what do we know about Ana Souza')).toContain('Ana Souza')
    expect(await names('--about', 'Ana', 'where does she live')).toEqual(expect.arrayContaining(['Home', 'Moved']))
  }, 60_000)

  it('[R10] what contradicts: the newer one is named, and it ends when one supersedes the other', async () => {
    const found = await json<RecallResult>('recall', '--contradicts')
    expect(found.contradictions).toMatchObject([
      { newerQuote: 'Ana Souza now lives in Porto', olderQuote: 'Ana Souza lives in Lisbon' },
    ])
    const { stdout } = await shop.cli(['recall', '--contradicts', '--about', '阿娜'])
    expect(stdout).toMatch(/lives in Porto {3}<- newer: Moved/)
    expect((await shop.cli(['recall', '--contradicts', '--about', '小王'])).stdout).toContain('Nothing contradicts.')
    const file = join(shop.home, 'global/project_moved.md')
    writeFileSync(
      file,
      `---\nname: Moved\nsupersedes: [Home]\nupdated: ${dayAgo(3)}\n---\nAna Souza now lives in Porto.\n`,
    )
    expect((await json<RecallResult>('recall', '--contradicts')).contradictions).toEqual([])
    writeFileSync(file, `---\nname: Moved\nupdated: ${dayAgo(3)}\n---\nAna Souza now lives in Porto.\n`)
  }, 60_000)

  it('[R9] recall and list take the same filters', async () => {
    expect(await listed('--about', '阿娜')).toEqual(['Moved', '周会', 'Home', 'Ana Souza'])
    expect(await listed('--about', '阿娜', '--since', '30d')).toEqual(['Moved', '周会'])
    expect(await listed('--until', '50d')).toEqual(['Home', 'Ana Souza'])
    expect(await listed('--min-trust', '0.51')).toEqual(['周会'])
    expect(await listed('--status', 'superseded')).toEqual(['旧值班'])
    expect(await listed('--type', 'feedback', '--about', '小王', '--together', 'Ana')).toEqual(['周会'])
    expect(await names('--about', '小王', '--status', 'all')).toEqual(['周会', '旧值班'])
    expect(await names('Ana lives', '--since', '7d', '--in', 'notes')).toEqual(['Moved'])
    expect(await names('周会', '--min-trust', '0.9', '--in', 'notes')).toEqual([])
    for (const wrong of [
      ['--since', 'soon'],
      ['--min-trust', '7'],
      ['--status', 'odd'],
    ])
      expect((await shop.cli(['recall', 'Ana', ...wrong])).code).toBe(2)
    expect((await shop.cli(['recall'])).code).toBe(2)
    expect((await shop.cli(['list', '--about', 'nobody'])).stdout).toContain('No note is like that.')
  }, 60_000)

  it('[R9] [R10] another project lends neither its notes nor its names', async () => {
    expect(await names('--about', 'harbourmaster')).toEqual([])
    expect(await listed('--about', 'harbourmaster')).toEqual([])
    const { stdout } = await shop.cli(['recall', '--about', 'Ana', '--json'])
    expect(stdout).not.toMatch(/harbour|Lima/)
    const there = await shop.cli(['recall', '--about', 'harbourmaster', '--json'], {
      cwd: join(shop.root, 'code', 'other'),
    })
    expect(there.json<RecallResult>().results.map(({ name }) => name)).toContain('Ana Lima')
  }, 60_000)

  it('[R10] an agent asks the same by the tool', async () => {
    const [about = '', together = '', contrary = '', since = '', nothing = ''] = await callTools(shop, [
      ['memory_search', { about: '阿娜' }],
      ['memory_search', { about: 'Ana', together: '小王' }],
      ['memory_search', { contradicts: true, about: 'Ana' }],
      ['memory_search', { query: 'Ana lives', since: '7d' }],
      ['memory_search', {}],
    ])
    for (const name of ['Moved', '周会', 'Home', 'Ana Souza']) expect(about).toContain(`- ${name} (`)
    expect(together).toContain('- 周会 (')
    expect(together).not.toContain('- Home (')
    expect(contrary).toMatch(/Ask the user[\s\S]*newer, Moved[\s\S]*older, Home/)
    expect([since.includes('- Moved ('), since.includes('- Home (')]).toEqual([true, false])
    expect(nothing).toContain('It needs `query` or `about`')
  }, 60_000)

  it('[R10] and a program by the library', async () => {
    const around = {
      environment: { PATH: process.env.PATH ?? '' },
      userHome: shop.root,
      temporaryDirectory: '/nowhere',
    }
    const memory = await createMemory({ home: shop.home, cwd: shop.project, surroundings: around })
    try {
      const found = await memory.recall({ about: 'Ana', together: '小王' })
      expect(found.results.map(({ name }) => name)).toEqual(['周会'])
      expect((await memory.recall({ contradicts: true })).contradictions).toHaveLength(1)
      expect((await memory.list({ about: 'Ana', since: '7d' })).notes.map(({ name }) => name)).toEqual(['Moved'])
      await expect(memory.list({ minTrust: -1 })).rejects.toMatchObject({ code: 'INPUT_INVALID' })
    } finally {
      await memory.close()
    }
  })
})
