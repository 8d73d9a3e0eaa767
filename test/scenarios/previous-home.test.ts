/** Homes of earlier releases: they open, everything in them is found, and nothing is changed that nobody asked for. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findSqliteDriver } from '../../src/store/sqlite/find-driver.ts'
import { createWorkshop, makeRepository, type Workshop } from '../support/cli.ts'
import { thawHome } from '../support/thaw-home.ts'
import { treeOf } from '../support/tree.ts'

const versions = readdirSync(resolve(import.meta.dirname, '../fixtures/homes')).filter((name) => name !== 'README.md')
/** Derived, or machine state that every look may touch. */
const without = [/^refresh-day$/, /^language$/, /^(index|state|sessions)\.db/, /^locks\//, /keepsake-seen\.json$/]

let shop: Workshop
describe.skipIf(!findSqliteDriver()).each(versions)('a home of %s [S7] [S9] [S12]', (version) => {
  beforeEach(async () => {
    shop = createWorkshop()
    makeRepository(join(shop.root, 'code/lantern'))
    await thawHome(version, shop.root, shop.home)
  })
  afterEach(() => shop.remove())

  const rowsOf = (name: string, sql: string) => {
    const database = findSqliteDriver()!.open(join(shop.home, name), { readOnly: true })
    try {
      return database.prepare(sql).all()
    } finally {
      database.close()
    }
  }
  const rows = () => [
    rowsOf('sessions.db', 'SELECT * FROM sessions ORDER BY key'),
    rowsOf('sessions.db', 'SELECT * FROM messages ORDER BY key'),
    rowsOf('sessions.db', 'SELECT * FROM session_messages ORDER BY session, ordinal'),
    rowsOf('state.db', 'SELECT * FROM cursors'),
  ]

  it('opens, lists, finds and shows what it holds, and no file changes', async () => {
    const before = [treeOf(shop.home, { without }), rows()]
    const listed = (await shop.cli(['list', '--json'])).json<{ notes: { name: string }[] }>()
    expect(listed.notes.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['package manager', '语言', 'role', 'deploys', 'branches', 'dashboard', 'By hand']),
    )
    for (const [query, words] of [
      ['package manager', 'pnpm'],
      ['代码注释', '用英文'],
      ['vendor', 'Tuesday'],
      ['发布脚本', '两个人同意'],
    ] as const)
      expect((await shop.cli(['recall', query])).stdout).toContain(words)
    expect((await shop.cli(['sessions', 'search', '潮汐表'])).stdout).toContain('tide table')
    expect((await shop.cli(['history'])).stdout).toContain('Forgot a note')
    expect((await shop.cli(['context'])).stdout).toContain('pnpm')
    const start = await shop.hook('SessionStart', { session_id: 's1', source: 'startup' })
    expect(start.stdout).toContain('pnpm')
    const doctor = (await shop.cli(['doctor', '--json'])).json<{ healthy: boolean; proposals: number }>()
    expect(doctor).toMatchObject({ healthy: true, proposals: 1, sessions: { count: 1, messages: 3 } })
    expect([treeOf(shop.home, { without }), rows()]).toEqual(before)
  })

  it('refresh changes no note, and reads nothing twice', async () => {
    const before = treeOf(shop.home, { without: [...without, /^journal\//] })
    const messages = rows()[1]
    expect((await shop.cli(['refresh'])).code).toBe(0)
    const after = treeOf(shop.home, { without: [...without, /^journal\//] })
    expect(after).toEqual(before)
    expect(rows()[1]).toEqual(messages)
  })

  it('goes on: a new version, undo to the byte, forget, and what was forgotten stays so', async () => {
    const folder = join(
      shop.home,
      'projects',
      readdirSync(join(shop.home, 'projects')).find((name) => name.startsWith('tidewater')) ?? '',
    )
    const branches = () => readFileSync(join(folder, 'project_branches.md'), 'utf8')
    const before = branches()
    expect(
      (await shop.cli(['remember', 'We name branches after rivers', '--name', 'branches', '--layer', 'project'])).code,
    ).toBe(0)
    expect(branches()).not.toBe(before)
    expect((await shop.cli(['undo', '--yes'])).code).toBe(0)
    expect(branches()).toBe(before)
    const older = (await shop.cli(['history', 'branches', '--json'])).json<{ changes: { id: string; why: string }[] }>()
    expect(older.changes.length).toBeGreaterThanOrEqual(3)
    expect((await shop.cli(['forget', 'deploys', '--yes'])).code).toBe(0)
    expect((await shop.cli(['recall', 'vendor'])).stdout).not.toContain('Tuesday')
    expect((await shop.cli(['undo', '--yes'])).code).toBe(0)
    expect((await shop.cli(['recall', 'vendor'])).stdout).toContain('Tuesday')
    const wiki = (await shop.cli(['history', '--json', '--limit', '100'])).json<{
      changes: { id: string; kind: string }[]
    }>()
    const forgotten = wiki.changes.filter(({ kind }) => kind === 'forget').at(-1)
    expect((await shop.cli(['undo', forgotten?.id ?? '', '--yes'])).code).toBe(0)
    expect((await shop.cli(['recall', 'old wiki'])).stdout).toContain('wiki.example.org')
    expect((await shop.cli(['doctor'])).code).toBe(0)
  })

  it('is backed up and restored like one of today', async () => {
    const file = join(shop.root, 'old.tar.gz')
    expect((await shop.cli(['backup', file])).code).toBe(0)
    const to = join(shop.root, 'restored')
    expect((await shop.cli(['restore', file, '--home', to])).code).toBe(0)
    expect((await shop.cli(['recall', '代码注释'], { home: to })).stdout).toContain('用英文')
  })
})
