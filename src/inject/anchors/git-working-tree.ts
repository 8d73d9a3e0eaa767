/** The working tree on disk: plain looks at files, and the git program where there is a repository around the folder. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, statSync } from 'node:fs'
import { safePath } from '../../guard/index.ts'
import { findGit } from '../../store/notes/git-history-process.ts'
import { findRepository, hasObject, isShallow, type Repository } from '../../store/notes/git-repository.ts'
import { realPath } from '../../store/notes/listing.ts'
import { askGit } from './git-child.ts'
import { hasLooseRef } from './git-refs.ts'
import { type BatchObject, parseBatch, parseGrep, parseMoves } from './parse-git.ts'
import {
  type CommitState,
  type Entry,
  type Found,
  MAX_FILE_BYTES,
  MAX_LISTED_FILES,
  type Past,
  type PastEntry,
  type WorkingTree,
} from './working-tree.ts'

export interface GitWorkingTreeOptions {
  /** Where the git program is looked for, as in PATH. */
  readonly searchPath?: string
}

interface Place {
  readonly git: string
  readonly repository: Repository
  readonly folder: string
}

/** More pairs than this are not compared word by word; equal ones are still found. */
const MAX_COMPARED_RENAMES = 400
const MAX_GREP_BYTES = 4_194_304
const MAX_LOG_BYTES = 4_194_304
const MAX_HOPS = 4
/** Paths of which each deletion is looked for on its own. */
const MAX_FOLLOWED = 10

/** Null when there is no such folder. */
export function openWorkingTree(folder: string, options: GitWorkingTreeOptions = {}): WorkingTree | null {
  const root = realPath(folder)
  if (root === null || !statSync(root, { throwIfNoEntry: false })?.isDirectory()) return null
  const search = findRepository(root)
  const git = search.kind === 'found' ? findGit(options.searchPath) : null
  const repository = search.kind === 'found' ? search.repository : null
  const place = git === null || repository === null ? null : { git, repository, folder: root }
  return {
    root,
    hasHistory: place !== null,
    entryAt: (path) => entryAt(root, path),
    changedMsAt: (path) => changedMsAt(root, path),
    read: (path) => readText(root, path),
    pastAt: async (timeMs, paths, signal) => place && pastAt(place, timeMs, paths, signal),
    movedSince: async (commit, paths, signal) => place && movedSince(place, commit, paths, signal),
    changesSince: async (commit, paths, signal) => place && changesSince(place, commit, paths, signal),
    listFiles: async (commit, signal) => place && listFiles(place, commit, signal),
    findWords: async (words, commit, signal) => place && findWords(place, words, commit, signal),
    hasRef: (kind, name) => (repository === null ? null : hasLooseRef(repository.commonDirectory, kind, name)),
    stateOfCommit: async (hex, signal) => (place === null ? 'unknown' : stateOfCommit(place, hex, signal)),
  }
}

function guarded(root: string, path: string): string | null {
  try {
    return safePath(root, path)
  } catch {
    // Whatever is wrong with it, it is no path that may be looked at.
    return null
  }
}

function entryAt(root: string, path: string): Entry {
  const full = guarded(root, path)
  if (full === null) return 'refused'
  try {
    const stat = statSync(full, { throwIfNoEntry: false })
    if (stat === undefined) return 'absent'
    return stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : 'refused'
  } catch (error) {
    // A file where a folder should be: nothing lies below it.
    return error instanceof Error && 'code' in error && error.code === 'ENOTDIR' ? 'absent' : 'refused'
  }
}

function changedMsAt(root: string, path: string): number | null {
  const full = guarded(root, path)
  try {
    return full === null ? null : Math.max(lstatSync(full).mtimeMs, statSync(full).mtimeMs)
  } catch {
    // Gone meanwhile.
    return null
  }
}

function readText(root: string, path: string): string | null {
  const full = guarded(root, path)
  if (full === null) return null
  try {
    // Non-blocking, so that a named pipe cannot hold us up.
    const descriptor = openSync(full, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const stat = fstatSync(descriptor)
      if (!stat.isFile() || stat.size > MAX_FILE_BYTES) return null
      const bytes = Buffer.allocUnsafe(stat.size)
      return textOf(bytes.subarray(0, readSync(descriptor, bytes, 0, stat.size, 0)))
    } finally {
      closeSync(descriptor)
    }
  } catch {
    // Not there or not permitted: no text can be had.
    return null
  }
}

/** Null for what is no text. */
function textOf(bytes: Buffer): string | null {
  return bytes.subarray(0, 8_000).includes(0) ? null : bytes.toString('utf8')
}

const isHex = (name: string) => /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(name)
const isAskable = (path: string) => path !== '' && !/[\n\r\0]/.test(path)

async function pastAt(
  place: Place,
  timeMs: number | null,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Past | null> {
  const before = timeMs === null ? [] : [`--min-age=${Math.floor(timeMs / 1_000)}`]
  const newest = askGit(['rev-list', '-1', ...before, 'HEAD', '--'], { ...place, signal })
  const commitOf = newest.then(({ output }) => output.toString('utf8').trim()).then((name) => (isHex(name) ? name : ''))
  const wanted = paths.filter(isAskable)
  // Both programs start at once: starting costs more than what they do.
  const input = commitOf.then((commit) => (commit === '' ? '' : wanted.map((path) => `${commit}:./${path}\n`).join('')))
  const texts = wanted.length === 0 ? null : askGit(['cat-file', '--batch'], { ...place, signal, input })
  const commit = await commitOf
  if (commit === '') return null
  const answer = await texts
  if (answer !== null && !answer.isWhole) return null
  const objects = answer === null ? [] : parseBatch(answer.output, wanted.length)
  return { commit, entries: new Map(wanted.map((path, at) => [path, entryOf(objects[at] ?? null)])) }
}

function entryOf(object: BatchObject | null): PastEntry | null {
  if (object === null || (object.type !== 'blob' && object.type !== 'tree')) return null
  if (object.type === 'tree') return { kind: 'folder' }
  return { kind: 'file', text: object.bytes.length > MAX_FILE_BYTES ? null : textOf(object.bytes) }
}

async function movedSince(
  place: Place,
  commit: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string | null> | null> {
  if (!isHex(commit)) return null
  const found = new Map<string, string | null>(paths.map((path) => [path, null]))
  const whole = await movesBetween(place, [commit, 'HEAD'], signal)
  if (whole === null) return null
  for (const path of paths) found.set(path, newPlaceOf(path, whole))
  const staged = [...found.values()].includes(null) ? await stagedMoves(place, signal) : null
  const lost = paths.filter((path) => found.get(path) === null)
  for (const path of lost) found.set(path, staged && newPlaceOf(path, staged))
  for (const path of lost.filter((each) => found.get(each) === null).slice(0, MAX_FOLLOWED))
    found.set(path, await followDeletions(place, path, signal))
  return found
}

type Moves = ReadonlyMap<string, string>

const renames = ['-r', '-z', '-M50%', `-l${MAX_COMPARED_RENAMES}`, '--diff-filter=R', '--name-status', '--relative']

async function movesBetween(place: Place, commits: readonly string[], signal: AbortSignal): Promise<Moves | null> {
  const answer = await askGit(['diff-tree', '--no-commit-id', ...renames, ...commits, '--'], { ...place, signal })
  return answer.isWhole ? parseMoves(answer.output.toString('utf8')) : null
}

/** Moved, and not in a commit yet. */
async function stagedMoves(place: Place, signal: AbortSignal): Promise<Moves | null> {
  const answer = await askGit(['diff-index', '--cached', ...renames, 'HEAD', '--'], { ...place, signal })
  return answer.isWhole ? parseMoves(answer.output.toString('utf8')) : null
}

/** Step by step: a file that changed much between two moves looks like nothing of today when only the ends are compared. */
async function followDeletions(place: Place, path: string, signal: AbortSignal): Promise<string | null> {
  let current = path
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    if (entryAt(place.folder, current) !== 'absent') return current === path ? null : current
    const log = ['log', '-1', '--no-renames', '--diff-filter=D', '--format=%H', 'HEAD', '--', current]
    const name = (await askGit(log, { ...place, signal })).output.toString('utf8').trim()
    const moves = isHex(name) ? await movesBetween(place, [`${name}^`, name], signal) : null
    const next = moves === null ? null : newPlaceOf(current, moves)
    if (next === null) return null
    current = next
  }
  return null
}

/** A folder has gone where most of its files went. */
function newPlaceOf(path: string, moves: Moves): string | null {
  const direct = moves.get(path)
  if (direct !== undefined) return direct
  const below = `${path}/`
  const counts = new Map<string, number>()
  for (const [from, to] of moves) {
    const rest = from.startsWith(below) ? from.slice(path.length) : null
    if (rest === null || !to.endsWith(rest)) continue
    const folder = to.slice(0, -rest.length)
    if (folder !== '') counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts].sort((one, other) => other[1] - one[1])[0]?.[0] ?? null
}

async function changesSince(place: Place, commit: string, paths: readonly string[], signal: AbortSignal) {
  const wanted = paths.filter(isAskable)
  if (!isHex(commit) || wanted.length === 0) return null
  const log = [
    'log',
    '--no-renames',
    '--format=',
    '--name-only',
    '-z',
    '--relative',
    `${commit}..HEAD`,
    '--',
    ...wanted,
  ]
  const answer = await askGit(log, { ...place, signal, maxOutputBytes: MAX_LOG_BYTES })
  if (!answer.isWhole) return null
  const counts = new Map(wanted.map((path) => [path, 0]))
  for (const path of answer.output.toString('utf8').split(/[\0\n]/)) {
    const count = counts.get(path)
    if (count !== undefined) counts.set(path, count + 1)
  }
  return counts
}

async function listFiles(place: Place, commit: string | null, signal: AbortSignal): Promise<readonly string[] | null> {
  if (commit !== null && !isHex(commit)) return null
  const list = commit === null ? ['ls-files', '-z', '--cached'] : ['ls-tree', '-r', '-z', '--name-only', commit]
  const answer = await askGit(list, { ...place, signal })
  if (!answer.isWhole) return null
  const paths = answer.output.toString('utf8').split('\0').filter(Boolean)
  return paths.length > MAX_LISTED_FILES ? null : paths
}

async function findWords(
  place: Place,
  words: readonly string[],
  commit: string | null,
  signal: AbortSignal,
): Promise<Found | null> {
  if (words.length === 0 || (commit !== null && !isHex(commit))) return null
  const patterns = words.flatMap((word) => ['-e', word])
  const at = commit === null ? [] : [commit]
  const grep = ['grep', '-z', '-I', '-F', '-w', '--no-color', '--no-recurse-submodules', ...patterns, ...at, '--']
  const answer = await askGit(grep, { ...place, signal, maxOutputBytes: MAX_GREP_BYTES })
  // 1: nothing found.
  const isComplete = answer.isWhole || answer.exit === 1
  if (!isComplete && answer.output.length === 0) return null
  return { lines: parseGrep(answer.output.toString('utf8'), commit), isComplete }
}

async function stateOfCommit(place: Place, hex: string, signal: AbortSignal): Promise<CommitState> {
  if (!/^[0-9a-f]{7,64}$/.test(hex)) return 'unknown'
  const parsed = await askGit(['rev-parse', '--verify', '--quiet', '--end-of-options', `${hex}^{commit}`], {
    ...place,
    signal,
  })
  const name = parsed.output.toString('utf8').trim()
  if (parsed.exit === null) return 'unknown'
  if (!isHex(name)) return isShallow(place.repository) ? 'unknown' : 'gone'
  if (hasObject(place.repository.commonDirectory, name) === false) return 'unknown'
  const isIncluded = await askGit(['merge-base', '--is-ancestor', name, 'HEAD'], { ...place, signal })
  if (isIncluded.exit === 0) return 'there'
  if (isIncluded.exit === null) return 'unknown'
  const holders = await askGit(['for-each-ref', '--count=1', '--format=x', '--contains', name], { ...place, signal })
  if (!holders.isWhole) return 'unknown'
  return holders.output.length > 0 ? 'elsewhere' : 'dropped'
}
