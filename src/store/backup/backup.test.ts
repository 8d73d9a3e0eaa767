/** What goes into a backup comes out of it: bytes, permissions and names, for any home; what cannot is named. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Layer } from '../../domain/index.ts'
import { openHome } from '../home.ts'
import { createFsNoteFiles } from '../notes/fs-note-files.ts'
import { probeSqlite } from '../sqlite/find-driver.ts'
import { restoreBackup } from './restore-backup.ts'
import { type WriteBackupOptions, writeBackup } from './write-backup.ts'

const clock = { now: () => Date.parse('2026-11-30T10:00:00Z') }
let root: string
let home: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'keepsake-backup-'))
  home = join(root, 'home')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const globalLayer = (): Layer => ({ name: 'global', key: 'global', directory: join(home, 'global') })
const project = (directory = join(home, 'projects/shop-12345678')): Layer => ({
  name: 'project',
  key: 'projects/shop-12345678',
  directory,
})

function put(path: string, content: string | Uint8Array, mode = 0o600): void {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), content)
  chmodSync(join(home, path), mode)
}

async function backup(more: Partial<WriteBackupOptions> = {}) {
  return writeBackup({
    home: more.home ?? (await openHome(home)),
    target: join(root, 'backup.tar.gz'),
    clock,
    layers: [globalLayer()],
    files: createFsNoteFiles({ home, clock }),
    sqlite: { driver: probeSqlite().driver, reason: null },
    linkRoots: [],
    missing: [],
    ...more,
  })
}

const restore = (to: string) => restoreBackup({ file: join(root, 'backup.tar.gz'), home: to, clock })

function treeOf(folder: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of readdirSync(folder, { recursive: true }).map(String).sort()) {
    const path = join(folder, name)
    const stat = statSync(path)
    if (stat.isFile()) found[name] = `${(stat.mode & 0o777).toString(8)} ${readFileSync(path, 'base64')}`
  }
  return found
}

describe('backup and restore', () => {
  const nameOf = fc
    .string({ unit: fc.constantFrom(...'abyz09 -_数据库é😀'), minLength: 1, maxLength: 20 })
    .map((text) => `n${text}`)
  const fileOf = fc.record({
    folder: fc.constantFrom('global', 'global/deep/er', 'proposals', 'conflicts/global', 'something-new'),
    name: nameOf,
    end: fc.constantFrom('.md', '.json', ''),
    bytes: fc.uint8Array({ maxLength: 3_000 }),
    mode: fc.constantFrom(0o600, 0o644, 0o400, 0o755),
  })
  it('is the identity on bytes and permissions of any home', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fileOf, { maxLength: 12 }), async (files) => {
        rmSync(root, { recursive: true, force: true })
        mkdirSync(join(home, 'global'), { recursive: true })
        for (const { folder, name, end, bytes, mode } of files)
          if (!existsSync(join(home, folder, `${name}${end}`))) put(`${folder}/${name}${end}`, bytes, mode)
        const before = treeOf(home)
        expect((await backup()).leftOut).toEqual([])
        await restore(join(root, 'again'))
        expect(treeOf(join(root, 'again'))).toEqual(before)
        expect(statSync(join(root, 'again')).mode & 0o777).toBe(0o700)
      }),
      { numRuns: 40 },
    )
  })

  it('leaves out what is derived or of this machine, and nothing of ours stays behind', async () => {
    put('global/user_a.md', 'I read SQL\n')
    for (const path of ['index.db', 'index.db-wal', 'locks/other.lock', 'logs/worker.log', 'failures.jsonl'])
      put(path, 'x')
    put('global/.keepsake-temp-0123456789abcdef', 'half')
    put('history/global.git/config', '[core]')
    put('history/global.git/HEAD', 'ref: refs/heads/main\n')
    const result = await backup()
    expect(statSync(result.file).mode & 0o777).toBe(0o600)
    await restore(join(root, 'again'))
    expect(Object.keys(treeOf(join(root, 'again')))).toEqual(['global/user_a.md', 'history/global.git/HEAD'])
    expect(readdirSync(root).sort()).toEqual(['again', 'backup.tar.gz', 'home'])
  })

  it('a layer that lies elsewhere stands in the restored home, and nothing elsewhere is written', async () => {
    const outside = join(root, 'vault')
    mkdirSync(outside)
    writeFileSync(join(outside, 'feedback_a.md'), 'Use pnpm\n')
    writeFileSync(join(outside, 'photo.jpg'), 'not ours')
    put('projects/shop-12345678/project.json', '{}')
    put('projects/shop-12345678/feedback_a.md', 'an older word\n')
    put('config.json', JSON.stringify({ projects: { 'shop-12345678': { dir: outside, mode: 'review' } } }))
    const result = await backup({ layers: [globalLayer(), project(outside)] })
    expect(result.movedIn).toEqual([{ path: 'projects/shop-12345678', from: outside }])
    const again = join(root, 'again')
    await restore(again)
    expect(Object.keys(treeOf(again))).toEqual([
      'config.json',
      'projects/shop-12345678/_before-it-moved/feedback_a.md',
      'projects/shop-12345678/feedback_a.md',
      'projects/shop-12345678/project.json',
    ])
    expect(readFileSync(join(again, 'projects/shop-12345678/feedback_a.md'), 'utf8')).toBe('Use pnpm\n')
    const config: unknown = JSON.parse(readFileSync(join(again, 'config.json'), 'utf8'))
    expect(config).toEqual({ projects: { 'shop-12345678': { mode: 'review' } } })
    expect(Object.keys(treeOf(outside))).toEqual(['feedback_a.md', 'photo.jpg'])
  })

  it('names what it could not take: links, names that cannot be restored, a layer that is gone', async () => {
    put('global/user_a.md', 'I read SQL\n')
    put('global/back\\slash.md', 'odd\n')
    writeFileSync(join(root, 'secret'), 'of somebody')
    symlinkSync(join(root, 'secret'), join(home, 'global/link.md'))
    symlinkSync(join(root, 'nowhere'), join(home, 'conflicts'))
    put('locks/projects%2Fshop-12345678.held', '')
    const result = await backup({ layers: [globalLayer(), project(join(root, 'unmounted'))] })
    expect(result.leftOut.map(({ what }) => what).sort()).toEqual([
      'conflicts',
      'global/back\\slash.md',
      'global/link.md',
      'projects/shop-12345678',
    ])
    await restore(join(root, 'again'))
    expect(Object.keys(treeOf(join(root, 'again')))).toEqual(['global/user_a.md'])
  })

  it.each(['tombstones.jsonl', 'answers.jsonl', 'session-modes.jsonl'])(
    'what was said no to while it copies is in it: %s [S13]',
    async (file) => {
      put('home.json', '{"keepsake":"0.1.0","format":1,"id":"01K9V6Q3W8X4N2M7D5R1T0C9BE"}')
      put('global/a.md', 'a')
      put(file, '{"line":1}\n')
      const files = createFsNoteFiles({ home, clock })
      const withLock: typeof files.withLock = (layer, options, work) => {
        put(file, '{"line":1}\n{"line":2}\n')
        return files.withLock(layer, options, work)
      }
      await backup({ files: { ...files, withLock } })
      await restore(join(root, 'restored'))
      expect(readFileSync(join(root, 'restored', file), 'utf8')).toBe('{"line":1}\n{"line":2}\n')
    },
  )

  it('a linked note comes as its words', async () => {
    mkdirSync(join(home, 'global'), { recursive: true })
    mkdirSync(join(root, 'dotfiles'))
    writeFileSync(join(root, 'dotfiles/rules.md'), 'Tabs, not spaces\n')
    symlinkSync(join(root, 'dotfiles/rules.md'), join(home, 'global/rules.md'))
    symlinkSync(join(root, 'dotfiles/rules.md'), join(home, 'global/rules'))
    const result = await backup({ linkRoots: [join(root, 'dotfiles')] })
    expect(result.leftOut.map(({ what }) => what)).toEqual(['global/rules'])
    await restore(join(root, 'again'))
    expect(readFileSync(join(root, 'again/global/rules.md'), 'utf8')).toBe('Tabs, not spaces\n')
  })

  it('a restored home must be one: a home.json of somebody else is refused, and nothing is there', async () => {
    put('global/user_a.md', 'x\n')
    await backup()
    rmSync(join(root, 'backup.tar.gz'))
    const opened = await openHome(home)
    put('home.json', '{"format":')
    await backup({ home: opened })
    await expect(restore(join(root, 'again'))).rejects.toMatchObject({ code: 'HOME_INVALID' })
    expect(readdirSync(root).sort()).toEqual(['backup.tar.gz', 'home'])
  })
})
