/** The built hook (`dist/hook.js`) as agents start it: what it loads, and that nothing makes it fail or wait. */
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findSqliteDriver } from '../store/sqlite/find-driver.ts'
import { createIdSource, systemClock } from '../util/index.ts'
import { compileHook } from '../worker/compile-hook.ts'
import { wantsCompiledHook } from './keep-compiled.ts'

const repository = join(import.meta.dirname, '..', '..')
const distribution = join(repository, 'dist')
const built = join(distribution, 'hook.js')
const fixture = join(repository, 'test', 'fixtures', 'transcripts', 'claude-code', 'first-light.jsonl')

/** A start of Node on a busy machine, and the hook's own second. */
const PATIENCE_MS = 15_000

let root: string
let home: string
let bundle: string

/** The entry and its parts. */
const bundleFiles = () => readdirSync(distribution).filter((name) => name === 'hook.js' || name.endsWith('.cjs'))

function importsOf(file: string): string[] {
  const pattern = /^(?:import|export)\b[^'"\n;]*?["']([^"'\n]+)["']|\b(?:import|require)\(\s*["']([^"'\n]+)["']\s*\)/gm
  return [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, plain, dynamic]) => plain ?? dynamic ?? '')
}

// A copy without a worker beside it, so that no test starts one.
let copies: string
beforeAll(() => {
  expect(existsSync(built), 'run `npm run build` first').toBe(true)
  copies = mkdtempSync(join(repository, 'node_modules', '.keepsake-hook-'))
  bundle = join(copies, 'hook.js')
  for (const name of bundleFiles()) cpSync(join(distribution, name), join(copies, name))
})
afterAll(() => rmSync(copies, { recursive: true, force: true }))

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'keepsake-bundle-'))
  home = join(root, 'home')
  mkdirSync(join(home, 'global'), { recursive: true })
  mkdirSync(join(root, 'work'))
  const id = createIdSource(systemClock).next()
  writeFileSync(join(home, 'home.json'), JSON.stringify({ format: 1, id, created: '2026-11-01T00:00:00Z' }))
  writeFileSync(
    join(home, 'global', 'feedback_package-manager.md'),
    '---\nname: Package manager\ndescription: Use pnpm, never npm\ntype: feedback\n---\n\nUse pnpm, never npm.\n',
  )
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

interface Run {
  readonly code: number | string | null
  readonly stdout: string
  readonly stderr: string
}

interface RunOptions {
  readonly environment?: Record<string, string>
  readonly nodeArguments?: readonly string[]
  readonly keepStdinOpen?: boolean
}

function runHook(event: string, stdin: string, options: RunOptions = {}): Promise<Run> {
  const child = spawn(
    process.execPath,
    [...(options.nodeArguments ?? []), bundle, '--home', home, 'claude-code', event, '--keepsake'],
    { cwd: root, env: { PATH: process.env.PATH, HOME: join(root, 'user'), ...options.environment } },
  )
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (data) => {
    output.stdout += data
  })
  child.stderr.on('data', (data) => {
    output.stderr += data
  })
  // The hook may be gone before all is written.
  child.stdin.on('error', () => {})
  child.stdin.write(stdin)
  if (!options.keepStdinOpen) child.stdin.end()
  return new Promise((resolve) => child.on('close', (code, signal) => resolve({ code: signal ?? code, ...output })))
}

const input = (fields: object) =>
  JSON.stringify({ session_id: 's', transcript_path: fixture, cwd: join(root, 'work'), ...fields })
const start = (fields: object = {}) => input({ source: 'startup', ...fields })
const prompt = (words: string) => input({ prompt: words })
const contextOf = ({ stdout }: Run) => JSON.parse(stdout).hookSpecificOutput.additionalContext

describe('what it says', () => {
  it('the start block, in the exact shape, without a word on stderr', async () => {
    const run = await runHook('SessionStart', start())
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(Object.keys(JSON.parse(run.stdout))).toEqual(['hookSpecificOutput'])
    expect(Object.keys(JSON.parse(run.stdout).hookSpecificOutput)).toEqual(['hookEventName', 'additionalContext'])
    expect(contextOf(run)).toContain('Use pnpm, never npm')
    expect(Buffer.byteLength(contextOf(run))).toBeLessThanOrEqual(9_500)
  })

  it('the turn block for a question that a note answers', async () => {
    const run = await runHook('UserPromptSubmit', prompt('Which package manager: pnpm or npm?'))
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(contextOf(run)).toContain('kind="turn"')
  })

  it.each([
    ['a resumed session', 'SessionStart', () => input({ source: 'resume' })],
    ['a slash command', 'UserPromptSubmit', () => prompt('/pnpm')],
    ['a notice', 'UserPromptSubmit', () => prompt('<task-notification>pnpm npm package manager')],
    ['the end of a turn', 'Stop', () => input({})],
    ['a compaction', 'PreCompact', () => input({ trigger: 'auto' })],
    ['the end', 'SessionEnd', () => input({ reason: 'other' })],
    ['an event that is not ours', 'PostToolUse', () => input({})],
  ])('nothing for %s', async (_, event, stdin) => {
    expect(await runHook(event, stdin())).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it('nothing, and no line, inside our own worker', async () => {
    for (const event of ['SessionStart', 'Stop'])
      expect(await runHook(event, start(), { environment: { KEEPSAKE_WORKER: '1' } })).toEqual({
        code: 0,
        stdout: '',
        stderr: '',
      })
    expect(existsSync(join(home, 'journal'))).toBe(false)
  })

  it('leaves one line of pointers for the worker', async () => {
    await runHook('Stop', input({ last_assistant_message: 'words that must not be kept' }))
    const text = readFileSync(join(home, 'journal', 'queue.jsonl'), 'utf8')
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { event: 'Stop', agent: 'claude-code', session: 's', transcript: fixture, size: readFileSync(fixture).length },
    ])
    expect(text).not.toContain('words that')
  })
})

describe('what it loads', () => {
  const modulesOf = async (event: string, stdin: string) => {
    const list = join(root, 'modules.txt')
    const preload = join(repository, 'test', 'support', 'record-modules.mjs')
    const run = await runHook(event, stdin, {
      nodeArguments: ['--import', preload],
      environment: { KEEPSAKE_TEST_MODULES: list },
    })
    expect(run.code).toBe(0)
    return readFileSync(list, 'utf8').split('\n')
  }
  const heavy = /\/(?:zod|yaml|commander|jsonc-parser|@modelcontextprotocol)\//
  const sqlite = /(?:^|[:/])(?:node:)?(?:sqlite|better-sqlite3)(?:$|\/)/

  it.each([
    ['SessionStart', false],
    ['Stop', false],
    ['PreCompact', false],
    ['SessionEnd', false],
    ['UserPromptSubmit', true],
  ])('%s: SQLite %s; never zod, yaml or MCP', async (event, loadsSqlite) => {
    // An index that is there, so that it would be opened.
    writeFileSync(join(home, 'index.db'), '')
    const modules = await modulesOf(event, input({ source: 'startup', prompt: 'Which package manager: pnpm or npm?' }))
    expect(modules.some((each) => each.endsWith('/hook.js'))).toBe(true)
    expect(modules.filter((each) => heavy.test(each))).toEqual([])
    expect(modules.some((each) => sqlite.test(each))).toBe(loadsSqlite)
  })

  it.each([
    ['SessionStart', ['hook-base', 'hook-read']],
    ['UserPromptSubmit', ['hook-base', 'hook-read', 'turn']],
    ['Stop', ['hook-base']],
    ['PreCompact', ['hook-base']],
    ['SessionEnd', ['hook-base']],
  ])('%s loads no part that is not for it', async (event, parts) => {
    const modules = await modulesOf(event, input({ source: 'startup', prompt: 'Which package manager: pnpm or npm?' }))
    const large = /\/(hook-base|hook-read|turn|anchors)-[^/]*\.cjs$/
    expect([...new Set(modules.flatMap((each) => large.exec(each)?.[1] ?? []))].sort()).toEqual(parts)
  })

  it('stands alone: nothing but Node itself is imported', () => {
    const outside = bundleFiles()
      .flatMap((name) => importsOf(join(distribution, name)))
      .filter((path) => !path.startsWith('.') && !isBuiltin(path))
    expect(outside).toEqual([])
  })
})

describe('the compiled form of its parts', () => {
  const around = () => ({ environment: process.env, userHome: join(root, 'user'), temporaryDirectory: root })
  const compiled = () => readdirSync(copies).filter((name) => name.includes('.compiled'))
  const answers = async () => {
    const start = await runHook('SessionStart', input({ source: 'startup' }))
    const turn = await runHook('UserPromptSubmit', prompt('Which package manager: pnpm or npm?'))
    return [start, turn]
  }
  afterEach(() => {
    for (const name of compiled()) rmSync(join(copies, name))
  })

  it('is left for each part, once, and changes no answer', async () => {
    const plain = await answers()
    expect(plain.map(({ stdout }) => stdout.length > 0)).toEqual([true, true])
    expect(wantsCompiledHook(copies)).toBe(true)
    expect(await compileHook(copies, around())).toBe(null)
    expect(compiled().map((name) => /^(?:hook-)?[a-z]+/.exec(name)?.[0])).toEqual(
      expect.arrayContaining(['hook-base', 'hook-read', 'turn']),
    )
    expect(wantsCompiledHook(copies)).toBe(false)
    expect(await answers()).toEqual(plain)
  })

  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['empty', () => Buffer.alloc(0)],
    ['cut', (bytes) => bytes.subarray(0, bytes.length >> 1)],
    ['one byte other', (bytes) => bytes.fill((bytes[9_000] ?? 0) ^ 255, 9_000, 9_001)],
    ['zeros behind its head', (bytes) => bytes.fill(0, 200)],
    ['something else', () => Buffer.from('no compiled form at all')],
    ['whole, but of another text', (bytes) => withChecksum(bytes.subarray(32).fill(7, 8, 12))],
  ])('is passed over when it is %s', async (_, damage) => {
    const plain = await answers()
    await compileHook(copies, around())
    for (const name of compiled()) writeFileSync(join(copies, name), damage(readFileSync(join(copies, name))))
    expect(await answers()).toEqual(plain)
  })

  function withChecksum(data: Buffer): Buffer {
    return Buffer.concat([createHash('sha256').update(data).digest(), data])
  }

  it('is not tried in a folder that cannot be read', () => {
    expect(wantsCompiledHook(join(root, 'nowhere'))).toBe(false)
  })
})

describe('BL-64: nothing makes it fail or wait', () => {
  const asks = 'Which package manager: pnpm or npm?'

  async function expectSilentSuccess(event: string, stdin: string, options: RunOptions = {}): Promise<Run> {
    const began = Date.now()
    const run = await runHook(event, stdin, options)
    expect(run.code).toBe(0)
    expect(run.stderr).toBe('')
    if (run.stdout !== '') expect(Object.keys(JSON.parse(run.stdout))).toEqual(['hookSpecificOutput'])
    expect(Date.now() - began).toBeLessThan(PATIENCE_MS)
    return run
  }

  it.each<[string, () => void]>([
    ['config.json is a folder', () => mkdirSync(join(home, 'config.json'))],
    ['config.json is no JSON', () => writeFileSync(join(home, 'config.json'), '{ modes: off')],
    ['config.json is a pipe', () => makePipe('config.json')],
    ['home.json is a folder', () => replace('home.json', (path) => mkdirSync(path))],
    ['home.json is garbage', () => writeFileSync(join(home, 'home.json'), '\u0000\u0001')],
    ['home.json is of a newer format', () => writeFileSync(join(home, 'home.json'), '{"format":99,"id":"x"}')],
    ['the home is a file', () => replace('', (path) => writeFileSync(path, 'x'))],
    ['the home is a pipe', () => replace('', (path) => execFileSync('mkfifo', [path]))],
    ['the home is not there', () => rmSync(home, { recursive: true })],
    ['the home is a link that leads nowhere', () => replace('', (path) => symlinkSync('/nowhere/at/all', path))],
    ['the notes are a link in a circle', () => replace('global', (path) => symlinkSync(path, path))],
    ['the notes are a file', () => replace('global', (path) => writeFileSync(path, 'x'))],
    ['MEMORY.md is a pipe', () => makePipe('global/MEMORY.md')],
    ['a note is a pipe', () => makePipe('global/user_pipe.md')],
    ['a note is binary', () => writeFileSync(join(home, 'global', 'user_x.md'), Buffer.alloc(10_000, 0xff))],
    ['a note is a link to a device', () => symlinkSync('/dev/zero', join(home, 'global', 'user_zero.md'))],
    ['the index is garbage', () => writeFileSync(join(home, 'index.db'), 'no database at all'.repeat(300))],
    ['the index is a folder', () => mkdirSync(join(home, 'index.db'))],
    ['the index is a pipe', () => makePipe('index.db')],
    ['the journal is a file', () => writeFileSync(join(home, 'journal'), 'x')],
    ['the queue is a folder', () => mkdirSync(join(home, 'journal', 'queue.jsonl'), { recursive: true })],
    ['the log folder is a file', () => writeFileSync(join(home, 'logs'), 'x')],
    ['the tombstones are a folder', () => mkdirSync(join(home, 'tombstones.jsonl'))],
    ['the projects are a file', () => writeFileSync(join(home, 'projects'), 'x')],
  ])('%s', async (_, damage) => {
    damage()
    await expectSilentSuccess('SessionStart', start())
    await expectSilentSuccess('UserPromptSubmit', prompt(asks))
    await expectSilentSuccess('Stop', input({}))
  })

  function makePipe(name: string): void {
    execFileSync('mkfifo', [join(home, name)])
  }

  function replace(name: string, make: (path: string) => void): void {
    rmSync(join(home, name), { recursive: true, force: true })
    make(join(home, name))
  }

  it.each<[string, () => string, RunOptions]>([
    ['stdin that nobody closes', () => start(), { keepStdinOpen: true }],
    ['half of the input, never closed', () => start().slice(0, 40), { keepStdinOpen: true }],
    ['no input', () => '', {}],
    ['input that is no JSON', () => 'hello', {}],
    ['a very large input', () => input({ source: 'startup', prompt: 'words '.repeat(2_000_000) }), {}],
    ['a folder that is gone', () => start({ cwd: '/nowhere/at/all', prompt: asks }), {}],
    ['a folder with a null byte', () => start({ cwd: '/a\u0000b', prompt: asks }), {}],
    ['a transcript that is a folder', () => start({ transcript_path: tmpdir(), prompt: asks }), {}],
    ['a transcript that is not there', () => start({ transcript_path: '/nowhere/x.jsonl', prompt: asks }), {}],
    ['no home of the user', () => start({ prompt: asks }), { environment: { HOME: '' } }],
    [
      'a config in the environment that is wrong',
      () => start({ prompt: asks }),
      { environment: { KEEPSAKE_INJECT_START_BYTES: '-1' } },
    ],
  ])('%s', async (_, stdin, options) => {
    for (const event of ['SessionStart', 'UserPromptSubmit', 'Stop']) await expectSilentSuccess(event, stdin(), options)
  })

  it('a pipe for a transcript', async () => {
    const pipe = join(root, 'pipe.jsonl')
    execFileSync('mkfifo', [pipe])
    const stdin = start({ transcript_path: pipe, prompt: asks })
    for (const event of ['SessionStart', 'UserPromptSubmit', 'Stop']) await expectSilentSuccess(event, stdin)
  })

  it('an index that another process holds locked', async () => {
    const driver = findSqliteDriver()
    expect(driver).not.toBeNull()
    const database = driver!.open(join(home, 'index.db'))
    try {
      database.exec('CREATE TABLE x (y)')
      database.exec('BEGIN EXCLUSIVE')
      await expectSilentSuccess('UserPromptSubmit', prompt(asks))
    } finally {
      database.close()
    }
  })

  it('a reader that has gone away', async () => {
    const child = spawn(process.execPath, [bundle, '--home', home, 'claude-code', 'SessionStart'], {
      env: { HOME: root },
    })
    child.stdout.destroy()
    child.stdin.end(start())
    expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(0)
  })

  it('an agent that we do not know, and a name of the language', async () => {
    for (const name of ['other', 'constructor', '__proto__', '']) {
      const child = spawn(process.execPath, [bundle, '--home', home, name, 'SessionStart'], { env: { HOME: root } })
      child.stdin.end(start())
      expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(0)
    }
  })
})
