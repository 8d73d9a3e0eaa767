/**
 * One repository of the history: made and finished, its last commit, its objects. The branch is a file of 40 digits as
 * long as nobody packs it by hand, so the usual look costs no call of git.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { homeFiles } from '../../domain/index.ts'
import { fromFileSystemError, hasCode, MemoryError, messageOf, systemCode } from '../../errors.ts'
import { makeFolder } from '../../util/index.ts'
import { BRANCH, MODES_FILE, parseModes } from './git-history-format.ts'
import { runGit } from './git-history-process.ts'
import { readSeen } from './git-history-seen.ts'
import { DEFAULT_MODE, type RecordedFile } from './history-port.ts'

export const OBJECT_NAME = /^[0-9a-f]{40}$/

export interface Repository {
  readonly git: string
  readonly directory: string
}

/** Makes the repository, or finishes one that a kill left half made: the last file written is the sign. */
export async function prepare(repository: Repository): Promise<void> {
  const { git, directory } = repository
  const last = join(directory, 'info/exclude')
  if (existsSync(last)) return
  makeFolder(directory)
  await runGit(git, directory, ['init', '--quiet', '--bare', '--template=', '--shared=0600'])
  writeFileSync(join(directory, 'HEAD'), `ref: ${BRANCH}\n`, { mode: 0o600 })
  writeFileSync(join(directory, 'config'), OWN_CONFIG, { mode: 0o600 })
  makeFolder(join(directory, 'info'))
  writeFileSync(join(directory, 'info/attributes'), '* -text -filter -ident -working-tree-encoding\n', { mode: 0o600 })
  writeFileSync(last, OWN_EXCLUDES, { mode: 0o600 })
}

/** For people who use git on it by hand; our own calls say the same on the command line. */
const OWN_CONFIG = `[core]
\trepositoryformatversion = 0
\tbare = true
\tfileMode = true
\tsharedRepository = 0600
\tautocrlf = false
\tlogAllRefUpdates = false
[gc]
\tpackRefs = false
`
const OWN_EXCLUDES = `/team/\n/worktrees/\n/${homeFiles.index}\n/${homeFiles.summary}\n/${homeFiles.projectJson}\n.*\n`

export interface Recorded {
  readonly head: string | null
  readonly files: ReadonlyMap<string, RecordedFile>
}

export async function recorded(repository: Repository): Promise<Recorded> {
  const head = await headOf(repository)
  if (head === null) return { head, files: new Map() }
  const known = readSeen(repository.directory, head)
  if (known) return { head, files: known }
  const tree = (await call(repository, ['ls-tree', '-r', '-z', '--full-tree', head])).toString('utf8')
  const modes = await modesAt(repository, [head])
  const files = new Map<string, RecordedFile>()
  for (const entry of tree.split('\0')) {
    const match = /^\d{6} blob ([0-9a-f]+)\t([\s\S]+)$/.exec(entry)
    if (!match?.[1] || !match[2] || match[2] === MODES_FILE) continue
    files.set(match[2], { key: match[1], mode: modes[0]?.get(match[2]) ?? DEFAULT_MODE, seen: null })
  }
  return { head, files }
}

export async function headOf(repository: Repository): Promise<string | null> {
  const text = readText(join(repository.directory, BRANCH))?.trim()
  if (text !== undefined && OBJECT_NAME.test(text)) return text
  // Packed by hand, or not begun: only git knows.
  const output = await call(repository, ['for-each-ref', '--format=%(objectname)', BRANCH])
  return output.toString('utf8').trim() || null
}

/** Exit code of a git that ran and gave up. */
const GIT_FATAL = 128
/** What git says of a machine that is short of something, or of a missing right: nothing is damaged by that. */
const PASSING =
  /permission denied|too many open|cannot allocate|out of memory|temporarily unavailable|no space|read-only/i

/** A branch that is there, and git itself says that it cannot be read. A git that is slow or broken says nothing. */
export async function isDamaged(repository: Repository): Promise<boolean> {
  try {
    const text = readText(join(repository.directory, BRANCH))
    if (text === null) return false
    await call(repository, ['ls-tree', '-r', '--name-only', text.trim() || BRANCH])
    return false
  } catch (error) {
    if (!hasCode(error, 'HISTORY_FAILED')) throw error
    return error.data.exit === GIT_FATAL && !PASSING.test(messageOf(error.cause))
  }
}

export async function modesAt(repository: Repository, commits: readonly string[]): Promise<Map<string, number>[]> {
  const found = await readObjects(
    repository,
    commits.map((commit) => `${commit}:${MODES_FILE}`),
  )
  return found.map((bytes) => parseModes(bytes === null ? '' : Buffer.from(bytes).toString('utf8')))
}

/** Bytes by object name, in order; null for what is not there. */
export async function readObjects(repository: Repository, names: readonly string[]): Promise<(Uint8Array | null)[]> {
  if (names.length === 0) return []
  const output = await call(repository, ['cat-file', '--batch'], { input: `${names.join('\n')}\n` })
  const found: (Uint8Array | null)[] = []
  for (let at = 0; found.length < names.length; ) {
    const end = output.indexOf(0x0a, at)
    if (end < 0) throw failed('cat-file ended early')
    const size = /^[0-9a-f]{40} \w+ (\d+)$/.exec(output.toString('utf8', at, end))?.[1]
    if (size === undefined) found.push(null)
    else found.push(new Uint8Array(output.subarray(end + 1, end + 1 + Number(size))))
    at = end + 1 + (size === undefined ? 0 : Number(size) + 1)
  }
  return found
}

export function call(
  { git, directory }: Repository,
  argumentList: readonly string[],
  more: { readonly input?: string | Uint8Array; readonly timeoutMs?: number } = {},
): Promise<Buffer> {
  return runGit(git, directory, argumentList, more)
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null
    throw fromFileSystemError(error, path)
  }
}

export function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    // It went, or cannot be read: then there is nothing to tidy up.
    return []
  }
}

export function failed(what: string): MemoryError {
  return new MemoryError('HISTORY_FAILED', `git could not do it: ${what}`)
}
