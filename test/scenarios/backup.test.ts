/** `backup` and `restore` as a person uses them: another machine, an old home in the way, a broken or hostile file. */
import { spawn } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type BuiltChild, buildChild } from '../support/build-child.ts'
import { type CliRun, cleanEnvironment, createWorkshop, distribution, type Workshop } from '../support/cli.ts'
import { writeTranscript } from '../support/transcript.ts'
import { treeOf } from '../support/tree.ts'

let shop: Workshop
let file: string
/** Made once; each test begins with the same home at the same path. */
const pristine = () => join(shop.root, '..', `${basename(shop.root)}-pristine`)
beforeAll(async () => {
  shop = createWorkshop()
  file = join(shop.root, 'memory.tar.gz')
  await shop.cli(['remember', 'Use pnpm, never npm, in this repository', '--name', 'pnpm', '--layer', 'project'])
  await shop.cli(['remember', '我用 Python 处理数据', '--type', 'user', '--layer', 'global'])
  await shop.cli(['remember', 'We deploy on Fridays', '--name', 'deploys', '--layer', 'project'])
  await shop.cli(['forget', 'deploys', '--yes'])
  const transcript = writeTranscript(shop, [{ user: 'where is the tidewater dashboard' }, { assistant: 'here' }])
  await shop.cli(['capture', transcript])
  await shop.cli(['backup', file])
  renameSync(shop.root, pristine())
})
beforeEach(() => cpSync(pristine(), shop.root, { recursive: true, preserveTimestamps: true }))
afterEach(() => shop.remove())
afterAll(() => rmSync(pristine(), { recursive: true, force: true }))

const restored = () => join(shop.root, 'elsewhere', 'memory')
const inRestored = (...words: string[]) => shop.cli(words, { home: restored() })
const oneClearLine = (run: CliRun) => {
  expect(run.stderr).toMatch(/^keepsake: .+\n {2}.+\n$/)
  expect(run.stderr).not.toContain('    at ')
}

describe('a backup is the whole memory in one file [S9] [S13]', () => {
  beforeEach(() => rmSync(file))

  it('restored elsewhere it knows everything: notes, words, what was forgotten, what changed', async () => {
    const made = await shop.cli(['backup', file, '--json'])
    expect(made.code, made.stderr).toBe(0)
    expect(made.json()).toMatchObject({ file, notes: 2, leftOut: [], movedIn: [] })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const run = await inRestored('restore', file)
    expect(run.code, run.stderr).toBe(0)
    expect(run.stdout).toContain('Restored: 2 notes')
    // Another machine: the old home is not there any more.
    renameSync(shop.home, join(shop.root, 'gone'))
    expect((await inRestored('doctor', '--json')).json()).toMatchObject({
      healthy: true,
      notes: { project: 1, global: 1 },
    })
    expect((await inRestored('recall', 'pnpm')).stdout).toContain('Use pnpm')
    expect((await inRestored('recall', '数据')).stdout).toContain('Python')
    expect((await inRestored('sessions', 'search', 'dashboard')).stdout).toContain('tidewater')
    expect((await inRestored('history')).stdout).toContain('Forgot a note')
    const forgotten = await inRestored('remember', 'We deploy on Fridays', '--layer', 'project', '--json')
    expect(forgotten.json()).not.toMatchObject({ outcome: 'merged' })
    expect((await inRestored('undo', '--yes')).code).toBe(0)
    expect((await inRestored('status')).code).toBe(0)
  })

  it('a folder is given a file with the time in its name; the current folder is the default', async () => {
    const made = (await shop.cli(['backup', '--json'])).json<{ file: string }>()
    expect(made.file).toMatch(/\/tidewater\/keepsake-\d{8}-\d{6}\.tar\.gz$/)
    expect(readdirSync(shop.project).sort()).toEqual(['.git', made.file.split('/').pop()])
  })

  it('is written while the home is read-only in its own way: nothing in it changes', async () => {
    const before = treeOf(shop.home, { without: [/^locks\//, /-(wal|shm)$/] })
    await shop.cli(['backup', file])
    expect(treeOf(shop.home, { without: [/^locks\//, /-(wal|shm)$/] })).toEqual(before)
    expect(readdirSync(join(shop.home, 'locks')).filter((name) => !name.endsWith('.held'))).toEqual([])
  })

  const wrongTargets: readonly [string, () => string, RegExp][] = [
    ['a file that exists', () => join(shop.project, '.git/HEAD'), /exists already/],
    ['a folder that does not exist', () => join(shop.root, 'no/such/file'), /does not exist/],
    ['a file in the home', () => join(shop.home, 'copy.tar.gz'), /inside the home/],
    ['the home itself', () => shop.home, /inside the home/],
    ['a file below a file', () => join(shop.home, 'home.json', 'x'), /does not exist|not a folder/],
  ]
  it.each(wrongTargets)('%s is no target', async (_what, target, words) => {
    const run = await shop.cli(['backup', target()])
    expect(run.code).toBe(2)
    oneClearLine(run)
    expect(run.stderr).toMatch(words)
    expect(existsSync(file)).toBe(false)
  })

  it('says what it could not read, holds the rest, and exits 5', async () => {
    writeFileSync(join(shop.home, 'sessions.db'), Buffer.alloc(40_000, 7))
    const run = await shop.cli(['backup', file])
    expect(run.code).toBe(5)
    expect(run.stdout).toContain('Not in it: sessions.db')
    expect((await inRestored('restore', file)).stdout).toContain('The backup did not hold: sessions.db')
    expect((await inRestored('recall', 'pnpm')).stdout).toContain('Use pnpm')
    expect(statSync(join(shop.home, 'sessions.db')).size).toBe(40_000)
  })

  it('of no memory at all there is none', async () => {
    rmSync(shop.home, { recursive: true })
    const run = await shop.cli(['backup', file])
    expect(run.code).toBe(2)
    oneClearLine(run)
  })
})

describe('restore touches nothing before it is sure [S8] [S13]', () => {
  it('a backup that is not there is what is said first, also over a home that holds something', async () => {
    const run = await shop.cli(['restore', join(shop.root, 'nothing.tar.gz')])
    expect(run.code).toBe(3)
    expect(run.stderr).toContain('There is no backup at')
    expect(run.stderr).not.toContain('--replace')
  })

  it('a home that holds something is refused, and with --replace moved aside, never deleted', async () => {
    await shop.cli(['remember', 'A newer word', '--layer', 'global'])
    const before = treeOf(shop.home, { without: [/^locks\//] })
    const refused = await shop.cli(['restore', file])
    expect(refused.code).toBe(4)
    oneClearLine(refused)
    expect(refused.stderr).toContain('--replace')
    expect(treeOf(shop.home, { without: [/^locks\//] })).toEqual(before)
    const forced = (await shop.cli(['restore', file, '--replace', '--json'])).json<{ movedAside: string }>()
    expect(treeOf(forced.movedAside, { without: [/^locks\//] })).toEqual(before)
    expect((await shop.cli(['recall', 'newer word'])).stdout).not.toContain('A newer word')
  })

  const broken: readonly [string, () => void, number][] = [
    ['cut off', () => truncateSync(file, Math.floor(statSync(file).size / 2)), 5],
    ['cut off at its end', () => truncateSync(file, statSync(file).size - 3), 5],
    ['empty', () => truncateSync(file, 0), 5],
    [
      'altered in the middle',
      () => {
        const bytes = readFileSync(file)
        bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 0xff
        writeFileSync(file, bytes)
      },
      5,
    ],
    ['something else', () => writeFileSync(file, 'not a backup\n'), 5],
    [
      'a folder',
      () => {
        rmSync(file)
        mkdirSync(file)
      },
      5,
    ],
    ['not there', () => rmSync(file), 3],
  ]
  it.each(broken)('a file that is %s: one clear line, and the home is as it was', async (_what, spoil, code) => {
    spoil()
    const before = treeOf(shop.home, { without: [/^locks\//] })
    for (const force of [[], ['--replace']]) {
      const run = await shop.cli(['restore', file, ...force, '--home', force.length > 0 ? shop.home : restored()])
      expect([run.code, run.stderr]).toEqual([code, expect.anything()])
      oneClearLine(run)
    }
    expect(treeOf(shop.home, { without: [/^locks\//] })).toEqual(before)
    expect(existsSync(restored())).toBe(false)
    expect(readdirSync(join(restored(), '..'))).toEqual([])
    expect(readdirSync(shop.root).filter((name) => name.includes('restor'))).toEqual([])
  })

  it('a home that is a file is no place for one', async () => {
    writeFileSync(join(shop.root, 'in-the-way'), 'words')
    const run = await shop.cli(['restore', file, '--replace', '--home', join(shop.root, 'in-the-way')])
    expect(run.code).toBe(5)
    oneClearLine(run)
    expect(readFileSync(join(shop.root, 'in-the-way'), 'utf8')).toBe('words')
  })

  it('bytes after the end of the archive are no part of it', async () => {
    appendFileSync(file, 'more')
    const run = await inRestored('restore', file)
    expect([0, 5]).toContain(run.code)
    if (run.code === 5) expect(existsSync(restored())).toBe(false)
  })
})

describe('stopped in the middle [S13]', () => {
  let child: BuiltChild
  beforeAll(async () => {
    child = await buildChild('test/crash/restore-child.ts')
  })
  afterAll(() => child?.dispose())
  const runChild = (point: string) =>
    new Promise<string | null>((resolve) => {
      const started = spawn(process.execPath, [child.file, file, shop.home, point], { stdio: 'inherit' })
      started.on('close', (_code, signal) => resolve(signal))
    })

  it.each(['unpacking', 'unpacked', 'moved-aside', 'placed'])(
    'killed when %s: a whole home is there, and the same command finishes',
    async (point) => {
      const before = treeOf(shop.home, { without: [/^locks\//] })
      expect(await runChild(point)).toBe('SIGKILL')
      const aside = readdirSync(shop.root).filter((name) => name.includes('.before-restore-'))
      const old = aside[0] === undefined ? shop.home : join(shop.root, aside[0])
      expect(treeOf(old, { without: [/^locks\//] })).toEqual(before)
      if (point.startsWith('unpack')) expect(aside).toEqual([])
      const again = await shop.cli(['restore', file, '--replace'])
      expect(again.code, again.stderr).toBe(0)
      expect((await shop.cli(['doctor'])).code).toBe(0)
      expect(readdirSync(shop.root).filter((name) => name.includes('restoring'))).toEqual([])
    },
  )

  it.each(['backup', 'restore'])('Ctrl-C in %s leaves nothing half made', async (verb) => {
    for (let index = 0; index < 30; index++)
      writeFileSync(join(shop.home, 'global', `big-${index}.md`), 'words and more words\n'.repeat(40_000))
    const target = join(shop.root, 'big.tar.gz')
    if (verb === 'restore') await shop.cli(['backup', target])
    const before = treeOf(shop.home, { without: [/^locks\//] })
    const words = verb === 'backup' ? ['backup', target] : ['restore', target, '--replace']
    const run = await interrupted(words, () =>
      readdirSync(shop.root).some((name) => /keepsake-(backup|temp)|restoring/.test(name)),
    )
    expect(run.code).toBe(1)
    expect(run.stderr).toContain('Cancelled')
    expect(treeOf(shop.home, { without: [/^locks\//] })).toEqual(before)
    expect(readdirSync(shop.root).sort()).toEqual(
      [
        '.keepsake',
        '7f1c2a44-0000-4000-8000-000000000001.jsonl',
        'code',
        'memory.tar.gz',
        ...(verb === 'restore' ? ['big.tar.gz'] : []),
      ].sort(),
    )
  })

  /** SIGINT as soon as the work is seen to have begun. */
  function interrupted(
    words: readonly string[],
    hasBegun: () => boolean,
  ): Promise<{ code: number | null; stderr: string }> {
    const started = spawn(process.execPath, [join(distribution, 'cli.js'), ...words], {
      cwd: shop.project,
      env: cleanEnvironment(shop.home),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let stderr = ''
    started.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    const watch = setInterval(() => {
      if (!hasBegun()) return
      clearInterval(watch)
      started.kill('SIGINT')
    }, 5)
    return new Promise((resolve) => {
      started.on('close', (code) => {
        clearInterval(watch)
        resolve({ code, stderr })
      })
    })
  }
})
