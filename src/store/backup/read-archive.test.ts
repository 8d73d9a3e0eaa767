/** A stranger's archive: whatever it holds, nothing is written outside the folder, and what is refused is refused whole. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { packTar, type TarEntry } from 'modern-tar'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type BackupFile, type BackupManifest, printManifest } from './backup-format.ts'
import { readArchive } from './read-archive.ts'

let root: string
let target: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'keepsake-archive-'))
  target = join(root, 'target')
  mkdirSync(target)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const words = 'Use pnpm\n'
const digest = (text: string) => createHash('sha256').update(text).digest('hex')
const fileOf = (path: string, text = words, mode = 0o600): BackupFile => ({
  path,
  size: Buffer.byteLength(text),
  mode,
  sha256: digest(text),
})
const manifestOf = (files: readonly BackupFile[], more: Partial<BackupManifest> = {}): Buffer =>
  printManifest({
    keepsake: '0.1.0',
    created: '2026-11-30T00:00:00Z',
    homeFormat: 1,
    homeId: null,
    notes: 1,
    leftOut: [],
    movedIn: [],
    folders: [],
    files,
    ...more,
  })
const entry = (name: string, text = words, header: Partial<TarEntry['header']> = {}): TarEntry => ({
  header: { name, size: Buffer.byteLength(text), mode: 0o600, type: 'file', ...header },
  body: text,
})
const bare = (name: string, header: Partial<TarEntry['header']>): TarEntry => ({
  header: { name, size: 0, ...header },
})

async function archiveOf(manifest: Buffer | string, entries: readonly TarEntry[]): Promise<Buffer> {
  return Buffer.from(await packTar([entry('manifest.json', manifest.toString()), ...entries]))
}

async function unpack(bytes: Uint8Array): Promise<BackupManifest> {
  writeFileSync(join(root, 'backup'), bytes)
  return readArchive(join(root, 'backup'), target, { onUnpacked: () => undefined })
}

function everythingBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true }).map(String).sort()
}

const good = fileOf('global/user_a.md')

describe('readArchive', () => {
  it('gives files with their bytes and permissions, gzipped or not', async () => {
    const files = [good, fileOf('global/b.md', '二\n', 0o644)]
    const entries = [entry('home/global/user_a.md'), entry('home/global/b.md', '二\n')]
    const tar = await archiveOf(manifestOf(files), entries)
    for (const bytes of [tar, gzipSync(tar)]) {
      rmSync(target, { recursive: true })
      mkdirSync(target)
      expect((await unpack(bytes)).notes).toBe(1)
      expect(readFileSync(join(target, 'global/b.md'), 'utf8')).toBe('二\n')
      expect(statSync(join(target, 'global/b.md')).mode & 0o777).toBe(0o644)
    }
  })

  const hostilePaths = [
    '../out.md',
    'global/../../out.md',
    '/tmp/keepsake-out.md',
    'C:/out.md',
    'global\\..\\out.md',
    'global/%2e%2e/%2e%2e/out.md',
    'global/．．/out.md',
    'global/a\u0000.md',
    `global/${'x'.repeat(300)}.md`,
    '~/out.md',
    '',
  ]
  it.each(hostilePaths)('a path that leads outside is refused: %j', async (path) => {
    const tar = await archiveOf(manifestOf([{ ...good, path }]), [entry(`home/${path}`)])
    await expect(unpack(tar)).rejects.toMatchObject({ code: 'BACKUP_INVALID' })
    expect(existsSync(join(root, 'out.md'))).toBe(false)
    expect(existsSync('/tmp/keepsake-out.md')).toBe(false)
  })

  const notOurs = [
    'history/global.git/config',
    'history/global.git/hooks/post-commit',
    'history/global.git/info/attributes',
    'history/projects/x-12345678.git/config',
    'history/global.git/objects/info/alternates',
    'history/global.git/refs/heads/main.lock',
    'projects/x-12345678/team/.git/config',
    'projects/x-12345678/.GIT/hooks/pre-commit',
    'index.db',
    'index.db-wal',
    'sessions.db-wal',
    'locks/global.lock',
    'logs/worker.log',
  ]
  it.each(notOurs)('what no backup of ours holds is refused: %s', async (path) => {
    const tar = await archiveOf(manifestOf([{ ...good, path }]), [entry(`home/${path}`)])
    await expect(unpack(tar)).rejects.toMatchObject({ code: 'BACKUP_INVALID' })
    expect(everythingBelow(target)).toEqual([])
  })

  const entriesOf: readonly [string, readonly TarEntry[]][] = [
    ['a link', [bare('home/global/user_a.md', { type: 'symlink', linkname: '/etc/hostname' })]],
    ['a link to a folder, then a file through it', [bare('home/global', { type: 'symlink', linkname: '/tmp' })]],
    ['a hard link', [bare('home/global/user_a.md', { type: 'link', linkname: '/etc/hostname' })]],
    ['a device', [bare('home/global/user_a.md', { type: 'character-device' })]],
    ['a block device', [bare('home/global/user_a.md', { type: 'block-device' })]],
    ['a pipe', [bare('home/global/user_a.md', { type: 'fifo' })]],
    ['a folder that it does not name', [bare('home/elsewhere/', { type: 'directory' })]],
    ['a file that it does not name', [entry('home/global/user_a.md'), entry('home/global/other.md')]],
    ['a file twice', [entry('home/global/user_a.md'), entry('home/global/user_a.md')]],
    ['a file outside home/', [entry('global/user_a.md')]],
    ['a second manifest', [entry('manifest.json')]],
    ['another size', [entry('home/global/user_a.md', `${words}more`)]],
    ['other bytes', [entry('home/global/user_a.md', words.replace('U', 'V'))]],
    ['a file too few', []],
  ]
  it.each(entriesOf)('an archive with %s is refused', async (_what, entries) => {
    const tar = await archiveOf(manifestOf([good]), entries)
    await expect(unpack(tar)).rejects.toMatchObject({ code: 'BACKUP_INVALID' })
  })

  const manifests: readonly [string, string, string][] = [
    ['not JSON', '{"kind":', 'BACKUP_INVALID'],
    ['null', 'null', 'BACKUP_INVALID'],
    ['of somebody else', '{"kind":"other","format":1}', 'BACKUP_INVALID'],
    ['without files', '{"kind":"keepsake-backup","format":1}', 'BACKUP_INVALID'],
    ['with a negative size', manifestOf([{ ...good, size: -1 }]).toString(), 'BACKUP_INVALID'],
    ['with a file named twice', manifestOf([good, good]).toString(), 'BACKUP_INVALID'],
    ['with a hash that is none', manifestOf([{ ...good, sha256: 'abc' }]).toString(), 'BACKUP_INVALID'],
    ['of format 0', manifestOf([good]).toString().replace('"format": 1', '"format": 0'), 'BACKUP_INVALID'],
    ['of a newer format', manifestOf([good]).toString().replace('"format": 1', '"format": 2'), 'HOME_FORMAT_NEWER'],
    ['of a home of a newer format', manifestOf([good], { homeFormat: 99 }).toString(), 'HOME_FORMAT_NEWER'],
    ['of more bytes than the disk has', manifestOf([{ ...good, size: 2 ** 52 }]).toString(), 'STORE_FULL'],
  ]
  it.each(manifests)('a manifest %s is refused', async (_what, manifest, code) => {
    const tar = await archiveOf(manifest, [entry('home/global/user_a.md')])
    await expect(unpack(tar)).rejects.toMatchObject({ code })
    expect(everythingBelow(target)).toEqual([])
  })

  it('cut off anywhere or with one bit turned, it is refused or gives the same files', async () => {
    const text = 'a memory of some length\n'.repeat(200)
    const tar = gzipSync(await archiveOf(manifestOf([fileOf('global/a.md', text)]), [entry('home/global/a.md', text)]))
    const fates = new Set<string>()
    const attempt = async (bytes: Buffer) => {
      rmSync(target, { recursive: true })
      mkdirSync(target)
      const fate = await unpack(bytes).then(
        () => 'whole',
        (error: { code?: string }) => String(error.code),
      )
      fates.add(fate)
      if (fate === 'whole') expect(readFileSync(join(target, 'global/a.md'), 'utf8')).toBe(text)
    }
    for (let length = 0; length < tar.length; length += 7) await attempt(tar.subarray(0, length))
    for (let at = 0; at < tar.length; at += 5) {
      const bent = Buffer.from(tar)
      bent[at] = (bent[at] ?? 0) ^ 0x10
      await attempt(bent)
    }
    expect([...fates].filter((fate) => fate !== 'whole')).toEqual(['BACKUP_INVALID'])
  })

  it.each([
    ['an empty file', Buffer.alloc(0)],
    ['some text', Buffer.from('This is no backup.\n'.repeat(60))],
    ['zeros', Buffer.alloc(20_000)],
    ['a gzip of nothing', gzipSync('')],
    ['a tar of somebody else', null],
  ])('%s is no backup', async (_what, bytes) => {
    const other = Buffer.from(await packTar([entry('readme.md')]))
    await expect(unpack(bytes ?? other)).rejects.toMatchObject({ code: 'BACKUP_INVALID' })
  })

  it('a file that is not there, and a folder, are told apart', async () => {
    const read = (archive: string) => readArchive(archive, target, { onUnpacked: () => undefined })
    await expect(read(join(root, 'nothing'))).rejects.toMatchObject({ code: 'BACKUP_NOT_FOUND' })
    await expect(read(root)).rejects.toMatchObject({ code: 'BACKUP_INVALID' })
  })
})
