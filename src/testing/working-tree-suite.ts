/**
 * Contract of the port `WorkingTree`: what stands there now and what stood there, nothing outside of it, and null instead
 * of a guess. Every driver runs it on the same little history.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WorkingTree } from '../inject/anchors/working-tree.ts'

export interface WorkingTreeStep {
  readonly timeMs: number
  readonly files: Readonly<Record<string, string>>
}

export interface WorkingTreeHarness {
  /** A repository with these commits; the last is checked out. `tag` and `branch` stand at the last one. */
  make(steps: readonly WorkingTreeStep[], refs: { readonly tag: string; readonly branch: string }): WorkingTree
  /** The same files, and no repository around. */
  bare(files: Readonly<Record<string, string>>): WorkingTree
  dispose(): void
}

const day = (count: number) => Date.UTC(2026, 0, 1) + count * 86_400_000
const lines = (word: string) => Array.from({ length: 10 }, (_, at) => `const ${word}${at} = ${at}\n`).join('')
const first = {
  'src/a.ts': `${lines('alpha')}export function ofAlpha() {}\n`,
  'src/old/b.ts': lines('beta'),
  'src/old/c.ts': lines('gamma'),
  'docs/计划.md': '计划\n',
  'gone.ts': lines('gone'),
}
const second = { ...first, 'src/a.ts': `// new\n${first['src/a.ts']}` }
const { 'src/old/b.ts': b, 'src/old/c.ts': c, 'gone.ts': _, ...kept } = second
const third = { ...kept, 'src/new/b.ts': b, 'src/new/c.ts': c }
const steps = [first, second, third].map((files, at) => ({ timeMs: day(at * 10), files }))

export function testWorkingTree(name: string, create: () => WorkingTreeHarness): void {
  describe(name, () => {
    let harness: WorkingTreeHarness
    let tree: WorkingTree
    const { signal } = new AbortController()
    beforeAll(() => {
      harness = create()
      tree = harness.make(steps, { tag: 'v1.0.0', branch: 'feature/灯' })
    }, 60_000)
    afterAll(() => harness.dispose())

    it('says what stands there now', () => {
      expect(tree.hasHistory).toBe(true)
      expect(
        ['src/a.ts', 'src', 'src/new', 'docs/计划.md', 'gone.ts', 'src/a.ts/x'].map((path) => tree.entryAt(path)),
      ).toEqual(['file', 'folder', 'folder', 'file', 'absent', 'absent'])
      expect(tree.read('src/a.ts')).toBe(third['src/a.ts'])
      expect(tree.read('src')).toBeNull()
      expect(tree.read('nowhere.ts')).toBeNull()
      expect(tree.changedMsAt('src/a.ts')).toBeGreaterThan(day(20))
      expect(tree.changedMsAt('nowhere.ts')).toBeNull()
    })

    it.each(['../a.ts', '/etc/hosts', 'src/../../x', '', '..', 'a\0b', 'src\\a.ts'])('refuses %j', (path) => {
      expect(tree.entryAt(path)).toBe('refused')
      expect(tree.read(path)).toBeNull()
    })

    it('says what stood there then', async () => {
      const past = await tree.pastAt(day(5), ['src/a.ts', 'src/old', 'docs/计划.md', 'src/new/b.ts', '--help'], signal)
      expect([...(past?.entries ?? [])]).toEqual([
        ['src/a.ts', { kind: 'file', text: first['src/a.ts'] }],
        ['src/old', { kind: 'folder' }],
        ['docs/计划.md', { kind: 'file', text: '计划\n' }],
        ['src/new/b.ts', null],
        ['--help', null],
      ])
      expect(past?.commit).toMatch(/^[0-9a-f]{40}$/)
      expect(await tree.pastAt(day(-5), ['src/a.ts'], signal)).toBeNull()
      const newest = await tree.pastAt(null, ['src/a.ts'], signal)
      expect(newest?.entries.get('src/a.ts')).toEqual({ kind: 'file', text: third['src/a.ts'] })
      expect((await tree.pastAt(day(5), [], signal))?.commit).toBe(past?.commit)
    })

    it('follows what moved, files and folders', async () => {
      const { commit = '' } = (await tree.pastAt(day(5), [], signal)) ?? {}
      const moved = await tree.movedSince(commit, ['src/old/b.ts', 'src/old', 'gone.ts', 'never.ts'], signal)
      expect([...(moved ?? [])]).toEqual([
        ['src/old/b.ts', 'src/new/b.ts'],
        ['src/old', 'src/new'],
        ['gone.ts', null],
        ['never.ts', null],
      ])
    })

    it('counts commits', async () => {
      const { commit = '' } = (await tree.pastAt(day(5), [], signal)) ?? {}
      const counts = await tree.changesSince(commit, ['src/a.ts', 'docs/计划.md'], signal)
      expect([...(counts ?? [])]).toEqual([
        ['src/a.ts', 1],
        ['docs/计划.md', 0],
      ])
    })

    it('lists files, now and then', async () => {
      const { commit = '' } = (await tree.pastAt(day(5), [], signal)) ?? {}
      expect([...((await tree.listFiles(null, signal)) ?? [])].sort()).toEqual(Object.keys(third).sort())
      expect([...((await tree.listFiles(commit, signal)) ?? [])].sort()).toEqual(Object.keys(first).sort())
    })

    it('finds whole words, now and then', async () => {
      const { commit = '' } = (await tree.pastAt(day(5), [], signal)) ?? {}
      const at = async (words: readonly string[], when: string | null) =>
        ((await tree.findWords(words, when, signal))?.lines ?? []).map(({ path, text }) => `${path}: ${text}`).sort()
      expect(await at(['ofAlpha', 'beta3'], null)).toEqual([
        'src/a.ts: export function ofAlpha() {}',
        'src/new/b.ts: const beta3 = 3',
      ])
      expect(await at(['gone3'], commit)).toEqual(['gone.ts: const gone3 = 3'])
      expect(await at(['gone3'], null)).toEqual([])
      expect(await at(['ofAlph', '.*', '--version'], null)).toEqual([])
      expect((await tree.findWords(['nothing'], null, signal))?.isComplete).toBe(true)
    })

    it('knows branches, tags and commits', async () => {
      expect(tree.hasRef('tag', 'v1.0.0')).toBe(true)
      expect(tree.hasRef('tag', 'v1.0.1')).toBe(false)
      expect(tree.hasRef('branch', 'feature/灯')).toBe(true)
      expect(tree.hasRef('branch', 'feature/x')).toBe(false)
      for (const name of ['../config', '--all', 'a..b', '', 'x.lock']) expect(tree.hasRef('branch', name)).toBeNull()
      const { commit = '' } = (await tree.pastAt(day(5), [], signal)) ?? {}
      expect(await tree.stateOfCommit(commit, signal)).toBe('there')
      expect(await tree.stateOfCommit('deadbeefdeadbeef', signal)).toBe('gone')
    })

    it('knows nothing once it was stopped', async () => {
      const stopped = AbortSignal.abort()
      expect(await tree.pastAt(null, ['src/a.ts'], stopped)).toBeNull()
      expect(await tree.listFiles(null, stopped)).toBeNull()
      expect(await tree.findWords(['alpha0'], null, stopped)).toBeNull()
      expect(await tree.stateOfCommit('deadbeef', stopped)).toBe('unknown')
    })

    it('without a repository: what stands there, and nothing of the past', async () => {
      const plain = harness.bare({ 'src/a.ts': 'x\n' })
      expect(plain.hasHistory).toBe(false)
      expect(plain.entryAt('src/a.ts')).toBe('file')
      expect(await plain.pastAt(null, ['src/a.ts'], signal)).toBeNull()
      expect(await plain.listFiles(null, signal)).toBeNull()
      expect(await plain.findWords(['x'], null, signal)).toBeNull()
      expect(plain.hasRef('branch', 'main')).toBeNull()
      expect(await plain.stateOfCommit('deadbeef', signal)).toBe('unknown')
    })
  })
}
