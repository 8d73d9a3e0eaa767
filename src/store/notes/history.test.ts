/** What is recorded while notes are written, with real git and real files. */
import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Layer } from '../../domain/index.ts'
import { createFolderHome, type FolderHome } from '../../testing/folder-home.ts'
import { createIdSource } from '../../util/index.ts'
import { createGitHistory } from './git-history.ts'
import { findGit } from './git-history-process.ts'
import { createNoteHistory, type NoteHistory, type Recorded, withoutHistory } from './history.ts'
import { createFsHistoryModes } from './history-modes.ts'
import type { Commit, History } from './history-port.ts'
import type { LockedLayer } from './note-files.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const words = { kind: 'remember' as const, author: 'person', why: 'Remembered a new note' }

describe('NoteHistory', () => {
  let home: FolderHome
  let layer: Layer
  let problems: unknown[]
  let history: NoteHistory
  beforeEach(() => {
    home = createFolderHome()
    layer = home.layer('global')
    problems = []
    history = open()
  })
  afterEach(() => home.dispose())

  function open(more: Partial<History> = {}, off = false): NoteHistory {
    const git = createGitHistory({ home: home.directory, git: findGit(), clock: home.clock })
    return createNoteHistory({
      versions: { ...git, ...more },
      modes: createFsHistoryModes(),
      clock: home.clock,
      ids: createIdSource(home.clock),
      off,
      onProblem: (error) => problems.push(error),
    })
  }
  const change = (work: (locked: LockedLayer) => Promise<unknown>, meanwhile = () => {}): Promise<Recorded> =>
    home.files.withLock(layer, {}, async (locked) => {
      const watch = history.watch(locked)
      await work(watch.locked)
      meanwhile()
      return watch.commit(words)
    })
  const write = (file: string, text: string, meanwhile?: () => void) =>
    change(async (locked) => {
      const found = await locked.read(file)
      await locked.write(file, encode(text), found?.hash ?? null)
    }, meanwhile)
  const catchUp = () => home.files.withLock(layer, {}, (locked) => history.catchUp(locked))
  const log = async () =>
    (await history.versions.log(layer, { limit: 50 })).map(({ kind, files }) => [
      kind,
      ...files.map((each) => `${each.change} ${each.file}`),
    ])
  const newest = async (): Promise<Commit> => (await history.versions.log(layer, { limit: 1 }))[0]!
  const byHand = (file: string, text: string) => home.person.put(layer, file, encode(text))
  /** Past the time in which a file is read again whatever its stat says. */
  const age = (...names: string[]) => {
    for (const name of names) execFileSync('touch', ['-d', '2026-01-01T00:00:00Z', home.path(layer, name)])
  }

  it('records each change as one commit, and nothing when nothing was written', async () => {
    const first = await write('a.md', 'one')
    expect(first.id).toMatch(/^[0-9a-f]{12}$/)
    expect((await newest()).id.startsWith(first.id ?? '-')).toBe(true)
    expect((await change(async () => {})).id).toBeNull()
    expect((await write('a.md', 'one')).id).toBeNull()
    await change(async (locked) => {
      await locked.write('b.md', encode('two'), null)
      await locked.write('c.md', encode('three'), null)
    })
    expect(await log()).toEqual([
      ['remember', 'added b.md', 'added c.md'],
      ['remember', 'added a.md'],
    ])
    expect(problems).toEqual([])
  })

  it('a home that is older than its history: what is there comes first, as its own commit', async () => {
    byHand('old.md', 'old')
    await write('a.md', 'one')
    expect(await log()).toEqual([
      ['remember', 'added a.md'],
      ['outside', 'added old.md'],
    ])
  })

  it('hand edits before a change are recorded before it, also of the file that it writes', async () => {
    await write('a.md', 'one\n')
    byHand('a.md', 'by hand\n')
    byHand('b.md', 'by hand')
    await write('a.md', 'two\n')
    expect(await log()).toEqual([
      ['remember', 'changed a.md'],
      ['outside', 'changed a.md', 'added b.md'],
      ['remember', 'added a.md'],
    ])
    const [{ before } = { before: null }] = await history.versions.versions(layer, (await newest()).id)
    expect(before?.bytes).toEqual(encode('by hand\n'))
  })

  it('an edit between the write and the commit is recorded after it, as somebody else', async () => {
    await write('a.md', 'one\n')
    await write('a.md', 'two\n', () => appendFileSync(home.path(layer, 'a.md'), 'meanwhile\n'))
    expect(await log()).toEqual([
      ['outside', 'changed a.md'],
      ['remember', 'changed a.md'],
      ['remember', 'added a.md'],
    ])
    expect((await newest()).author).toBe('person')
  })

  it('what a killed or failed commit left is recorded by the next look', async () => {
    const failing = open({
      append: async () => {
        throw new Error('disk')
      },
    })
    await home.files.withLock(layer, {}, async (locked) => {
      const watch = failing.watch(locked)
      await watch.locked.write('a.md', encode('one'), null)
      expect(await watch.commit(words)).toEqual({ id: null, notices: [expect.stringMatching(/next write or refresh/)] })
    })
    expect(problems).toHaveLength(1)
    expect(await catchUp()).toBe(true)
    expect(await catchUp()).toBe(false)
    expect(await log()).toEqual([['outside', 'added a.md']])
  })

  it.each([
    ['removed', () => rmSync(home.path(layer, 'a.md')), ['removed a.md']],
    ['renamed', () => renameSync(home.path(layer, 'a.md'), home.path(layer, 'z.md')), ['removed a.md', 'added z.md']],
    [
      'moved to a folder',
      () => {
        mkdirSync(home.path(layer, 'x'))
        renameSync(home.path(layer, 'a.md'), home.path(layer, 'x/a.md'))
      },
      ['removed a.md', 'added x/a.md'],
    ],
    ['made a note of', () => writeFileSync(home.path(layer, 'n.md'), ''), ['added n.md']],
    ['changed at the same size', () => writeFileSync(home.path(layer, 'a.md'), 'eno'), ['changed a.md']],
  ])('by hand %s: found', async (_, act, expected) => {
    await write('a.md', 'one')
    act()
    expect(await catchUp()).toBe(true)
    expect((await log())[0]).toEqual([
      'outside',
      ...expected.sort((one, other) => (one.split(' ')[1]! < other.split(' ')[1]! ? -1 : 1)),
    ])
  })

  it('no notes are kept of: MEMORY.md, dot files, team, worktrees, backups', async () => {
    for (const file of [
      'MEMORY.md',
      'memory_summary.md',
      '.hidden.md',
      'team/t.md',
      'worktrees/w/n.md',
      'a.md.bak',
      'x.txt',
    ])
      byHand(file, 'text')
    expect(await catchUp()).toBe(false)
    await write('a.md', 'one')
    expect(await log()).toEqual([['remember', 'added a.md']])
  })

  it('a nested repository or an attribute file of somebody changes no byte and is not taken in', async () => {
    byHand('.gitattributes', '*.md text eol=lf filter=evil\n')
    byHand('.gitignore', '*.md\n')
    byHand('team/.git/HEAD', 'ref: refs/heads/main\n')
    await write('a.md', 'one\r\ntwo\r\n')
    const [found] = await history.versions.versions(layer, (await newest()).id)
    expect(found).toEqual({ file: 'a.md', before: null, after: { bytes: encode('one\r\ntwo\r\n'), mode: 0o600 } })
  })

  it('a folder that vanished is never "all removed"', async () => {
    await write('a.md', 'one')
    renameSync(layer.directory, `${layer.directory}-away`)
    expect(await catchUp()).toBe(false)
    renameSync(`${layer.directory}-away`, layer.directory)
    expect(await catchUp()).toBe(false)
    expect(await log()).toHaveLength(1)
  })

  it('a file that counts as no note for a while was not removed', async () => {
    await write('a.md', 'one')
    rmSync(home.path(layer, 'a.md'))
    symlinkSync('/nowhere/else.md', home.path(layer, 'a.md'))
    expect(await catchUp()).toBe(false)
    expect(await log()).toHaveLength(1)
  })

  it('permissions that somebody set are kept with the next change of the file', async () => {
    await write('a.md', 'one')
    chmodSync(home.path(layer, 'a.md'), 0o644)
    await write('a.md', 'two')
    const [found] = await history.versions.versions(layer, (await newest()).id)
    expect([found?.before?.mode, found?.after?.mode]).toEqual([0o644, 0o644])
    expect(statSync(home.path(layer, 'a.md')).mode & 0o777).toBe(0o644)
  })

  it('files that did not change are not read again', async () => {
    for (const name of ['a.md', 'b.md', 'c.md']) await write(name, 'one')
    age('a.md', 'b.md', 'c.md')
    await catchUp()
    const reads: string[] = []
    await home.files.withLock(layer, {}, async (locked) => {
      await history.catchUp({
        ...locked,
        read: (file) => {
          reads.push(file)
          return locked.read(file)
        },
      })
    })
    expect(reads).toEqual([])
  })

  it('switched off, it makes nothing and hands the layer on as it is', async () => {
    history = open({}, true)
    expect(history.unavailable()).toMatch(/switched off/)
    expect((await write('a.md', 'one')).id).toBeNull()
    expect(await catchUp()).toBe(false)
    await history.pack(layer)
    expect(() => statSync(join(home.directory, 'history'))).toThrow()
    history = withoutHistory()
    expect((await write('a.md', 'two')).id).toBeNull()
  })

  it('names the notes by id, and quotes no word of them', async () => {
    const text = '---\nname: Zanzibar launch\nid: 01K00000000000000000000009\n---\n\nThe zanzibar launch is secret.\n'
    await write('project_zanzibar.md', text)
    byHand('project_zanzibar.md', text.replace('secret', 'public'))
    await catchUp()
    await change(async (locked) => {
      const found = await locked.read('project_zanzibar.md')
      await locked.remove('project_zanzibar.md', found?.hash ?? '')
    })
    const commits = await history.versions.log(layer, { limit: 9 })
    expect(commits.map(({ noteIds }) => noteIds)).toEqual(Array(3).fill(['01K00000000000000000000009']))
    const repository = join(home.directory, 'history/global.git')
    const said = execFileSync('git', ['--git-dir', repository, 'log', '--format=%an%ae%cn%ce%B', 'main'], {
      encoding: 'utf8',
    })
    expect(said).not.toMatch(/zanzibar|launch|secret|public/i)
    expect(said).toContain('Remembered a new note')
  })
})
