/**
 * Finds the git repository around a folder by reading files only: no git program, no environment (`GIT_DIR` and kin
 * are ignored), nothing written. Cheap enough for a hook.
 */
import { closeSync, existsSync, fstatSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { realPath } from './listing.ts'

export interface Repository {
  /** Real path of the git directory of this working tree (a linked worktree has its own). */
  readonly gitDirectory: string
  /** Real path of the directory that all worktrees share: the identity of the repository. */
  readonly commonDirectory: string
  /** Real path of the top of the working tree; of a bare repository, the repository itself. */
  readonly workingTree: string
}

export type RepositorySearch =
  | { readonly kind: 'found'; readonly repository: Repository }
  /** A `.git` file that points nowhere; `pointsTo` is what it names. */
  | { readonly kind: 'broken'; readonly directory: string; readonly pointsTo: string | null }
  | { readonly kind: 'none' }

/** A `.git` file is one short line. */
const MAX_POINTER_BYTES = 4_096
const MAX_ALTERNATES_DEPTH = 5

/** Looks from `directory` (a real path) upwards, as git does. */
export function findRepository(directory: string): RepositorySearch {
  for (let folder = directory; ; folder = dirname(folder)) {
    const found = repositoryAt(folder)
    if (found) return found
    if (dirname(folder) === folder) return { kind: 'none' }
  }
}

/** A shallow clone does not hold its root commit. */
export function isShallow(repository: { readonly commonDirectory: string }): boolean {
  return existsSync(join(repository.commonDirectory, 'shallow'))
}

/**
 * Whether the object store holds an object, by its full hex name: loose, in a pack, or borrowed from another
 * repository. Null when that cannot be told.
 */
export function hasObject(commonDirectory: string, name: string): boolean | null {
  if (!/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(name)) return null
  return storeHas(join(commonDirectory, 'objects'), name, 0)
}

/** Human name of a repository: the folder that people see. */
export function repositoryName(commonDirectory: string): string {
  const last = basename(commonDirectory)
  if (last === '.git' || last === '.bare') return basename(dirname(commonDirectory))
  return last.replace(/\.git$/, '') || last
}

function repositoryAt(folder: string): RepositorySearch | null {
  const dotGit = join(folder, '.git')
  const stat = statSync(dotGit, { throwIfNoEntry: false })
  if (stat?.isDirectory()) {
    const gitDirectory = realPath(dotGit)
    if (gitDirectory && isGitDirectory(gitDirectory)) return foundAt(gitDirectory, folder)
  } else if (stat?.isFile()) {
    const pointsTo = pointerIn(dotGit, folder)
    const gitDirectory = pointsTo === null ? null : realPath(pointsTo)
    if (gitDirectory && isGitDirectory(gitDirectory)) return foundAt(gitDirectory, folder)
    return { kind: 'broken', directory: folder, pointsTo }
  }
  if (!isGitDirectory(folder)) return null
  return foundAt(folder, basename(folder) === '.git' ? dirname(folder) : folder)
}

function foundAt(gitDirectory: string, workingTree: string): RepositorySearch {
  const common = readSmall(join(gitDirectory, 'commondir'))?.trim()
  const shared = common ? realPath(resolve(gitDirectory, common)) : null
  return { kind: 'found', repository: { gitDirectory, commonDirectory: shared ?? gitDirectory, workingTree } }
}

/** The same signs that git looks for; a linked worktree has its objects in the common directory. */
function isGitDirectory(directory: string): boolean {
  if (!existsSync(join(directory, 'HEAD'))) return false
  if (existsSync(join(directory, 'commondir'))) return true
  return isFolder(join(directory, 'objects')) && isFolder(join(directory, 'refs'))
}

function pointerIn(file: string, folder: string): string | null {
  const target = /^gitdir: (.+)/.exec(readSmall(file) ?? '')?.[1]?.trim()
  if (!target || target.includes('\0')) return null
  return isAbsolute(target) ? target : resolve(folder, target)
}

function storeHas(objects: string, name: string, depth: number): boolean | null {
  try {
    if (existsSync(join(objects, name.slice(0, 2), name.slice(2)))) return true
    const packs = join(objects, 'pack')
    const indexes = existsSync(packs) ? readdirSync(packs).filter((each) => each.endsWith('.idx')) : []
    const wanted = Buffer.from(name, 'hex')
    if (indexes.some((each) => packHas(join(packs, each), wanted))) return true
    if (depth >= MAX_ALTERNATES_DEPTH) return null
    const borrowed = alternatesOf(objects).map((each) => storeHas(each, name, depth + 1))
    return borrowed.includes(true) ? true : borrowed.includes(null) ? null : false
  } catch {
    // Unreadable or damaged: it cannot be told, and the caller trusts the path.
    return null
  }
}

function alternatesOf(objects: string): string[] {
  const file = join(objects, 'info', 'alternates')
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => resolve(objects, line))
}

/** Looks a name up in a pack index (version 1 or 2) by its table of 256 counts, without reading the whole file. */
function packHas(file: string, wanted: Buffer): boolean {
  const descriptor = openSync(file, 'r')
  try {
    const size = fstatSync(descriptor).size
    const head = readAt(descriptor, 0, 8)
    const isVersion2 = head.readUInt32BE(0) === 0xff744f63
    const tableAt = isVersion2 ? 8 : 0
    const counts = readAt(descriptor, tableAt, 1_024)
    const first = wanted[0] ?? 0
    const from = first === 0 ? 0 : counts.readUInt32BE((first - 1) * 4)
    const to = counts.readUInt32BE(first * 4)
    const entryBytes = wanted.length + (isVersion2 ? 0 : 4)
    const start = tableAt + 1_024 + from * entryBytes
    if (to <= from || start + (to - from) * entryBytes > size) return false
    const bucket = readAt(descriptor, start, (to - from) * entryBytes)
    for (let at = entryBytes - wanted.length; at < bucket.length; at += entryBytes)
      if (bucket.compare(wanted, 0, wanted.length, at, at + wanted.length) === 0) return true
    return false
  } finally {
    closeSync(descriptor)
  }
}

function readAt(descriptor: number, position: number, length: number): Buffer {
  const buffer = Buffer.alloc(length)
  if (readSync(descriptor, buffer, 0, length, position) !== length) throw new Error('pack index is cut off')
  return buffer
}

function readSmall(file: string): string | null {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (!stat?.isFile() || stat.size > MAX_POINTER_BYTES) return null
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // Not permitted: as good as not there, and the search goes on upwards.
    return null
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
