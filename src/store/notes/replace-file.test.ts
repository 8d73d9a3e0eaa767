/** The write protocol with faults and with a person in between, through the real driver. */
import {
  appendFileSync,
  chmodSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import type { Layer } from '../../domain/index.ts'
import { createFolderHome, type FolderHome } from '../../testing/folder-home.ts'
import { bytesOf } from '../../testing/note-files-suite.ts'
import { sha256 } from '../../util/index.ts'
import type { CrashPoint, CrashPoints } from './crash-points.ts'

const homes: FolderHome[] = []
afterEach(() => {
  for (const home of homes.splice(0)) home.dispose()
})

/** A home with one note, and something that happens once at a point of the next write. */
function homeWith(text: string, point?: CrashPoint, act: (path: string) => void = () => undefined) {
  const armed = { on: false }
  const faults: CrashPoints = {
    hit(hit) {
      if (!armed.on || hit !== point) return
      armed.on = false
      act(path)
    },
  }
  const home = createFolderHome({ faults })
  homes.push(home)
  const layer = home.layer('global')
  const path = home.path(layer, 'user_a.md')
  home.person.put(layer, 'user_a.md', bytesOf(text))
  armed.on = true
  return { home, layer, path }
}

const rewrite = (home: FolderHome, layer: Layer, text: string) =>
  home.files.withLock(layer, {}, async (locked) => {
    const before = await locked.read('user_a.md')
    return locked.write('user_a.md', bytesOf(text), before?.hash ?? null)
  })

const leftovers = (layer: Layer) => readdirSync(layer.directory).filter((name) => name.startsWith('.keepsake-'))
const settleLater = (home: FolderHome, layer: Layer) => {
  home.clock.ms += 61_000
  return home.files.settle(layer)
}

const beforeRename: CrashPoint[] = ['displaced-linked', 'temp-written', 'temp-synced']

describe('a write that fails', () => {
  const cases = beforeRename.flatMap((point) =>
    [
      ['ENOSPC', 'STORE_FULL'],
      ['EDQUOT', 'STORE_FULL'],
      ['EROFS', 'STORE_READ_ONLY'],
      ['EACCES', 'STORE_READ_ONLY'],
      ['EPERM', 'STORE_READ_ONLY'],
    ].map(([system, code]) => [system, point, code] as const),
  )
  it.each(cases)('with %s at %s changes nothing and leaves nothing', async (system, point, code) => {
    const { home, layer, path } = homeWith('old\n', point, () => {
      throw Object.assign(new Error('struck'), { code: system })
    })
    await expect(rewrite(home, layer, 'new\n')).rejects.toMatchObject({ code })
    expect(readFileSync(path, 'utf8')).toBe('old\n')
    expect(leftovers(layer)).toEqual([])
    expect(statSync(path).nlink).toBe(1)
    await rewrite(home, layer, 'new\n')
    expect(readFileSync(path, 'utf8')).toBe('new\n')
  })

  it('as a new note leaves no file', async () => {
    const { home, layer, path } = homeWith('old\n', 'temp-synced', () => {
      throw Object.assign(new Error('struck'), { code: 'ENOSPC' })
    })
    home.person.remove(layer, 'user_a.md')
    await expect(rewrite(home, layer, 'new\n')).rejects.toMatchObject({ code: 'STORE_FULL' })
    expect(readdirSync(layer.directory)).toEqual([])
    await rewrite(home, layer, 'new\n')
    expect(readFileSync(path, 'utf8')).toBe('new\n')
  })
})

describe('a person', () => {
  it.each(beforeRename)('who appends at %s has the line carried over', async (point) => {
    const { home, layer, path } = homeWith('old\n', point, (file) => appendFileSync(file, 'by hand\n'))
    const { hash } = await rewrite(home, layer, 'new\n')
    expect(readFileSync(path, 'utf8')).toBe('new\nby hand\n')
    expect(hash).toBe(sha256('new\nby hand\n'))
    await settleLater(home, layer)
    expect(readFileSync(path, 'utf8')).toBe('new\nby hand\n')
  })

  it.each(
    beforeRename.flatMap((point) => [
      [point, 'elsewhere\n'],
      [point, 'odd\n'],
      [point, ''],
    ]),
  )('who saves in place at %s (%j) is not overwritten', async (point, text) => {
    const { home, layer, path } = homeWith('old\n', point as CrashPoint, (file) => writeFileSync(file, text))
    await expect(rewrite(home, layer, 'new\n')).rejects.toMatchObject({ code: 'NOTE_CHANGED_ON_DISK' })
    expect(readFileSync(path, 'utf8')).toBe(text)
    expect(leftovers(layer)).toEqual([])
  })

  it.each(beforeRename)('who saves by rename at %s is not overwritten', async (point) => {
    const { home, layer, path } = homeWith('old\n', point, (file) => {
      writeFileSync(`${file}.editor`, 'edited\n')
      renameSync(`${file}.editor`, file)
    })
    await expect(rewrite(home, layer, 'new\n')).rejects.toMatchObject({ code: 'NOTE_CHANGED_ON_DISK' })
    expect(readFileSync(path, 'utf8')).toBe('edited\n')
    expect(leftovers(layer)).toEqual([])
  })

  it('who creates the same new note first is not overwritten', async () => {
    const { home, layer, path } = homeWith('old\n', 'temp-synced', (file) => writeFileSync(file, 'by hand\n'))
    home.person.remove(layer, 'user_a.md')
    await expect(rewrite(home, layer, 'new\n')).rejects.toMatchObject({ code: 'NOTE_CHANGED_ON_DISK' })
    expect(readFileSync(path, 'utf8')).toBe('by hand\n')
    expect(leftovers(layer)).toEqual([])
  })

  it.each([
    ['one line', 'old\n', 'new\n', 'by hand\n', 'new\nby hand\n'],
    ['several lines', 'old\n', 'new\n', 'one\ntwo\n', 'new\none\ntwo\n'],
    ['Chinese lines', '旧\n', '新\n', '手写的一行\n', '新\n手写的一行\n'],
    ['to a file without a last line break', 'old', 'new', '\nby hand\n', 'new\nby hand\n'],
    ['glued to the last line', 'old', 'new', 'by hand\n', 'new\nby hand\n'],
    ['where the new text ends without a line break', 'old\n', 'new', 'by hand\n', 'new\nby hand\n'],
    ['with CRLF', 'old\r\n', 'a\r\nnew', 'by hand\r\n', 'a\r\nnew\r\nby hand\r\n'],
    ['to an empty file', '', 'new\n', 'by hand\n', 'new\nby hand\n'],
  ])(
    'who still writes to the replaced file (%s) has it carried over at once',
    async (_case, old, next, tail, expected) => {
      const displacedFile = { path: '' }
      const { home, layer, path } = homeWith(old, 'directory-synced', () => {
        const [name] = leftovers(layer)
        displacedFile.path = `${layer.directory}/${name}`
        appendFileSync(displacedFile.path, tail)
      })
      const written = await rewrite(home, layer, next)
      expect(readFileSync(path, 'utf8')).toBe(expected)
      expect(written.hash).toBe(sha256(expected))
      await settleLater(home, layer)
      await settleLater(home, layer)
      expect(readFileSync(path, 'utf8')).toBe(expected)
      expect(leftovers(layer)).toEqual([])
    },
  )

  it('may break off in the middle of a line: the line is carried whole, later', async () => {
    const { home, layer, path } = homeWith('old\n', 'directory-synced', () => {
      appendFileSync(`${layer.directory}/${leftovers(layer)[0]}`, 'whole\nhal')
    })
    await rewrite(home, layer, 'new\n')
    expect(readFileSync(path, 'utf8')).toBe('new\nwhole\n')
    const displaced = leftovers(layer).find((name) =>
      readFileSync(`${layer.directory}/${name}`, 'utf8').startsWith('old'),
    )
    appendFileSync(`${layer.directory}/${displaced}`, 'f a line\nnext')
    expect(await home.files.settle(layer)).toMatchObject({ settled: 0, conflicts: [] })
    expect(readFileSync(path, 'utf8')).toBe('new\nwhole\nhalf a line\n')
    await settleLater(home, layer)
    expect(readFileSync(path, 'utf8')).toBe('new\nwhole\nhalf a line\nnext')
    await settleLater(home, layer)
    expect(leftovers(layer)).toEqual([])
  })
})

describe('what a killed writer left', () => {
  it('a second name of the note does not make later words count twice', async () => {
    const { home, layer, path } = homeWith('old\n')
    await rewrite(home, layer, 'new\n')
    const leftByOther = `${layer.directory}/${leftovers(layer)[0]}`.replace(/-[0-9a-f]{8}$/, '-00000000')
    // As after a kill between the link and the rename of another writer.
    linkSync(path, leftByOther.replace(/-4-[0-9a-f]{16}-/, `-4-${sha256('new\n').slice(0, 16)}-`))
    await rewrite(home, layer, 'newest\n')
    for (const name of leftovers(layer)) {
      if (readFileSync(`${layer.directory}/${name}`, 'utf8') !== 'new\n') continue
      appendFileSync(`${layer.directory}/${name}`, 'by hand\n')
      break
    }
    await settleLater(home, layer)
    await settleLater(home, layer)
    expect(readFileSync(path, 'utf8')).toBe('newest\nby hand\n')
  })
})

describe('a carry that fails', () => {
  it('on its last step before the rename is done later, once', async () => {
    const armed = { times: 1 }
    const home = createFolderHome({
      faults: {
        hit(point) {
          if (point === 'directory-synced' && armed.times === 1)
            appendFileSync(`${home.directory}/global/${leftovers(layer)[0]}`, 'by hand\n')
          if (point === 'tail-pending' && armed.times-- > 0)
            throw Object.assign(new Error('struck'), { code: 'ENOSPC' })
        },
      },
    })
    homes.push(home)
    const layer = home.layer('global')
    home.person.put(layer, 'user_a.md', bytesOf('old\n'))
    await rewrite(home, layer, 'new\n')
    expect(readFileSync(home.path(layer, 'user_a.md'), 'utf8')).toBe('new\n')
    await settleLater(home, layer)
    expect(readFileSync(home.path(layer, 'user_a.md'), 'utf8')).toBe('new\nby hand\n')
    await settleLater(home, layer)
    expect(readFileSync(home.path(layer, 'user_a.md'), 'utf8')).toBe('new\nby hand\n')
    expect(leftovers(layer)).toEqual([])
  })

  it('because a person saves again and again is not given up', async () => {
    const armed = { on: false, saves: 0 }
    const home = createFolderHome({
      faults: {
        hit(point) {
          if (point !== 'temp-synced' || !armed.on) return
          writeFileSync(`${path}.editor`, `saved ${++armed.saves}\n`)
          renameSync(`${path}.editor`, path)
        },
      },
    })
    homes.push(home)
    const layer = home.layer('global')
    const path = home.path(layer, 'user_a.md')
    home.person.put(layer, 'user_a.md', bytesOf('old\n'))
    await rewrite(home, layer, 'new\n')
    appendFileSync(`${layer.directory}/${leftovers(layer)[0]}`, 'by hand\n')
    armed.on = true
    expect(await settleLater(home, layer)).toMatchObject({ settled: 0, waiting: 1 })
    armed.on = false
    expect(await settleLater(home, layer)).toMatchObject({ settled: 1 })
    expect(readFileSync(path, 'utf8')).toBe(`saved ${armed.saves}\nby hand\n`)
  })
})

describe('a lock that was lost', () => {
  it.each(beforeRename)('at %s stops the write before anything changes', async (point) => {
    const { home, layer, path } = homeWith('old\n', point, () => {
      writeFileSync(`${home.directory}/locks/global.lock`, '{"token":"feedfacefeedface"}')
    })
    await expect(rewrite(home, layer, 'new\n')).rejects.toMatchObject({ code: 'STORE_BUSY' })
    expect(readFileSync(path, 'utf8')).toBe('old\n')
    expect(leftovers(layer)).toEqual([])
    expect(readFileSync(`${home.directory}/locks/global.lock`, 'utf8')).toContain('feedface')
  })
})

describe('a file', () => {
  it.each([0o600, 0o644, 0o640, 0o660, 0o400])('keeps its mode %o', async (mode) => {
    const { home, layer, path } = homeWith('old\n')
    chmodSync(path, mode)
    await rewrite(home, layer, 'new\n')
    expect(statSync(path).mode & 0o777).toBe(mode)
  })

  it('that is new is private, and so are its folders', async () => {
    const { home, layer } = homeWith('old\n')
    const other = { ...home.layer('projects/x-aaaaaaaa') }
    await home.files.withLock(other, {}, (locked) => locked.write('deep/er/user_b.md', bytesOf('x'), null))
    expect(statSync(home.path(other, 'deep/er/user_b.md')).mode & 0o777).toBe(0o600)
    for (const folder of ['', 'deep', 'deep/er']) expect(statSync(home.path(other, folder)).mode & 0o777).toBe(0o700)
    expect(layer.key).toBe('global')
  })

  it('with hard links of its own is replaced like any other', async () => {
    const { home, layer, path } = homeWith('old\n')
    linkSync(path, `${path}.mine`)
    await rewrite(home, layer, 'new\n')
    expect([readFileSync(path, 'utf8'), readFileSync(`${path}.mine`, 'utf8')]).toEqual(['new\n', 'old\n'])
  })
})

describe('removing', () => {
  const remove = (home: FolderHome, layer: Layer, text: string) =>
    home.files.withLock(layer, {}, (locked) => locked.remove('user_a.md', sha256(text)))

  it('leaves no copy, also none of an earlier version', async () => {
    const { home, layer } = homeWith('old secret\n')
    await rewrite(home, layer, 'new\n')
    expect(leftovers(layer)).toHaveLength(1)
    await remove(home, layer, 'new\n')
    expect(readdirSync(layer.directory)).toEqual([])
  })

  it.each(['displaced-linked', 'file-removed'] as const)('stops when a person writes at %s', async (point) => {
    const { home, layer, path } = homeWith('old\n', point, (file) => {
      const target = point === 'displaced-linked' ? file : `${layer.directory}/${leftovers(layer)[0]}`
      appendFileSync(target, 'by hand\n')
    })
    await expect(remove(home, layer, 'old\n')).rejects.toMatchObject({ code: 'NOTE_CHANGED_ON_DISK' })
    expect(readFileSync(path, 'utf8')).toBe('old\nby hand\n')
    expect(leftovers(layer)).toEqual([])
  })

  it('stops when a person saves by rename in the last moment', async () => {
    const { home, layer, path } = homeWith('old\n', 'displaced-linked', (file) => {
      writeFileSync(`${file}.editor`, 'edited\n')
      renameSync(`${file}.editor`, file)
    })
    await expect(remove(home, layer, 'old\n')).rejects.toMatchObject({ code: 'NOTE_CHANGED_ON_DISK' })
    expect(readFileSync(path, 'utf8')).toBe('edited\n')
    expect(leftovers(layer)).toEqual([])
  })

  it('stops when an earlier version still gets words, which are carried first', async () => {
    const { home, layer, path } = homeWith('old\n')
    await rewrite(home, layer, 'new\n')
    appendFileSync(`${layer.directory}/${leftovers(layer)[0]}`, 'by hand\n')
    await expect(remove(home, layer, 'new\n')).rejects.toMatchObject({ code: 'NOTE_CHANGED_ON_DISK' })
    expect(readFileSync(path, 'utf8')).toBe('new\nby hand\n')
  })

  it('keeps both when a new file took the name while the old one still got words', async () => {
    const { home, layer, path } = homeWith('old\n', 'file-removed', (file) => {
      appendFileSync(`${layer.directory}/${leftovers(layer)[0]}`, 'by hand\n')
      writeFileSync(file, 'another\n')
    })
    await expect(remove(home, layer, 'old\n')).rejects.toMatchObject({ code: 'NOTE_CHANGED_ON_DISK' })
    await settleLater(home, layer)
    expect(readFileSync(path, 'utf8')).toBe('another\nby hand\n')
  })
})
