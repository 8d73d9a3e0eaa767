/** Links in a layer: kept as links, their targets updated in place, and never followed out of the allowed roots. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Layer } from '../../domain/index.ts'
import { createFolderHome, type FolderHome } from '../../testing/folder-home.ts'
import { bytesOf } from '../../testing/note-files-suite.ts'
import { sha256 } from '../../util/index.ts'
import { createFsNoteFiles } from './fs-note-files.ts'

const disposables: { dispose(): void }[] = []
afterEach(() => {
  for (const each of disposables.splice(0)) each.dispose()
})

/** A home, a `dotfiles` folder beside it in which linked notes may lie, and a folder in which they may not. */
function places() {
  const outer = createFolderHome()
  disposables.push(outer)
  const at = (name: string) => {
    mkdirSync(join(outer.directory, name))
    return join(outer.directory, name)
  }
  const [home, dotfiles, foreign] = [at('home'), at('dotfiles'), at('foreign')]
  const files = createFsNoteFiles({ home, clock: outer.clock, linkRoots: [dotfiles] })
  const layer: Layer = { name: 'global', key: 'global', directory: join(home, 'global') }
  mkdirSync(layer.directory)
  return { outer, home, dotfiles, foreign, files, layer, note: join(layer.directory, 'user_a.md') }
}

type Places = ReturnType<typeof places>

function put(path: string, text = 'old\n'): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

const rewrite = ({ files, layer }: Pick<Places, 'files' | 'layer'>, text: string, file = 'user_a.md') =>
  files.withLock(layer, {}, async (locked) => {
    const before = await locked.read(file)
    return locked.write(file, bytesOf(text), before?.hash ?? null)
  })

/** Sets up a link for the note; gives its final target. */
const goodLinks: [string, (at: Places) => string | null][] = [
  [
    'absolute',
    ({ dotfiles, note }) => {
      const target = put(join(dotfiles, 'a.md'))
      symlinkSync(target, note)
      return target
    },
  ],
  [
    'relative',
    ({ dotfiles, note }) => {
      const target = put(join(dotfiles, 'deep/a.md'))
      symlinkSync('../../dotfiles/deep/a.md', note)
      return target
    },
  ],
  [
    'a chain of two',
    ({ dotfiles, note }) => {
      const target = put(join(dotfiles, 'a.md'))
      symlinkSync(target, join(dotfiles, 'middle.md'))
      symlinkSync(join(dotfiles, 'middle.md'), note)
      return target
    },
  ],
  [
    'to another note of the layer',
    ({ layer, note }) => {
      const target = put(join(layer.directory, 'deep/real.md'))
      symlinkSync('deep/real.md', note)
      return target
    },
  ],
  [
    'through a linked folder',
    ({ dotfiles, home, note }) => {
      const target = put(join(dotfiles, 'a.md'))
      symlinkSync(dotfiles, join(home, 'shortcut'))
      symlinkSync(join(home, 'shortcut/a.md'), note)
      return target
    },
  ],
]

describe('BL-71: a linked note', () => {
  it.each(goodLinks)(
    '(%s) stays a link; its target is updated in its own folder and keeps its mode',
    async (_case, link) => {
      const at = places()
      const target = link(at) ?? ''
      chmodSync(target, 0o640)
      const points = readlinkSync(at.note)
      await rewrite(at, 'new\n')
      expect(lstatSync(at.note).isSymbolicLink()).toBe(true)
      expect(readlinkSync(at.note)).toBe(points)
      expect(readFileSync(target, 'utf8')).toBe('new\n')
      expect(statSync(target).mode & 0o777).toBe(0o640)
      expect((await at.files.list(at.layer)).files.map(({ file }) => file)).toContain('user_a.md')
      expect(await at.files.read(at.layer, 'user_a.md')).toMatchObject({ hash: sha256('new\n') })
      at.outer.clock.ms += 61_000
      await at.files.settle(at.layer)
      expect(readdirSync(dirname(target)).filter((name) => name.startsWith('.keepsake-'))).toEqual([])
    },
  )

  it('on another file system is updated there', async (context) => {
    const other = otherFileSystem()
    if (other === null) return context.skip('no second file system to write to')
    disposables.push({ dispose: () => rmSync(other, { recursive: true }) })
    const at = places()
    const files = createFsNoteFiles({ home: at.home, clock: at.outer.clock, linkRoots: [other] })
    const target = put(join(other, 'a.md'))
    symlinkSync(target, at.note)
    await rewrite({ files, layer: at.layer }, 'new\n')
    expect(readFileSync(target, 'utf8')).toBe('new\n')
    expect(lstatSync(at.note).isSymbolicLink()).toBe(true)
  })

  it('MEMORY.md may be a link too', async () => {
    const at = places()
    const target = put(join(at.dotfiles, 'MEMORY.md'))
    symlinkSync(target, join(at.layer.directory, 'MEMORY.md'))
    await at.files.withLock(at.layer, {}, (locked) => locked.writeIndex(bytesOf('index\n'), sha256('old\n')))
    expect(readFileSync(target, 'utf8')).toBe('index\n')
    expect(lstatSync(join(at.layer.directory, 'MEMORY.md')).isSymbolicLink()).toBe(true)
  })

  it('is gone from both places when it is removed', async () => {
    const at = places()
    const target = put(join(at.dotfiles, 'a.md'))
    symlinkSync(target, at.note)
    await at.files.withLock(at.layer, {}, (locked) => locked.remove('user_a.md', sha256('old\n')))
    expect(existsSync(target)).toBe(false)
    expect(readdirSync(at.layer.directory)).toEqual([])
  })

  it('the folder of notes may itself be a link', async () => {
    const at = places()
    rmSync(at.layer.directory, { recursive: true })
    symlinkSync(at.dotfiles, at.layer.directory)
    await rewrite(at, 'new\n')
    expect(readFileSync(join(at.dotfiles, 'user_a.md'), 'utf8')).toBe('new\n')
    expect(lstatSync(at.layer.directory).isSymbolicLink()).toBe(true)
    expect((await at.files.list(at.layer)).files).toHaveLength(1)
  })
})

const badLinks: [string, string, (at: Places) => void][] = [
  ['dangling', 'link-dangling', ({ dotfiles, note }) => symlinkSync(join(dotfiles, 'none.md'), note)],
  ['in a circle', 'link-dangling', ({ note }) => symlinkSync('user_a.md', note)],
  ['outside the allowed roots', 'link-outside', ({ foreign, note }) => symlinkSync(put(join(foreign, 'a.md')), note)],
  [
    'outside by a chain',
    'link-outside',
    ({ dotfiles, foreign, note }) => {
      symlinkSync(put(join(foreign, 'a.md')), join(dotfiles, 'middle.md'))
      symlinkSync(join(dotfiles, 'middle.md'), note)
    },
  ],
  [
    'to a neighbour with a longer name',
    'link-outside',
    ({ dotfiles, note }) => symlinkSync(put(`${dotfiles}-other/a.md`), note),
  ],
]

describe('BL-71: a link that leads nowhere good', () => {
  it.each(badLinks)('(%s) is listed with its reason, and neither read nor written', async (_case, reason, link) => {
    const at = places()
    link(at)
    const points = readlinkSync(at.note)
    expect(await at.files.list(at.layer)).toEqual({ state: 'ok', files: [], ignored: [{ file: 'user_a.md', reason }] })
    await expect(at.files.read(at.layer, 'user_a.md')).rejects.toMatchObject({ code: 'PATH_OUTSIDE_STORE' })
    const blind = at.files.withLock(at.layer, {}, (locked) => locked.write('user_a.md', bytesOf('new\n'), null))
    await expect(blind).rejects.toMatchObject({ code: 'PATH_OUTSIDE_STORE' })
    const removal = at.files.withLock(at.layer, {}, (locked) => locked.remove('user_a.md', sha256('old\n')))
    await expect(removal).rejects.toMatchObject({ code: 'PATH_OUTSIDE_STORE' })
    expect(readlinkSync(at.note)).toBe(points)
    for (const folder of [at.foreign, at.dotfiles])
      for (const name of readdirSync(folder)) expect(name).not.toMatch(/^\.keepsake-/)
    const target = join(at.foreign, 'a.md')
    if (existsSync(target)) expect(readFileSync(target, 'utf8')).toBe('old\n')
  })

  it('to a file that is no note is not written', async () => {
    const at = places()
    symlinkSync(put(join(at.dotfiles, '.profile')), at.note)
    await expect(rewrite(at, 'new\n')).rejects.toMatchObject({ code: 'PATH_OUTSIDE_STORE' })
    expect(readFileSync(join(at.dotfiles, '.profile'), 'utf8')).toBe('old\n')
  })

  it('in a team layer may not leave the layer at all', async () => {
    const at = places()
    symlinkSync(put(join(at.dotfiles, 'a.md')), at.note)
    const team: Layer = { ...at.layer, name: 'team', key: 'team' }
    await expect(at.files.read(team, 'user_a.md')).rejects.toMatchObject({ code: 'PATH_OUTSIDE_STORE' })
    expect((await at.files.list(team)).ignored).toEqual([{ file: 'user_a.md', reason: 'link-outside' }])
  })

  it('as a folder is not entered', async () => {
    const at = places()
    put(join(at.foreign, 'user_b.md'))
    symlinkSync(at.foreign, join(at.layer.directory, 'deep'))
    await expect(at.files.read(at.layer, 'deep/user_b.md')).rejects.toMatchObject({ code: 'PATH_OUTSIDE_STORE' })
    const write = at.files.withLock(at.layer, {}, (locked) => locked.write('deep/user_c.md', bytesOf('x'), null))
    await expect(write).rejects.toMatchObject({ code: 'PATH_OUTSIDE_STORE' })
    expect(readdirSync(at.foreign)).toEqual(['user_b.md'])
  })
})

describe('odd things in a layer', () => {
  it('that are no regular file are named and not read', async () => {
    const at = places()
    mkdirSync(join(at.layer.directory, 'folder.md'))
    put(join(at.layer.directory, 'user_ok.md'))
    const listing = await at.files.list(at.layer)
    expect(listing.files.map(({ file }) => file)).toEqual(['user_ok.md'])
    await expect(at.files.read(at.layer, 'folder.md')).rejects.toMatchObject({ code: 'STORE_UNREADABLE' })
  })

  it('two names that differ in Unicode form only: the second is named', async () => {
    const at = places()
    put(join(at.layer.directory, 'user_caf\u00e9.md'))
    put(join(at.layer.directory, 'user_cafe\u0301.md'))
    const listing = await at.files.list(at.layer)
    const names = readdirSync(at.layer.directory)
    expect(listing.files).toHaveLength(1)
    expect(listing.ignored.map(({ reason }) => reason)).toEqual(names.length === 2 ? ['same-name'] : [])
  })
})

describe('a layer that is set elsewhere', () => {
  it('is not made anew in the place of a drive that went', async () => {
    const at = places()
    const drive = join(at.foreign, 'drive')
    const layer: Layer = { name: 'project', key: 'projects/x-aaaaaaaa', directory: join(drive, 'notes') }
    await rewrite({ files: at.files, layer }, 'first\n')
    rmSync(drive, { recursive: true })
    await expect(rewrite({ files: at.files, layer }, 'second\n')).rejects.toMatchObject({ code: 'STORE_UNREADABLE' })
    expect(existsSync(drive)).toBe(false)
    mkdirSync(layer.directory, { recursive: true })
    await rewrite({ files: at.files, layer }, 'anew\n')
    expect(readFileSync(join(layer.directory, 'user_a.md'), 'utf8')).toBe('anew\n')
  })
})

/** A folder on another file system than the temporary folder, or null. */
function otherFileSystem(): string | null {
  const home: FolderHome = createFolderHome()
  disposables.push(home)
  for (const candidate of ['/dev/shm', '/run/shm', '/var/tmp'])
    if (existsSync(candidate) && statSync(candidate).dev !== statSync(home.directory).dev)
      return mkdtempSync(join(candidate, 'keepsake-other-'))
  return null
}
