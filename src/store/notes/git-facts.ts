/**
 * What only the git program can say: root commits and remotes. Run by commands and the worker, never by a hook. Fixed
 * arguments, a clean environment (no GIT_*, no user or system configuration, no prompt, no network), two seconds.
 */
import { execFile } from 'node:child_process'
import { isShallow, type Repository } from './git-repository.ts'
import { realPath } from './listing.ts'
import { normaliseRemote } from './remote-address.ts'

export interface GitFacts {
  /** Hex names, oldest commit first; empty when unknown (no commits, shallow clone, no git, too slow). */
  readonly rootCommits: readonly string[]
  /** Normalised address of `origin`, else of the only remote, else null. */
  readonly remote: string | null
}

export interface GitOptions {
  /** Where the git program is looked for, as in PATH. */
  readonly searchPath?: string
}

const DEFAULT_SEARCH_PATH = '/usr/local/bin:/opt/homebrew/bin:/run/current-system/sw/bin:/usr/bin:/bin'
const TIME_OUT_MS = 2_000
const MAX_OUTPUT_BYTES = 4_194_304

/** Never throws: what cannot be found out is unknown. */
export async function readGitFacts(repository: Repository, options: GitOptions = {}): Promise<GitFacts> {
  const run = (argumentList: readonly string[]) => runGit(repository, argumentList, options)
  const [roots, remotes] = await Promise.all([
    isShallow(repository) ? null : run(['rev-list', '--max-parents=0', '--timestamp', '--all']),
    run(['config', '--local', '--no-includes', '-z', '--get-regexp', '^remote\\..*\\.url$']),
  ])
  return { rootCommits: parseRoots(roots ?? ''), remote: parseRemotes(remotes ?? '', repository.workingTree) }
}

function runGit(repository: Repository, argumentList: readonly string[], options: GitOptions): Promise<string | null> {
  const env = {
    PATH: options.searchPath ?? DEFAULT_SEARCH_PATH,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: process.platform === 'win32' ? 'NUL' : '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
  }
  const fixed = ['--no-pager', '--git-dir', repository.gitDirectory, '-c', 'core.fsmonitor=false']
  return new Promise((resolve) => {
    execFile(
      'git',
      [...fixed, '-c', 'core.hooksPath=/dev/null', ...argumentList],
      { env, cwd: repository.commonDirectory, timeout: TIME_OUT_MS, maxBuffer: MAX_OUTPUT_BYTES, encoding: 'utf8' },
      // No git, no commits, no remotes or too slow: each means "unknown".
      (error, output) => resolve(error ? null : output),
    )
  })
}

/** Lines `<seconds> <hex>`; oldest first, equal times by name, so that every clone finds the same one. */
function parseRoots(output: string): string[] {
  return output
    .split('\n')
    .flatMap((line) => {
      const match = /^(\d+) ([0-9a-f]{40,64})$/.exec(line)
      return match?.[2] ? [{ seconds: Number(match[1]), name: match[2] }] : []
    })
    .sort((left, right) => left.seconds - right.seconds || (left.name < right.name ? -1 : 1))
    .map((each) => each.name)
}

/** Records `remote.<name>.url\n<address>\0`. */
function parseRemotes(output: string, base: string): string | null {
  const addresses = new Map<string, string>()
  for (const record of output.split('\0')) {
    const [key = '', address = ''] = record.split('\n')
    const name = /^remote\.(.*)\.url$/i.exec(key)?.[1]
    if (name !== undefined && !addresses.has(name)) addresses.set(name, address)
  }
  const chosen = addresses.get('origin') ?? (addresses.size === 1 ? [...addresses.values()][0] : undefined)
  const remote = chosen === undefined ? null : normaliseRemote(chosen, base)
  return remote?.startsWith('/')
    ? (realPath(remote) ?? realPath(`${remote}.git`)?.replace(/\.git$/, '') ?? remote)
    : remote
}
