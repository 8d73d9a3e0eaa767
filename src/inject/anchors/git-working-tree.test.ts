/** The driver on disk, and what a stranger may put into a repository. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { testWorkingTree, type WorkingTreeStep } from '../../testing/working-tree-suite.ts'
import { openWorkingTree } from './git-working-tree.ts'

const environment = { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' }

function git(root: string, given: readonly string[], timeMs = Date.UTC(2026, 0, 1)): string {
  const date = new Date(timeMs).toISOString()
  const person = ['-c', 'user.name=Ana', '-c', 'user.email=ana@example.org', '-c', 'init.defaultBranch=main']
  const env = { ...environment, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }
  return execFileSync('git', [...person, ...given], {
    cwd: root,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

function commit(root: string, { files, timeMs }: WorkingTreeStep): void {
  git(root, ['rm', '-rq', '--cached', '--ignore-unmatch', '.'])
  for (const name of ['src', 'docs', 'gone.ts']) rmSync(join(root, name), { recursive: true, force: true })
  write(root, files)
  git(root, ['add', '--all'])
  git(root, ['commit', '--quiet', '--message', 'step'], timeMs)
}

const folder = () => realpathSync(mkdtempSync(join(tmpdir(), 'keepsake-tree-')))

function opened(root: string) {
  const tree = openWorkingTree(root)
  if (tree === null) throw new Error(`no tree at ${root}`)
  return tree
}

testWorkingTree('git working tree [I5]', () => {
  const root = folder()
  return {
    make: (steps, { tag, branch }) => {
      const place = join(root, 'repository')
      mkdirSync(place)
      git(place, ['init', '--quiet'])
      for (const step of steps) commit(place, step)
      git(place, ['tag', tag])
      git(place, ['branch', branch])
      return opened(place)
    },
    bare: (files) => {
      write(join(root, 'plain'), files)
      return opened(join(root, 'plain'))
    },
    dispose: () => rmSync(root, { recursive: true, force: true }),
  }
})

describe('what a stranger put there [S8]', () => {
  let root: string
  const { signal } = new AbortController()
  beforeEach(() => {
    root = folder()
    git(root, ['init', '--quiet'])
    write(root, { 'src/a.ts': 'one\n', 'src/b.ts': 'two\n' })
    git(root, ['add', '--all'])
    git(root, ['commit', '--quiet', '--message', 'first'])
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  it('no link is followed out of the folder', () => {
    const outside = folder()
    writeFileSync(join(outside, 'secret.ts'), 'secret')
    symlinkSync(outside, join(root, 'away'))
    symlinkSync(join(outside, 'secret.ts'), join(root, 'secret.ts'))
    symlinkSync('/nowhere/at/all', join(root, 'dangling.ts'))
    symlinkSync('round.ts', join(root, 'round.ts'))
    const tree = opened(root)
    for (const path of ['away/secret.ts', 'away', 'secret.ts', 'dangling.ts', 'round.ts']) {
      expect([path, tree.entryAt(path)]).toEqual([path, 'refused'])
      expect(tree.read(path)).toBeNull()
    }
    rmSync(outside, { recursive: true })
  })

  it('what is no plain file is not waited for, what is large is not read', () => {
    execFileSync('mkfifo', [join(root, 'pipe.ts')])
    writeFileSync(join(root, 'large.json'), Buffer.alloc(5_000_000, 32))
    writeFileSync(join(root, 'image.png'), Buffer.from([0, 1, 2, 0]))
    const tree = opened(root)
    expect(tree.entryAt('pipe.ts')).toBe('refused')
    expect(['pipe.ts', 'large.json', 'image.png'].map((path) => tree.read(path))).toEqual([null, null, null])
    expect(tree.entryAt('large.json')).toBe('file')
  })

  it('no program that its settings name is started', async () => {
    const proof = join(root, 'ran')
    const script = join(root, 'evil.sh')
    writeFileSync(script, `#!/bin/sh\ntouch ${proof}\n`)
    chmodSync(script, 0o755)
    write(root, { '.gitattributes': '* diff=evil filter=evil\n' })
    const settings = [
      'core.fsmonitor',
      'core.pager',
      'core.sshCommand',
      'diff.external',
      'diff.evil.command',
      'diff.evil.textconv',
      'filter.evil.clean',
      'filter.evil.smudge',
      'filter.evil.process',
      'gpg.program',
      'pager.log',
    ]
    for (const name of settings) git(root, ['config', name, script])
    git(root, ['config', 'log.showSignature', 'true'])
    git(root, ['config', 'core.hooksPath', root])
    const tree = opened(root)
    const past = await tree.pastAt(null, ['src/a.ts'], signal)
    const name = past?.commit ?? ''
    expect(past?.entries.get('src/a.ts')).toEqual({ kind: 'file', text: 'one\n' })
    await tree.movedSince(name, ['src/gone.ts'], signal)
    await tree.changesSince(name, ['src/a.ts'], signal)
    await tree.listFiles(null, signal)
    await tree.findWords(['one'], null, signal)
    await tree.findWords(['one'], name, signal)
    await tree.stateOfCommit(name, signal)
    expect(existsSync(proof)).toBe(false)
  })

  it.each(['--output=x', '--exec=touch x', '-p', '--upload-pack=x', ':(top)x', ':!src', 'HEAD'])(
    'a name like an option or a pattern is a name: %s',
    async (name) => {
      const tree = opened(root)
      const { commit: base = '' } = (await tree.pastAt(null, [name], signal)) ?? {}
      expect(base).toMatch(/^[0-9a-f]{40}$/)
      expect(await tree.movedSince(base, [name], signal)).toEqual(new Map([[name, null]]))
      expect(await tree.changesSince(base, [name], signal)).toEqual(new Map([[name, 0]]))
      expect((await tree.findWords([name], null, signal))?.lines).toEqual([])
      expect(await tree.movedSince(name, ['src/a.ts'], signal)).toBeNull()
      expect(await tree.listFiles(name, signal)).toBeNull()
      expect(await tree.stateOfCommit(name, signal)).toBe('unknown')
      expect(existsSync(join(root, 'x'))).toBe(false)
    },
  )

  it('a folder inside a repository is a tree of its own', async () => {
    const tree = opened(join(root, 'src'))
    expect(tree.entryAt('a.ts')).toBe('file')
    const past = await tree.pastAt(null, ['a.ts', 'src/a.ts'], signal)
    expect([...(past?.entries.values() ?? [])]).toEqual([{ kind: 'file', text: 'one\n' }, null])
    expect(await tree.listFiles(null, signal)).toEqual(['a.ts', 'b.ts'])
    git(root, ['mv', 'src/a.ts', 'src/c.ts'])
    git(root, ['commit', '--quiet', '--message', 'moved'])
    expect(await tree.movedSince(past?.commit ?? '', ['a.ts'], signal)).toEqual(new Map([['a.ts', 'c.ts']]))
  })

  it('moved, and not in a commit yet', async () => {
    git(root, ['mv', 'src/a.ts', 'src/c.ts'])
    const tree = opened(root)
    const { commit: base = '' } = (await tree.pastAt(null, [], signal)) ?? {}
    expect(await tree.movedSince(base, ['src/a.ts'], signal)).toEqual(new Map([['src/a.ts', 'src/c.ts']]))
  })

  it('no folder, no git, a damaged repository: nothing is known, and nothing thrown', async () => {
    expect(openWorkingTree(join(root, 'nowhere'))).toBeNull()
    expect(openWorkingTree(join(root, 'src', 'a.ts'))).toBeNull()
    const without = openWorkingTree(root, { searchPath: join(root, 'empty') })
    expect(without?.hasHistory).toBe(false)
    writeFileSync(join(root, '.git', 'HEAD'), 'garbage')
    const tree = opened(root)
    expect(await tree.pastAt(null, ['src/a.ts'], signal)).toBeNull()
    expect(await tree.findWords(['one'], 'f'.repeat(40), signal)).toBeNull()
    expect(await tree.stateOfCommit('deadbeef', signal)).not.toBe('there')
  })
})
