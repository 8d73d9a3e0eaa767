/** A place with repositories, a home and our own command line, for conversations with real clients. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { FakeRequest } from '../support/fake-model.ts'

const cli = join(import.meta.dirname, '..', '..', 'dist', 'cli.js')

export interface AgentWorkshop {
  readonly root: string
  /** HOME of the clients and of our command line. */
  readonly home: string
  repository(name: string): string
  keepsake(cwd: string, ...given: string[]): string
  /** Exit code and output, whatever they are, with some variables of another value. */
  tryKeepsake(
    cwd: string,
    given: readonly string[],
    other: Readonly<Record<string, string>>,
  ): { readonly status: number | null; readonly stdout: string }
  close(): void
}

export function createWorkshop(): AgentWorkshop {
  const root = mkdtempSync(join(tmpdir(), 'keepsake-agents-'))
  const home = join(root, 'home')
  mkdirSync(home)
  const run = (cwd: string, given: readonly string[], other: Readonly<Record<string, string>> = {}) =>
    spawnSync(process.execPath, [cli, ...given], {
      cwd,
      env: { PATH: process.env.PATH, HOME: home, CLAUDE_CONFIG_DIR: join(home, '.claude'), ...other },
      encoding: 'utf8',
    })
  return {
    root,
    home,
    repository(name) {
      const folder = join(root, name)
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'README.md'), `# ${name}\n`)
      const git = (...given: string[]) =>
        execFileSync('git', ['-C', folder, '-c', 'user.name=Dev', '-c', 'user.email=dev@example.com', ...given])
      git('init', '-q', '-b', 'main')
      git('add', '.')
      git('commit', '-qm', `Start of ${name}`)
      return folder
    },
    keepsake(cwd, ...given) {
      const done = run(cwd, given)
      expect(done.status, `${given.join(' ')}: ${done.stdout}${done.stderr}`).toBe(0)
      return done.stdout
    },
    tryKeepsake: run,
    close: () => rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 }),
  }
}

export function startBlocksIn({ everything }: FakeRequest): number {
  return everything.split('<keepsake-memory kind="start"').length - 1
}

export function turnBlocksIn({ everything }: FakeRequest): number {
  return everything.split('<keepsake-memory kind="turn"').length - 1
}
