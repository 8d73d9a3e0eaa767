import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FolderWatch, watchFolder } from './folder-watch.ts'

let base: string
let root: string
const open: FolderWatch[] = []

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'keepsake-watch-'))
  root = join(base, 'layer')
  mkdirSync(join(root, 'below'), { recursive: true })
  for (const file of ['a.md', 'b.md', 'below/c.md']) writeFileSync(join(root, file), `text of ${file}\n`)
})
afterEach(() => {
  for (const each of open.splice(0)) each.close()
  rmSync(base, { recursive: true, force: true })
})

function watched(folder = root): FolderWatch {
  const watch = watchFolder(folder, { platform: 'linux', isRemote: () => false })
  if (!watch) throw new Error('The folder should be watched')
  open.push(watch)
  return watch
}

/** Done by another process while this one is blocked: its event loop has heard of nothing when it is asked. */
function elsewhere(script: string): void {
  execFileSync(process.execPath, ['-e', `const fs = require('fs'); const root = process.argv[1]; ${script}`, root])
}

const changes: [string, () => void][] = [
  ['an append', () => appendFileSync(join(root, 'a.md'), 'more\n')],
  ['an append by another process', () => elsewhere("fs.appendFileSync(root + '/a.md', 'more')")],
  ['words of the same length', () => writeFileSync(join(root, 'b.md'), 'TEXT of b.md\n')],
  [
    'a write whose time is put back',
    () =>
      elsewhere(
        "const s = fs.statSync(root + '/a.md'); fs.writeFileSync(root + '/a.md', 'TEXT of a.md\\n'); fs.utimesSync(root + '/a.md', s.atime, s.mtime)",
      ),
  ],
  ['a new file', () => elsewhere("fs.writeFileSync(root + '/new.md', 'x')")],
  ['a file that is renamed over another', () => renameSync(join(root, 'a.md'), join(root, 'b.md'))],
  ['a removal', () => rmSync(join(root, 'a.md'))],
  ['a change in a folder below', () => elsewhere("fs.appendFileSync(root + '/below/c.md', 'more')")],
  [
    'a new folder with a note',
    () => elsewhere("fs.mkdirSync(root + '/more'); fs.writeFileSync(root + '/more/d.md', 'x')"),
  ],
  ['a touch', () => utimesSync(join(root, 'a.md'), new Date(), new Date())],
  ['a link that arrives', () => linkSync(join(root, 'a.md'), join(root, 'd.md'))],
  ['a folder that is taken away', () => rmSync(root, { recursive: true })],
  [
    'a folder that is moved and replaced',
    () => {
      renameSync(root, join(base, 'old'))
      mkdirSync(root)
    },
  ],
  [
    'a folder above that is moved and replaced',
    () => {
      renameSync(base, `${base}-old`)
      mkdirSync(root, { recursive: true })
      rmSync(`${base}-old`, { recursive: true })
    },
  ],
]

describe.runIf(process.platform === 'linux')('watchFolder', () => {
  it('hears of a link that leads to another folder, whatever was moved', async () => {
    const link = join(base, 'link')
    mkdirSync(join(base, 'vault', 'notes'), { recursive: true })
    symlinkSync(join('vault', 'notes'), link)
    const watch = watched(link)
    expect(await watch.isQuiet()).toBe(true)
    renameSync(join(base, 'vault'), join(base, 'old'))
    mkdirSync(join(base, 'vault', 'notes'), { recursive: true })
    expect(await watch.isQuiet()).toBe(false)
  })

  it('is not quiet once it is closed: it hears nothing any more', async () => {
    const watch = watched()
    const asked = watch.isQuiet()
    watch.close()
    expect(await asked).toBe(false)
  })

  it.each(changes)('hears of %s before the next question', async (_, change) => {
    const watch = watched()
    expect(await watch.isQuiet()).toBe(true)
    change()
    expect(await watch.isQuiet()).toBe(false)
    expect(await watch.isQuiet()).toBe(false)
  })

  it('stays quiet while files are only read', async () => {
    const watch = watched()
    elsewhere("fs.readFileSync(root + '/a.md'); fs.readdirSync(root)")
    expect(await watch.isQuiet()).toBe(true)
  })

  it('is no watch where a link leads to a file that lies elsewhere', () => {
    writeFileSync(join(base, 'outside.md'), 'x')
    symlinkSync(join(base, 'outside.md'), join(root, 'below', 'link.md'))
    expect(watchFolder(root, { platform: 'linux', isRemote: () => false })).toBeNull()
  })
})

describe('watchFolder elsewhere', () => {
  it.each<[string, Parameters<typeof watchFolder>]>([
    ['a file system that others change', [tmpdir(), { platform: 'linux', isRemote: () => true }]],
    ['a system that tells late', [tmpdir(), { platform: 'darwin', isRemote: () => false }]],
    [
      'a folder that is not there',
      [join(tmpdir(), 'keepsake-no-such-folder'), { platform: 'linux', isRemote: () => false }],
    ],
  ])('is no watch on %s', (_, [folder, options]) => {
    expect(watchFolder(folder, options)).toBeNull()
  })
})
