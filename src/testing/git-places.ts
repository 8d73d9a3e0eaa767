/** Real git repositories in a temporary folder, for tests of identity. Nothing of the machine's git settings counts. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface GitPlaces {
  /** Real path of the temporary folder. */
  readonly root: string
  /** Runs git in a folder below the root; gives its output. */
  git(folder: string, ...argumentList: readonly string[]): string
  /** A repository with one commit. `words` makes its first commit its own. */
  repository(folder: string, words?: string): string
  folder(path: string): string
  dispose(): void
}

export function createGitPlaces(): GitPlaces {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'keepsake-git-')))
  const person = { NAME: 'Ana', EMAIL: 'ana@example.org', DATE: '2026-03-01T10:00:00Z' }
  const env: Record<string, string> = { PATH: '/usr/local/bin:/opt/homebrew/bin:/usr/bin:/bin', LC_ALL: 'C' }
  for (const [key, value] of Object.entries(person)) {
    env[`GIT_AUTHOR_${key}`] = value
    env[`GIT_COMMITTER_${key}`] = value
  }
  Object.assign(env, { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' })
  const git = (folder: string, ...argumentList: readonly string[]) =>
    execFileSync('git', ['-c', 'protocol.file.allow=always', '-c', 'init.defaultBranch=main', ...argumentList], {
      cwd: join(root, folder),
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  const folder = (path: string) => {
    mkdirSync(join(root, path), { recursive: true })
    return join(root, path)
  }
  return {
    root,
    git,
    folder,
    repository(path, words = path) {
      folder(path)
      git(path, 'init', '--quiet')
      writeFileSync(join(root, path, 'README'), words)
      git(path, 'add', 'README')
      git(path, 'commit', '--quiet', '--message', 'first')
      return join(root, path)
    },
    dispose: () => rmSync(root, { recursive: true, force: true }),
  }
}
