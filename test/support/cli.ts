/** Runs the built command line as a person would: a process, a home of its own, nothing inherited. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

export const distribution = resolve(import.meta.dirname, '../../dist')

export interface CliRun {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** Parsed standard output; throws when it is not JSON. */
  json<T = unknown>(): T
}

export interface RunOptions {
  readonly cwd: string
  readonly home: string
  readonly input?: string
  readonly environment?: Record<string, string>
  readonly executable?: readonly string[]
}

/** A clean environment: no KEEPSAKE_ variable of the developer, HOME is a folder of the test. */
export function cleanEnvironment(home: string, more: Record<string, string> = {}): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    HOME: join(home, '..'),
    KEEPSAKE_HOME: home,
    ...more,
  }
}

export function runProcess(command: readonly string[], options: RunOptions): Promise<CliRun> {
  const [executable = '', ...rest] = command
  const child = spawn(executable, rest, {
    cwd: options.cwd,
    env: cleanEnvironment(options.home, options.environment),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  // A command that ends without reading its input closes the pipe first; that is its right.
  child.stdin.on('error', () => undefined)
  child.stdin.end(options.input ?? '')
  return new Promise((done, failed) => {
    child.on('error', failed)
    child.on('close', (code) => done({ code, stdout, stderr, json: <T>() => JSON.parse(stdout) as T }))
  })
}

export function runCli(parameters: readonly string[], options: RunOptions): Promise<CliRun> {
  return runProcess([process.execPath, join(distribution, 'cli.js'), ...parameters], options)
}

export interface Workshop {
  readonly root: string
  readonly home: string
  readonly project: string
  cli(parameters: readonly string[], options?: Partial<RunOptions>): Promise<CliRun>
  hook(event: string, input: object, options?: Partial<RunOptions>): Promise<CliRun>
  remove(): void
}

/** A temporary user home with an empty Keepsake home and one project folder (a git repository shape, no git needed). */
export function createWorkshop(name = 'tidewater'): Workshop {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'keepsake-test-')))
  const home = join(root, '.keepsake')
  const project = join(root, 'code', name)
  makeRepository(project)
  // Hooks would start a background worker that outlives the test; scenarios that want it switch it on.
  mkdirSync(home, { mode: 0o700 })
  writeFileSync(join(home, 'config.json'), '{"worker": false}\n', { mode: 0o600 })
  const options = { cwd: project, home }
  return {
    root,
    home,
    project,
    cli: (parameters, more = {}) => runCli(parameters, { ...options, ...more }),
    hook: (event, input, more = {}) =>
      runProcess([process.execPath, join(distribution, 'hook.js'), 'claude-code', event], {
        ...options,
        input: JSON.stringify({ hook_event_name: event, cwd: options.cwd, ...input }),
        ...more,
      }),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

/** The files that make a folder a git repository to anyone who looks, without needing git. */
export function makeRepository(folder: string): void {
  for (const each of ['.git/objects', '.git/refs/heads']) mkdirSync(join(folder, each), { recursive: true })
  writeFileSync(join(folder, '.git/HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(join(folder, '.git/config'), '[core]\n\trepositoryformatversion = 0\n\tbare = false\n')
}
