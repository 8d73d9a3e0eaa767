/** The table of spec S6 on real repositories. Every case is looked at with and without git: both must agree. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Project, ProjectResolution } from '../../domain/index.ts'
import { createGitPlaces, type GitPlaces } from '../../testing/git-places.ts'
import { createIdSource, systemClock } from '../../util/index.ts'
import { resolveProject } from './identity.ts'
import { layersOf } from './layers.ts'
import { readProjects } from './project-json.ts'
import { registerProject } from './project-registry.ts'

const ids = createIdSource(systemClock)
let places: GitPlaces
let home: string
let userHome: string
beforeEach(() => {
  places = createGitPlaces()
  home = places.folder('user/.keepsake')
  userHome = join(places.root, 'user')
})
afterEach(() => {
  vi.unstubAllEnvs()
  places.dispose()
})

const at = (path: string) => join(places.root, path)
const resolve = (path: string, deep = true): Promise<ProjectResolution> =>
  resolveProject(at(path), { home, userHome, temporaryDirectory: places.root, deep })
const register = async (path: string): Promise<Project> =>
  registerProject(await resolve(path), { home, clock: systemClock, ids })
/** The project of a place as reads and writes see it; both ways of looking must say the same. */
const projectAt = async (path: string): Promise<string> => {
  const [cheap, deep] = [await resolve(path, false), await resolve(path)]
  expect(nameOf(cheap)).toBe(nameOf(deep))
  return nameOf(deep)
}
const nameOf = (resolution: ProjectResolution) =>
  resolution.kind === 'known' ? resolution.project.folder : resolution.kind
const noticeAt = async (path: string, deep = true) => {
  const resolution = await resolve(path, deep)
  return resolution.kind === 'none' ? null : resolution.notice
}
const clone = (from: string, to: string, ...options: string[]) =>
  places.git('.', 'clone', '--quiet', ...options, at(from), at(to))

describe('one repository is one project', () => {
  it('from every sub-directory, also from one that is gone', async () => {
    places.repository('app')
    const { folder, name } = await register('app')
    places.folder('app/src/deep')
    for (const path of ['app', 'app/src/deep', 'app/README', 'app/gone/deeper', 'app/.git', 'app/.git/refs'])
      expect([path, await projectAt(path)]).toEqual([path, folder])
    expect(name).toBe('app')
    expect(folder).toMatch(/^app-[0-9a-z]{8}$/)
  })

  it('BL-12: from a worktree, whichever was there first, and after the worktree is gone', async () => {
    places.repository('app')
    places.git('app', 'worktree', 'add', '--quiet', '../wt')
    places.folder('wt/sub')
    const { folder } = await register('wt/sub')
    for (const path of ['wt', 'wt/sub', 'app']) expect([path, await projectAt(path)]).toEqual([path, folder])
    const inside = await resolve('wt/sub')
    expect(inside).toMatchObject({ workingTree: at('wt'), root: { path: at('app/.git'), kind: 'git' } })
    places.git('app', 'worktree', 'remove', '--force', '../wt')
    expect(await projectAt('app')).toBe(folder)
    expect(await projectAt('wt')).toBe('none')
    places.git('app', 'worktree', 'add', '--quiet', '../wt2')
    expect(await projectAt('wt2')).toBe(folder)
    rmSync(at('wt2'), { recursive: true })
    expect(await projectAt('app')).toBe(folder)
  })

  it('with a detached HEAD, on an orphan branch, and after another history was fetched', async () => {
    places.repository('app')
    places.repository('other')
    const { folder } = await register('app')
    places.git('app', 'checkout', '--quiet', '--detach')
    expect(await projectAt('app')).toBe(folder)
    places.git('app', 'checkout', '--quiet', '--orphan', 'pages')
    places.git('app', 'commit', '--quiet', '--allow-empty', '--message', 'pages')
    expect(await projectAt('app')).toBe(folder)
    places.git('app', 'fetch', '--quiet', at('other'), 'main:other')
    expect(await projectAt('app')).toBe(folder)
    expect((await register('app')).folder).toBe(folder)
  })

  it('that had no commit at first, and gets its root commit recorded later', async () => {
    places.folder('app')
    places.git('app', 'init', '--quiet')
    const { folder, rootCommit } = await register('app')
    expect(rootCommit).toBeNull()
    places.repository('app')
    expect(await projectAt('app')).toBe(folder)
    expect((await register('app')).rootCommit).toBe(places.git('app', 'rev-parse', 'HEAD').trim())
  })

  it('whether its objects are loose, packed or borrowed', async () => {
    places.repository('app')
    const { folder } = await register('app')
    places.git('app', 'gc', '--quiet')
    expect(readdirSync(at('app/.git/objects')).filter((name) => name.length === 2)).toEqual([])
    expect(await projectAt('app')).toBe(folder)
    clone('app', 'shared', '--shared')
    const shared = await register('shared')
    expect(await projectAt('shared')).toBe(shared.folder)
    expect(shared.rootCommit).toBe((await register('app')).rootCommit)
  })

  it('as a bare repository, from it and from its worktrees', async () => {
    places.repository('app')
    clone('app', 'store.git', '--bare')
    const { folder, name } = await register('store.git')
    expect(name).toBe('store')
    places.git('store.git', 'worktree', 'add', '--quiet', '../wt', 'main')
    for (const path of ['store.git', 'store.git/refs', 'wt'])
      expect([path, await projectAt(path)]).toEqual([path, folder])
  })

  it('through links', async () => {
    places.repository('real/app')
    const { folder } = await register('real/app')
    symlinkSync(at('real'), at('short'))
    symlinkSync(at('real/app'), at('app'))
    for (const path of ['short/app', 'app']) expect([path, await projectAt(path)]).toEqual([path, folder])
  })

  it('whatever GIT_DIR and its kin say', async () => {
    places.repository('app')
    places.repository('other')
    const { folder } = await register('app')
    vi.stubEnv('GIT_DIR', at('other/.git'))
    vi.stubEnv('GIT_WORK_TREE', at('other'))
    vi.stubEnv('GIT_COMMON_DIR', at('other/.git'))
    vi.stubEnv('GIT_CEILING_DIRECTORIES', places.root)
    vi.stubEnv('GIT_OBJECT_DIRECTORY', at('other/.git/objects'))
    expect(await projectAt('app')).toBe(folder)
    const other = await register('other')
    places.repository('third')
    const third = await register('third')
    expect(new Set([folder, other.folder, third.folder]).size).toBe(3)
    expect(third.rootCommit).toBe(places.git('third', 'rev-parse', 'HEAD').trim())
  })

  it('in the home directory too, when that is one', async () => {
    places.repository('user')
    const { folder } = await register('user')
    places.folder('user/notes')
    expect(await projectAt('user/notes')).toBe(folder)
  })
})

describe('a repository that moved', () => {
  it.each([
    ['with a remote', true],
    ['without one', false],
  ])('%s keeps its memory and says so once', async (_case, hasRemote) => {
    places.repository('app')
    if (hasRemote) places.git('app', 'remote', 'add', 'origin', 'git@github.com:ana/app.git')
    const { folder } = await register('app')
    renameSync(at('app'), at('renamed'))
    expect(nameOf(await resolve('renamed', false))).toBe('new')
    expect(await noticeAt('renamed')).toContain('moved')
    const moved = await register('renamed')
    expect(moved).toMatchObject({ folder, roots: [{ path: at('app/.git') }, { path: at('renamed/.git') }] })
    expect(await projectAt('renamed')).toBe(folder)
    expect(await noticeAt('renamed')).toBeNull()
  })

  it('keeps its memory although another repository took the old place', async () => {
    places.repository('app')
    const { folder } = await register('app')
    renameSync(at('app'), at('renamed'))
    places.repository('app', 'something else')
    expect((await register('renamed')).folder).toBe(folder)
    expect((await register('app')).folder).not.toBe(folder)
    expect(await projectAt('renamed')).toBe(folder)
  })

  it('keeps its memory for its worktrees, although they still name the old place', async () => {
    places.repository('app')
    places.git('app', 'worktree', 'add', '--quiet', '../wt')
    const { folder } = await register('app')
    renameSync(at('app'), at('renamed'))
    expect(await projectAt('wt')).toBe(folder)
    await register('renamed')
    expect(await projectAt('wt')).toBe(folder)
  })
})

describe('another repository is another project', () => {
  it.each([
    ['of its own', () => places.repository('app', 'something else')],
    ['without commits', () => places.git('.', 'init', '--quiet', at('app'))],
    [
      'cloned',
      () => {
        places.repository('source', 'cloned')
        return clone('source', 'app')
      },
    ],
  ])('at an old path (%s): it starts empty and is told', async (_case, replace) => {
    places.repository('app')
    const { folder } = await register('app')
    rmSync(at('app'), { recursive: true })
    replace()
    expect(await projectAt('app')).toBe('new')
    for (const deep of [true, false]) expect(await noticeAt('app', deep)).toContain(folder)
    const other = await register('app')
    expect(other.folder).not.toBe(folder)
    expect(await projectAt('app')).toBe(other.folder)
  })

  it('a submodule', async () => {
    places.repository('library')
    places.repository('app')
    places.git('app', 'submodule', '--quiet', 'add', at('library'), 'vendor/library')
    const app = await register('app')
    const submodule = await register('app/vendor/library')
    expect(submodule).toMatchObject({ name: 'library', roots: [{ path: at('app/.git/modules/vendor/library') }] })
    expect(await projectAt('app/vendor/library')).toBe(submodule.folder)
    expect(await projectAt('app/vendor')).toBe(app.folder)
    expect(submodule.folder).not.toBe(app.folder)
  })

  it('a nested repository', async () => {
    places.repository('app')
    places.repository('app/tools/inner')
    const [app, inner] = [await register('app'), await register('app/tools/inner')]
    expect(inner.folder).not.toBe(app.folder)
    expect(await projectAt('app/tools')).toBe(app.folder)
  })

  it('a copy of a template that is still there', async () => {
    places.repository('template')
    const { folder } = await register('template')
    cpSync(at('template'), at('copy'), { recursive: true })
    expect(await projectAt('copy')).toBe('new')
    expect((await register('copy')).folder).not.toBe(folder)
  })

  it('a twin with the same first commit, made in the same second', async () => {
    places.repository('one', 'same')
    places.repository('two', 'same')
    const [one, two] = [await register('one'), await register('two')]
    expect(one.rootCommit).toBe(two.rootCommit)
    expect(one.folder).not.toBe(two.folder)
  })

  it.each([
    ['with its own remote', ['origin', 'https://github.com/bob/app']],
    [
      'with its own remote and the first as upstream',
      ['origin', 'https://github.com/bob/app', 'upstream', 'https://github.com/ana/app'],
    ],
    ['whose only remote has another name', ['bob', 'https://github.com/bob/app']],
    [
      'with several remotes and none of them origin',
      ['bob', 'https://github.com/bob/app', 'ana', 'https://github.com/ana/app'],
    ],
    ['with no remote', []],
  ])('a fork %s', async (_case, remotes) => {
    places.repository('app')
    places.git('app', 'remote', 'add', 'origin', 'https://github.com/ana/app.git')
    const { folder } = await register('app')
    clone('app', 'fork')
    places.git('fork', 'remote', 'remove', 'origin')
    for (let index = 0; index < remotes.length; index += 2)
      places.git('fork', 'remote', 'add', remotes[index]!, remotes[index + 1]!)
    expect(await projectAt('fork')).toBe('new')
    expect((await register('fork')).folder).not.toBe(folder)
  })

  it.each([
    ['lost its remote', 'https://github.com/ana/app', null],
    ['got a remote', null, 'https://github.com/bob/app'],
    ['changed its remote', 'https://github.com/ana/app', 'https://github.com/bob/app'],
  ])('one that moved and %s on the way', async (_case, before, after) => {
    places.repository('app')
    if (before !== null) places.git('app', 'remote', 'add', 'origin', before)
    const { folder } = await register('app')
    renameSync(at('app'), at('moved'))
    if (before !== null) places.git('moved', 'remote', 'remove', 'origin')
    if (after !== null) places.git('moved', 'remote', 'add', 'origin', after)
    expect(await projectAt('moved')).toBe('new')
    expect((await register('moved')).folder).not.toBe(folder)
  })

  it('a shallow clone, which does not tell its first commit', async () => {
    places.repository('app')
    places.git('app', 'commit', '--quiet', '--allow-empty', '--message', 'second')
    places.git('app', 'remote', 'add', 'origin', 'https://github.com/ana/app')
    const { folder } = await register('app')
    places.git('.', 'clone', '--quiet', '--depth', '1', `file://${at('app')}`, at('shallow'))
    places.git('shallow', 'remote', 'set-url', 'origin', 'https://github.com/ana/app')
    const shallow = await register('shallow')
    expect(shallow.folder).not.toBe(folder)
    expect(shallow.rootCommit).toBeNull()
    expect(await projectAt('shallow')).toBe(shallow.folder)
  })
})

describe('two clones of one remote', () => {
  it.each([
    ['https://github.com/ana/app.git', 'https://github.com/ana/app'],
    ['git@github.com:ana/app.git', 'https://GitHub.com/Ana/App/'],
    ['ssh://git@git.example.org:22/team/app', 'git@git.example.org:team/app.git'],
    ['https://ana:token@git.example.org/app', 'https://git.example.org/app'],
    ['ssh://git@ssh.github.com:443/ana/app', 'git@github.com:ana/app'],
  ])('%s and %s are one project, with a notice', async (first, second) => {
    places.repository('app')
    clone('app', 'two')
    places.git('app', 'remote', 'add', 'origin', first)
    places.git('two', 'remote', 'set-url', 'origin', second)
    const { folder } = await register('app')
    expect(nameOf(await resolve('two', false))).toBe('new')
    expect(nameOf(await resolve('two'))).toBe(folder)
    expect(await noticeAt('two')).toContain('same remote')
    const joined = await register('two')
    expect(joined).toMatchObject({ folder, roots: [{ path: at('app/.git') }, { path: at('two/.git') }] })
    expect(joined.remotes).toHaveLength(1)
    expect(await projectAt('two')).toBe(folder)
    expect(await projectAt('app')).toBe(folder)
    expect(JSON.stringify(joined)).not.toContain('token')
  })

  it('that is a folder of this machine are one project', async () => {
    places.repository('source')
    clone('source', 'central.git', '--bare')
    clone('central.git', 'one')
    clone('central.git', 'two')
    symlinkSync(at('central.git'), at('link.git'))
    places.git('two', 'remote', 'set-url', 'origin', '../link.git')
    expect((await register('two')).folder).toBe((await register('one')).folder)
  })
})

describe('outside git', () => {
  it('a folder is a project, with all below it; the nearest one counts', async () => {
    places.folder('work/trip/photos')
    places.folder('work/other')
    const trip = await register('work/trip')
    expect(trip.roots).toEqual([{ path: at('work/trip'), kind: 'folder' }])
    expect(await projectAt('work/trip/photos')).toBe(trip.folder)
    expect(await projectAt('work/other')).toBe('new')
    const work = await register('work')
    expect(await projectAt('work/other')).toBe(work.folder)
    expect(await projectAt('work/trip/photos')).toBe(trip.folder)
    expect(await projectAt('work/trip/gone')).toBe(trip.folder)
  })

  it('home, root and temporary directory themselves are none; what lies in them is', async () => {
    for (const path of ['user', '.']) expect([path, await projectAt(path)]).toEqual([path, 'none'])
    const root = await resolveProject('/', { home, userHome, temporaryDirectory: places.root, deep: true })
    expect(root).toMatchObject({ kind: 'none', reason: expect.stringContaining('root') })
    places.folder('user/letters')
    symlinkSync(userHome, at('user/letters/up'))
    expect(await projectAt('user/letters')).toBe('new')
    expect(await projectAt('user/letters/up')).toBe('none')
    expect(await projectAt('user/.keepsake')).toBe('none')
  })

  it.each(['gs://x/y', 'relative/path', '', 'C:\\work', '/no/such\0place', '/no/such/place/at/all'])(
    '%j is no project, and nothing is made',
    async (cwd) => {
      for (const deep of [true, false]) {
        const resolution = await resolveProject(cwd, { home, userHome, temporaryDirectory: places.root, deep })
        expect(resolution.kind).toBe('none')
      }
      expect(readdirSync(home)).toEqual([])
      await expect(
        registerProject({ kind: 'none', reason: 'gone' }, { home, clock: systemClock, ids }),
      ).rejects.toMatchObject({ code: 'INPUT_INVALID' })
    },
  )

  it('a `.git` file that points nowhere makes its folder a place of its own', async () => {
    places.repository('outer')
    places.folder('outer/inner')
    writeFileSync(at('outer/inner/.git'), 'gitdir: /nowhere/at/all\n')
    const outer = await register('outer')
    const inner = await register('outer/inner')
    expect(inner.folder).not.toBe(outer.folder)
    expect(await projectAt('outer/inner')).toBe(inner.folder)
  })

  it('an empty `.git` folder counts for nothing', async () => {
    places.repository('outer')
    places.folder('outer/inner/.git')
    const outer = await register('outer')
    expect(await projectAt('outer/inner')).toBe(outer.folder)
  })

  it('a folder that becomes a repository starts anew and is told', async () => {
    places.folder('plans')
    const { folder } = await register('plans')
    places.repository('plans')
    expect(await projectAt('plans')).toBe('new')
    expect(await noticeAt('plans')).toContain(folder)
  })
})

describe('BL-11: names that look alike', () => {
  const siblings = [
    '大明科技',
    '天成企業',
    'a_b',
    'a-b',
    'a.b',
    'a b',
    'Проект',
    'Привет',
    '💥',
    '…',
    'CON',
    'x'.repeat(200),
    '界'.repeat(80),
  ]

  it.each(['folder', 'git'] as const)('are %s projects of their own: none sees another', async (kind) => {
    for (const name of siblings) {
      if (kind === 'git') places.repository(name)
      else places.folder(name)
    }
    const projects = new Map<string, string>()
    for (const name of siblings) projects.set(name, (await register(name)).folder)
    expect(new Set(projects.values()).size).toBe(siblings.length)
    for (const [name, folder] of projects) {
      expect([name, await projectAt(name)]).toEqual([name, folder])
      expect(folder).toMatch(/^[\p{L}\p{M}\p{N}-]+-[0-9a-z]{8}$/u)
      expect(Buffer.byteLength(folder)).toBeLessThanOrEqual(69)
      const resolution = await resolve(name)
      const { project } = layersOf({ home: { directory: home }, resolution, config: { projects: {} }, userHome: home })
      expect(project).toEqual({ name: 'project', key: `projects/${folder}`, directory: join(home, 'projects', folder) })
    }
  })
})

describe('BL-84: looking and registering', () => {
  const everythingBelow = (folder: string): string[] =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => !name.startsWith('user'))
      .sort()

  it('write nothing outside the home, and reading nothing at all', async () => {
    places.repository('app')
    for (let index = 0; index < 40; index++) places.folder(`app/dir${index}/node_modules/x`)
    places.folder('plain')
    const before = everythingBelow(places.root)
    const looks = [
      ...Array.from({ length: 40 }, (_, index) => `app/dir${index}/node_modules/x`),
      'app/.git/refs',
      'plain',
      'gone',
    ]
    for (const path of looks) for (const deep of [true, false]) await resolve(path, deep)
    expect(existsSync(join(home, 'projects'))).toBe(false)
    expect(readdirSync(home)).toEqual([])
    for (const path of looks.filter((each) => each !== 'gone')) await register(path)
    expect(everythingBelow(places.root)).toEqual(before)
    expect(places.git('app', 'status', '--porcelain', '--ignored')).toBe('')
    expect(readdirSync(join(home, 'projects'))).toHaveLength(2)
  })

  it('do not run what a repository brings along', async () => {
    places.repository('app')
    const trap = at('trap.sh')
    writeFileSync(trap, `#!/bin/sh\ntouch ${at('sprung')}\n`, { mode: 0o755 })
    for (const key of [
      'core.fsmonitor',
      'core.pager',
      'core.sshCommand',
      'core.editor',
      'diff.external',
      'core.alternateRefsCommand',
    ])
      places.git('app', 'config', key, trap)
    places.git('app', 'config', 'core.hooksPath', places.root)
    await register('app')
    expect(existsSync(at('sprung'))).toBe(false)
  })
})

describe('registering', () => {
  it('gives one folder to all who come at once', async () => {
    places.repository('app')
    places.git('app', 'worktree', 'add', '--quiet', '../wt')
    const projects = await Promise.all(Array.from({ length: 8 }, (_, index) => register(index % 2 ? 'app' : 'wt')))
    expect(new Set(projects.map(({ folder }) => folder)).size).toBe(1)
    expect(readdirSync(join(home, 'projects'))).toHaveLength(1)
  })

  it('changes nothing when there is nothing new', async () => {
    places.repository('app')
    const first = await register('app')
    const file = join(home, 'projects', first.folder, 'project.json')
    const text = readFileSync(file, 'utf8')
    rmSync(join(home, 'locks'), { recursive: true })
    expect(await register('app')).toEqual(first)
    expect(readFileSync(file, 'utf8')).toBe(text)
    expect(existsSync(join(home, 'locks'))).toBe(false)
  })

  it('skips a project.json that is damaged, and names it', async () => {
    places.repository('app')
    const { folder } = await register('app')
    for (const [name, text] of [
      ['torn', '{"name":'],
      ['odd', '[]'],
      ['null', 'null'],
      ['rootless', '{"name":"x","created":"y"}'],
    ] as const) {
      mkdirSync(join(home, 'projects', name))
      writeFileSync(join(home, 'projects', name, 'project.json'), text)
    }
    expect(await projectAt('app')).toBe(folder)
    expect(readProjects(home).unreadable.toSorted()).toEqual(['null', 'odd', 'rootless', 'torn'])
  })
})
