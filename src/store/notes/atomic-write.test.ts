import { execFileSync } from 'node:child_process'
import {
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
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Layer } from '../../domain/index.ts'
import { sha256, systemClock } from '../../util/index.ts'
import { ensureDirectory, writeTemp, writeWholeFile } from './atomic-write.ts'
import { createFsNoteFiles } from './fs-note-files.ts'

let directory: string
const mounts: string[] = []
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'keepsake-atomic-'))
})
afterEach(() => {
  for (const mount of mounts.splice(0)) execFileSync('umount', [mount])
  rmSync(directory, { recursive: true, force: true })
})
const encode = (text: string) => new TextEncoder().encode(text)

describe('a whole file', () => {
  it('is private, whole, and leaves nothing beside it', async () => {
    const file = join(directory, 'a', 'b', 'c.json')
    expect(await writeWholeFile(file, encode('one'))).toBe(true)
    expect(await writeWholeFile(file, encode('two'))).toBe(true)
    expect(readFileSync(file, 'utf8')).toBe('two')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(directory, 'a')).mode & 0o777).toBe(0o700)
    expect(readdirSync(join(directory, 'a', 'b'))).toEqual(['c.json'])
  })

  it('that must be new is made by exactly one of many', async () => {
    const file = join(directory, 'c.json')
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, index) => writeWholeFile(file, encode(`text ${index}`), { exclusive: true })),
    )
    expect(made.filter(Boolean)).toHaveLength(1)
    expect(readFileSync(file, 'utf8')).toBe(`text ${made.indexOf(true)}`)
    expect(readdirSync(directory)).toEqual(['c.json'])
  })

  it('does not follow a link that stands where it goes', async () => {
    writeFileSync(join(directory, 'precious'), 'precious')
    symlinkSync(join(directory, 'precious'), join(directory, 'c.json'))
    expect(await writeWholeFile(join(directory, 'c.json'), encode('x'), { exclusive: true })).toBe(false)
    await writeWholeFile(join(directory, 'c.json'), encode('x'))
    expect(readFileSync(join(directory, 'precious'), 'utf8')).toBe('precious')
  })

  it.each([
    ['a folder in its place', () => mkdirSync(join(directory, 'c.json', 'x'), { recursive: true }), 'c.json'],
    ['a file in place of its folder', () => writeFileSync(join(directory, 'a'), ''), 'a/c.json'],
  ])('cannot be written over %s, and leaves nothing', async (_case, arrange, file) => {
    arrange()
    await expect(writeWholeFile(join(directory, file), encode('x'))).rejects.toThrow()
    expect(readdirSync(directory).filter((name) => name.startsWith('.keepsake-'))).toEqual([])
  })
})

it('a temp file is gone when its folder is, or a step fails', async () => {
  await expect(writeTemp(join(directory, 'none'), encode('x'))).rejects.toMatchObject({ code: 'ENOENT' })
  const faults = {
    hit() {
      throw Object.assign(new Error('struck'), { code: 'EDQUOT' })
    },
  }
  await expect(writeTemp(directory, encode('x'), { faults })).rejects.toMatchObject({ code: 'STORE_FULL' })
  expect(readdirSync(directory)).toEqual([])
})

it('folders that are there already keep their mode', async () => {
  mkdirSync(join(directory, 'a'), { mode: 0o755 })
  await ensureDirectory(join(directory, 'a', 'b'))
  expect(statSync(join(directory, 'a')).mode & 0o777).toBe(0o755)
  expect(statSync(join(directory, 'a', 'b')).mode & 0o777).toBe(0o700)
})

/** A small file system of its own; null where that is not allowed. Then the injected faults of other tests stand alone. */
function mountSmall(sizeKb: number): string | null {
  const mount = join(directory, 'mount')
  mkdirSync(mount)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeKb}k`, 'tmpfs', mount], { stdio: 'ignore' })
  } catch {
    // Not root, or no such mounts here.
    return null
  }
  mounts.push(mount)
  return mount
}

describe('BL-86: a real disk', () => {
  const layerOn = (mount: string): Layer => ({ name: 'global', key: 'global', directory: join(mount, 'global') })
  const write = (mount: string, file: string, text: string, hash: string | null) => {
    const files = createFsNoteFiles({ home: directory, clock: systemClock })
    return files.withLock(layerOn(mount), {}, (locked) => locked.write(file, encode(text), hash))
  }

  it('that is full refuses, keeps the old text and no leftovers, and works again when there is room', async (context) => {
    const mount = mountSmall(64)
    if (mount === null) return context.skip('no mount allowed: the full disk is injected in replace-file.test.ts')
    await write(mount, 'user_a.md', 'old\n', null)
    const big = 'x'.repeat(200_000)
    await expect(write(mount, 'user_a.md', big, sha256('old\n'))).rejects.toMatchObject({ code: 'STORE_FULL' })
    await expect(write(mount, 'user_b.md', big, null)).rejects.toMatchObject({ code: 'STORE_FULL' })
    expect(readFileSync(join(mount, 'global', 'user_a.md'), 'utf8')).toBe('old\n')
    expect(readdirSync(join(mount, 'global'))).toEqual(['user_a.md'])
    await write(mount, 'user_a.md', 'new\n', sha256('old\n'))
    expect(readFileSync(join(mount, 'global', 'user_a.md'), 'utf8')).toBe('new\n')
  })

  it('that is read-only refuses and can still be read', async (context) => {
    const mount = mountSmall(256)
    if (mount === null) return context.skip('no mount allowed: the read-only disk is injected in replace-file.test.ts')
    await write(mount, 'user_a.md', 'old\n', null)
    execFileSync('mount', ['-o', 'remount,ro', mount])
    await expect(write(mount, 'user_a.md', 'new\n', sha256('old\n'))).rejects.toMatchObject({ code: 'STORE_READ_ONLY' })
    await expect(write(mount, 'user_b.md', 'new\n', null)).rejects.toMatchObject({ code: 'STORE_READ_ONLY' })
    const files = createFsNoteFiles({ home: directory, clock: systemClock })
    expect((await files.list(layerOn(mount))).files).toHaveLength(1)
    expect(await files.read(layerOn(mount), 'user_a.md')).toMatchObject({ hash: sha256('old\n') })
    expect(existsSync(join(mount, 'global', 'user_b.md'))).toBe(false)
  })
})
