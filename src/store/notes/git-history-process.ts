/**
 * The git program for history: found once by an absolute path, fixed arguments, a clean environment. No configuration of
 * the user or the system, no hook, filter, signature, prompt, pager or network takes part; the bytes are those given.
 */
import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { MemoryError } from '../../errors.ts'

export interface GitRun {
  readonly input?: string | Uint8Array
  readonly timeoutMs?: number
}

const isWindows = process.platform === 'win32'
const NOWHERE = isWindows ? 'NUL' : '/dev/null'
/** Where git is looked for when no search path is given. */
export const DEFAULT_GIT_SEARCH_PATH =
  '/usr/local/bin:/opt/homebrew/bin:/run/current-system/sw/bin:/usr/bin:/bin:/usr/sbin'
/** Longer than any commit takes, shorter than a person waits for the lock of a layer. */
const TIME_OUT_MS = 10_000
const MAX_OUTPUT_BYTES = 536_870_912

/** Absolute path of the git program, or null. Relative entries of the search path are passed over. */
export function findGit(searchPath: string = DEFAULT_GIT_SEARCH_PATH): string | null {
  const names = isWindows ? ['git.exe'] : ['git']
  const folders = searchPath.split(delimiter).filter((folder) => isAbsolute(folder))
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isProgram) ?? null
}

/** For every git that we start: nothing of the user or the system takes part, and the words of paths are no patterns. */
export function gitEnvironment() {
  return {
    PATH: DEFAULT_GIT_SEARCH_PATH,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: NOWHERE,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_DEFAULT_HASH: 'sha1',
  }
}

/** Runs git on one repository. Throws HISTORY_FAILED with the first line that git said. */
export function runGit(
  git: string,
  repository: string,
  argumentList: readonly string[],
  { input, timeoutMs = TIME_OUT_MS }: GitRun = {},
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      git,
      ['--no-pager', `--git-dir=${repository}`, ...settings, ...argumentList],
      { env: gitEnvironment(), timeout: timeoutMs, maxBuffer: MAX_OUTPUT_BYTES, encoding: 'buffer', windowsHide: true },
      (error, output, complaints) => {
        if (!error) return resolve(output)
        const said = complaints.toString('utf8').trim().split('\n')[0] || error.message
        reject(
          new MemoryError('HISTORY_FAILED', `git could not do it: ${said}`, {
            data: { repository, exit: typeof error.code === 'number' ? error.code : null },
            cause: error,
          }),
        )
      },
    )
    // A program that ends before it read everything closes the pipe; its exit says why.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input ?? '')
  })
}

/** Also where the repository's own configuration was edited. Names that only other systems mind are let through. */
const settings = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.autocrlf=false',
  'core.fileMode=true',
  'core.protectNTFS=false',
  'core.protectHFS=false',
  'core.quotePath=false',
  'commit.gpgSign=false',
  'log.showSignature=false',
  'log.mailmap=false',
  'gc.packRefs=false',
  'gc.autoDetach=false',
].flatMap((each) => ['-c', each])

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    // Not here or not executable: the next folder is asked.
    return false
  }
}
