/** The look-back: what is carried, what becomes a conflict, what is cleaned, and when. */
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { Layer } from '../../domain/index.ts'
import { createFolderHome, type FolderHome } from '../../testing/folder-home.ts'
import { bytesOf } from '../../testing/note-files-suite.ts'
import { sha256 } from '../../util/index.ts'
import { displacedIn } from './displaced.ts'

const homes: FolderHome[] = []
afterEach(() => {
  for (const home of homes.splice(0)) home.dispose()
})

/** A note `old\n` that was replaced by `new\n`, and the path of the displaced file. */
async function replaced() {
  const home = createFolderHome()
  homes.push(home)
  const layer = home.layer('global')
  home.person.put(layer, 'user_a.md', bytesOf('old\n'))
  await rewrite(home, layer, 'new\n')
  return { home, layer, path: home.path(layer, 'user_a.md'), old: oldFile(layer) }
}

const rewrite = (home: FolderHome, layer: Layer, text: string) =>
  home.files.withLock(layer, {}, async (locked) => {
    const before = await locked.read('user_a.md')
    return locked.write('user_a.md', bytesOf(text), before?.hash ?? null)
  })

const ownFiles = (layer: Layer) => readdirSync(layer.directory).filter((name) => name.startsWith('.keepsake-'))
const oldFile = (layer: Layer) => join(layer.directory, ownFiles(layer)[0] ?? 'none')
const conflictsOf = (home: FolderHome) => {
  const folder = join(home.directory, 'conflicts', 'global')
  return existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')) : []
}

describe('settle', () => {
  it('waits 60 s before it lets a displaced file go', async () => {
    const { home, layer } = await replaced()
    home.clock.ms += 59_999
    expect(await home.files.settle(layer)).toEqual({ settled: 0, waiting: 1, conflicts: [] })
    home.clock.ms += 1
    expect(await home.files.settle(layer)).toEqual({ settled: 1, waiting: 0, conflicts: [] })
    expect(ownFiles(layer)).toEqual([])
  })

  it.each([
    ['changed in the middle', 'odd\n', ['odd\n']],
    ['written anew, longer', 'a whole new text\n', ['a whole new text\n']],
    ['cut short', 'ol', ['ol']],
    ['made empty', '', []],
    ['made what it is now anyway', 'new\n', []],
    ['not touched', 'old\n', []],
  ])('keeps an old file that was %s as a conflict only if words would be lost', async (_case, text, kept) => {
    const { home, layer, path, old } = await replaced()
    writeFileSync(old, text)
    expect(await home.files.settle(layer)).toEqual({ settled: 0, waiting: 1, conflicts: [] })
    home.clock.ms += 60_000
    const result = await home.files.settle(layer)
    expect(result).toMatchObject({ settled: 1, waiting: 0 })
    expect(result.conflicts.map((conflict) => readFileSync(conflict, 'utf8'))).toEqual(kept)
    expect(conflictsOf(home)).toEqual(kept)
    expect(readFileSync(path, 'utf8')).toBe('new\n')
    expect(ownFiles(layer)).toEqual([])
  })

  it('names a conflict when the note is gone or has another name now', async () => {
    for (const leave of [
      (path: string) => rmSync(path),
      (path: string) => renameSync(path, `${path.slice(0, -3)}-2.md`),
    ]) {
      const { home, layer, path, old } = await replaced()
      appendFileSync(old, 'by hand\n')
      leave(path)
      home.clock.ms += 60_000
      const { conflicts } = await home.files.settle(layer)
      expect(conflicts).toHaveLength(1)
      expect(readFileSync(conflicts[0]!, 'utf8')).toBe('old\nby hand\n')
      expect(ownFiles(layer)).toEqual([])
    }
  })

  it('says nothing when the note is gone and nobody wrote to its old file', async () => {
    const { home, layer, path } = await replaced()
    rmSync(path)
    home.clock.ms += 60_000
    expect(await home.files.settle(layer)).toEqual({ settled: 1, waiting: 0, conflicts: [] })
  })

  it('forgets a displaced name of a file that is still in place', async () => {
    const home = createFolderHome()
    homes.push(home)
    const layer = home.layer('global')
    home.person.put(layer, 'user_a.md', bytesOf('old\n'))
    await rewrite(home, layer, 'new\n')
    // As after a kill between the link and the rename: the displaced name is a second name of the note itself.
    rmSync(home.path(layer, 'user_a.md'))
    linkSync(oldFile(layer), home.path(layer, 'user_a.md'))
    expect(await home.files.settle(layer)).toEqual({ settled: 0, waiting: 0, conflicts: [] })
    expect(readFileSync(home.path(layer, 'user_a.md'), 'utf8')).toBe('old\n')
  })

  it('completes or takes back a carry that was interrupted, by whether its temp file is still there', async () => {
    for (const done of [true, false]) {
      const { home, layer, path, old } = await replaced()
      appendFileSync(old, 'by hand\n')
      const temp = '0123456789abcdef'
      const pending = `${old}-pending-12-${sha256('old\nby hand\n').slice(0, 16)}-${temp}`
      renameSync(old, pending)
      if (done) appendFileSync(path, 'by hand\n')
      else writeFileSync(join(layer.directory, `.keepsake-temp-${temp}`), 'new\nby hand\n')
      home.clock.ms += 61_000
      await home.files.settle(layer)
      expect(readFileSync(path, 'utf8')).toBe('new\nby hand\n')
      home.clock.ms += 61_000
      await home.files.settle(layer)
      expect(readFileSync(path, 'utf8')).toBe('new\nby hand\n')
      expect(ownFiles(layer)).toEqual([])
    }
  })

  it.each(['global', 'locks', 'conflicts/global', 'proposals', '.'])(
    'removes temp files of the dead in %s after 60 s, and only ours',
    async (folder) => {
      const { home, layer } = await replaced()
      mkdirSync(join(home.directory, folder), { recursive: true })
      const temp = join(home.directory, folder, '.keepsake-temp-0123456789abcdef')
      writeFileSync(temp, 'half')
      writeFileSync(join(layer.directory, '.other-temp'), 'theirs')
      utimesSync(temp, home.clock.ms / 1_000, home.clock.ms / 1_000)
      await home.files.settle(layer)
      expect(existsSync(temp)).toBe(true)
      home.clock.ms += 60_000
      await home.files.settle(layer)
      expect(existsSync(temp)).toBe(false)
      expect(existsSync(join(layer.directory, '.other-temp'))).toBe(true)
    },
  )

  it('looks into sub-folders', async () => {
    const home = createFolderHome()
    homes.push(home)
    const layer = home.layer('global')
    home.person.put(layer, 'deep/er/user_b.md', bytesOf('old\n'))
    await home.files.withLock(layer, {}, async (locked) => {
      const before = await locked.read('deep/er/user_b.md')
      await locked.write('deep/er/user_b.md', bytesOf('new\n'), before?.hash ?? null)
    })
    const [displaced] = displacedIn(join(layer.directory, 'deep/er'))
    appendFileSync(displaced?.path ?? 'none', 'by hand\n')
    await home.files.settle(layer)
    expect(readFileSync(home.path(layer, 'deep/er/user_b.md'), 'utf8')).toBe('new\nby hand\n')
  })

  it('makes nothing where there is nothing', async () => {
    const home = createFolderHome()
    homes.push(home)
    expect(await home.files.settle(home.layer('global'))).toEqual({ settled: 0, waiting: 0, conflicts: [] })
    expect(readdirSync(home.directory)).toEqual([])
  })
})

describe('any order of rewrites, appends to old files and looks', () => {
  it('keeps every line of the person exactly once, and the newest text of ours', async () => {
    const step = fc.oneof(
      fc.constant('rewrite' as const),
      fc.constant('settle' as const),
      fc.constant('later' as const),
      fc.record({ append: fc.nat(3), halves: fc.boolean() }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const home = createFolderHome()
        try {
          expect(await playSteps(home, steps)).toEqual({ lost: [], doubled: [], leftovers: [], conflicts: [] })
        } finally {
          home.dispose()
        }
      }),
      { numRuns: 40 },
    )
  })
})

type Step = 'rewrite' | 'settle' | 'later' | { readonly append: number; readonly halves: boolean }

async function playSteps(home: FolderHome, steps: readonly Step[]) {
  const layer = home.layer('global')
  const path = home.path(layer, 'user_a.md')
  home.person.put(layer, 'user_a.md', bytesOf('ours 0\n'))
  const written: string[] = []
  for (const [index, each] of steps.entries()) {
    if (each === 'rewrite') {
      const kept = readFileSync(path, 'utf8').replace(/^ours \d+\n/, '')
      await rewrite(home, layer, `ours ${index}\n${kept}`)
    } else if (each === 'settle') await home.files.settle(layer)
    else if (each === 'later') {
      home.clock.ms += 61_000
      await home.files.settle(layer)
    } else {
      // The n-th file that a program could still hold open: an old one, or the note itself.
      const open = [...displacedIn(layer.directory).map((displaced) => displaced.path), path]
      const line = `hand ${index}`
      written.push(line)
      const target = open[each.append % open.length] ?? path
      // Half a line in the note itself may be cut by any rewrite; in an old file it waits for its end.
      const isBroken = each.halves && target !== path
      appendFileSync(target, isBroken ? line.slice(0, 3) : `${line}\n`)
      if (isBroken) await home.files.settle(layer)
      if (isBroken) appendToSame(layer, path, target, `${line.slice(3)}\n`)
    }
  }
  const conflicts: string[] = []
  for (let round = 0; round < 4; round++) {
    home.clock.ms += 61_000
    conflicts.push(...(await home.files.settle(layer)).conflicts)
  }
  const lines = readFileSync(path, 'utf8').split('\n')
  return {
    lost: written.filter((line) => !lines.includes(line)),
    doubled: lines.filter((line, at) => line.startsWith('hand') && lines.indexOf(line) !== at),
    leftovers: ownFiles(layer),
    conflicts,
  }
}

/** The same open file, although its displaced name may have changed meanwhile (the name tells how far it was read). */
function appendToSame(layer: Layer, path: string, target: string, text: string): void {
  const token = /-([0-9a-f]{8})$/.exec(target)?.[1]
  const now = displacedIn(layer.directory).find((displaced) => displaced.token === token)
  appendFileSync(now?.path ?? path, text)
}
