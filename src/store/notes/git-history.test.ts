import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Layer } from '../../domain/index.ts'
import { testHistory } from '../../testing/history-suite.ts'
import { createGitHistory } from './git-history.ts'
import { findGit } from './git-history-process.ts'
import type { NewCommit } from './history-port.ts'

const clock = { now: () => Date.UTC(2026, 0, 1) }
const newHome = () => mkdtempSync(join(tmpdir(), 'keepsake-history-'))
const layer: Layer = { name: 'global', key: 'global', directory: '/nowhere' }

testHistory('git', () => {
  const home = newHome()
  return {
    history: createGitHistory({ home, git: findGit(), clock }),
    dispose: () => rmSync(home, { recursive: true, force: true }),
  }
})

describe('git history', () => {
  let home: string
  beforeEach(() => {
    home = newHome()
  })
  afterEach(() => rmSync(home, { recursive: true, force: true }))
  const open = () => createGitHistory({ home, git: findGit(), clock })
  const repository = () => join(home, 'history/global.git')
  const git = (...argumentList: string[]) =>
    execFileSync('git', ['--git-dir', repository(), ...argumentList], { encoding: 'utf8', stdio: 'pipe' })
  const commit = (text: string, more: Partial<NewCommit> = {}): NewCommit => ({
    change: '01K00000000000000000000001',
    kind: 'remember',
    author: 'person',
    why: 'Remembered a new note',
    noteIds: [],
    layers: ['global'],
    undoes: null,
    timeMs: 1,
    files: [{ file: 'a.md', version: { bytes: new TextEncoder().encode(text), mode: 0o644 }, seen: null }],
    ...more,
  })

  it('is a sound repository of one branch, closed to others, without a work tree, hooks or remotes', async () => {
    await open().append(layer, [commit('one'), commit('two')])
    await open().append(layer, [commit('three')])
    expect(git('fsck', '--strict', '--no-dangling')).toBe('')
    expect(git('rev-list', '--count', 'main').trim()).toBe('3')
    expect(git('log', '--format=%an %s', 'main').split('\n')[0]).toBe('person Remembered a new note')
    expect(existsSync(join(repository(), 'hooks'))).toBe(false)
    expect(statSync(repository()).mode & 0o077).toBe(0)
    expect(git('config', 'core.bare').trim()).toBe('true')
  })

  it.each(['index.lock', 'HEAD.lock', 'refs/heads/main.lock', 'packed-refs.lock', 'config.lock'])(
    'a left %s is cleared',
    async (lock) => {
      await open().append(layer, [commit('one')])
      mkdirSync(join(repository(), 'refs/heads'), { recursive: true })
      writeFileSync(join(repository(), lock), '')
      await open().append(layer, [commit('two')])
      expect(existsSync(join(repository(), lock))).toBe(false)
      expect(await open().log(layer, { limit: 5 })).toHaveLength(2)
    },
  )

  it('a repository that a kill left half made is finished', async () => {
    mkdirSync(join(repository(), 'objects'), { recursive: true })
    writeFileSync(join(repository(), 'HEAD'), '')
    await open().append(layer, [commit('one')])
    expect(git('fsck', '--strict')).toBe('')
  })

  it.each(['{', '{"head":"x","files":3}', ''])('a damaged note of what was seen (%j) costs nothing', async (text) => {
    await open().append(layer, [commit('one')])
    writeFileSync(join(repository(), 'keepsake-seen.json'), text)
    expect([...(await open().head(layer))]).toEqual([
      ['a.md', { key: expect.stringMatching(/^[0-9a-f]{40}$/), mode: 0o644, seen: null }],
    ])
    await open().append(layer, [commit('two')])
    expect(await open().log(layer, { limit: 5 })).toHaveLength(2)
  })

  it('a branch that was packed by hand goes on', async () => {
    await open().append(layer, [commit('one')])
    git('pack-refs', '--all', '--prune')
    expect(existsSync(join(repository(), 'refs/heads/main'))).toBe(false)
    await open().append(layer, [commit('two')])
    expect(git('rev-list', '--count', 'main').trim()).toBe('2')
  })

  it('a damaged repository is set aside whole and a new one is begun; nothing is deleted', async () => {
    await open().append(layer, [commit('one')])
    truncateSync(join(repository(), 'refs/heads/main'), 3)
    rmSync(join(repository(), 'keepsake-seen.json'))
    await expect(open().append(layer, [commit('two')])).rejects.toMatchObject({ code: 'HISTORY_FAILED' })
    await open().append(layer, [commit('two')])
    expect(await open().log(layer, { limit: 5 })).toHaveLength(1)
    expect(readdirSync(join(home, 'history')).sort()).toEqual(['global.git', expect.stringMatching(/damaged/)])
  })

  it.each([
    ['is killed', 'kill -9 $$'],
    ['cannot start', 'exit 127'],
    ['may not read', 'echo "fatal: unable to open objects: Permission denied" >&2; exit 128'],
    ['has no space', 'echo "fatal: write error: No space left on device" >&2; exit 128'],
  ])('a git that %s damages nothing: the repository stays in its place', async (_, script) => {
    await open().append(layer, [commit('one')])
    rmSync(join(repository(), 'keepsake-seen.json'))
    const fake = join(home, 'git')
    writeFileSync(fake, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    const broken = createGitHistory({ home, git: fake, clock })
    await expect(broken.append(layer, [commit('two')])).rejects.toMatchObject({ code: 'HISTORY_FAILED' })
    expect(readdirSync(join(home, 'history'))).toEqual(['global.git'])
    await open().append(layer, [commit('two')])
    expect(await open().log(layer, { limit: 5 })).toHaveLength(2)
  })

  it('no file of a failed import is left behind, and what was recorded stands', async () => {
    await open().append(layer, [commit('one')])
    const bad = commit('two', { files: [{ ...commit('two').files[0]!, file: 'a//b.md' }] })
    await expect(open().append(layer, [bad])).rejects.toMatchObject({ code: 'HISTORY_FAILED' })
    expect(readdirSync(repository()).filter((name) => name.includes('crash'))).toEqual([])
    expect(readdirSync(join(home, 'history'))).toEqual(['global.git'])
    expect(await open().log(layer, { limit: 5 })).toHaveLength(1)
  })

  it.each([
    ['a<b>\nc', 'a b c'],
    ['', 'unknown'],
    ['<>', 'unknown'],
    ['代理 One', '代理 One'],
    ['x'.repeat(200), 'x'.repeat(39)],
  ])('an author called %j is written as %j', async (author, expected) => {
    await open().append(layer, [commit('one', { author })])
    expect((await open().log(layer, { limit: 1 }))[0]?.author).toBe(expected)
  })

  it('packs when many objects lie loose, and everything stays readable', async () => {
    const many = Array.from({ length: 40 }, (_, at) => commit(`text ${at}`))
    await open().append(layer, many)
    const loose = join(repository(), 'objects/17')
    mkdirSync(loose, { recursive: true })
    for (let count = 0; count < 16; count++) {
      // Names that no object has: git leaves them, and they make the folder look full.
      writeFileSync(join(loose, `tmp_obj_${count}`), '')
    }
    await open().upkeep(layer)
    expect(readdirSync(join(repository(), 'objects/pack')).some((name) => name.endsWith('.pack'))).toBe(true)
    expect(await open().log(layer, { limit: 100 })).toHaveLength(40)
    await open().append(layer, [commit('after')])
  })

  it('without git it says so and keeps nothing', async () => {
    const without = createGitHistory({ home, git: findGit('/nowhere:relative'), clock })
    expect(without.unavailable()).toMatch(/no git/)
    expect(await without.log(layer, { limit: 1 })).toEqual([])
    await expect(without.append(layer, [commit('one')])).rejects.toMatchObject({ code: 'HISTORY_UNAVAILABLE' })
    expect(existsSync(join(home, 'history'))).toBe(false)
  })
})

describe('findGit', () => {
  it.each(['', '.', 'bin:./bin', '/nowhere'])('finds none in %j: relative folders do not count', (path) => {
    expect(findGit(path)).toBeNull()
  })

  it('finds the program by an absolute path', () => {
    expect(findGit()).toMatch(/^\/.*git$/)
  })
})
