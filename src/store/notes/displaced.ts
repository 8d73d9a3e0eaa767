/**
 * Displaced files (README, step 2): before a file is replaced it gets a second name beside it, so that what an editor or
 * `>>` still writes to the old inode can be carried over. Everything that must be known after a crash is in that name:
 * whose file, since when, how much of it is accounted for (size and digest), and whether a carry is under way.
 *
 * Must stay true: a carry is done if and only if the temp file that the pending name tells of is gone. So the pending
 * name is set before the rename, and taken back before the temp file is removed.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, lstatSync, readdirSync, renameSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fromFileSystemError, systemCode } from '../../errors.ts'
import { sha256 } from '../../util/index.ts'
import { isLinkRefusal, removeQuietly, TEMP_PREFIX } from './atomic-write.ts'
import type { DiskFile } from './disk-file.ts'

const PREFIX = '.keepsake-displaced-'
const PATTERN =
  /^\.keepsake-displaced-([0-9a-f]{12})-(\d+)-(\d+)-([0-9a-f]{16})-([0-9a-f]{8})(?:-pending-(\d+)-([0-9a-f]{16})-([0-9a-f]{16}))?$/

/** The part of a displaced file that is in its successor already. */
export interface Accounted {
  readonly size: number
  /** First 16 hex digits of the SHA-256 of that part. */
  readonly digest: string
}

export interface Displaced {
  readonly path: string
  /** Digest of the name of the file that was displaced. */
  readonly owner: string
  readonly displacedAt: number
  readonly accounted: Accounted
  readonly token: string
  /** A carry that was begun: what will be accounted for, and the temp file whose rename completes it. */
  readonly pending: (Accounted & { readonly temp: string }) | null
}

/** Links the file to a displaced name. Null where links are refused, or when another file is at the path by now. */
export function keepDisplaced(file: DiskFile, nowMs: number): Displaced | null {
  if (file.links > 1) dropNamesOf(dirname(file.path), file.inode)
  const displaced: Displaced = {
    path: '',
    owner: ownerDigest(file.path),
    displacedAt: nowMs,
    accounted: { size: file.size, digest: file.hash.slice(0, 16) },
    token: randomBytes(4).toString('hex'),
    pending: null,
  }
  const path = pathOf(dirname(file.path), displaced)
  try {
    linkSync(file.path, path)
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || isLinkRefusal(error)) return null
    throw fromFileSystemError(error, path)
  }
  if (inodeOf(path) === file.inode) return { ...displaced, path }
  removeQuietly(path)
  return null
}

/** All displaced files in a folder, oldest first, with interrupted carries decided. */
export function displacedIn(directory: string): Displaced[] {
  let names: string[]
  try {
    names = readdirSync(directory)
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return []
    throw fromFileSystemError(error, directory)
  }
  return names
    .flatMap((name) => parseName(directory, name) ?? [])
    .map(decidePending)
    .sort((left, right) => left.displacedAt - right.displacedAt || (left.path < right.path ? -1 : 1))
}

/** The files among `names` that a displaced file once was; null when it is gone or has another name now. */
export function ownerAmong(displaced: Displaced, names: readonly string[]): string | null {
  return names.find((name) => ownerDigest(name) === displaced.owner) ?? null
}

export function belongsTo(displaced: Displaced, path: string): boolean {
  return displaced.owner === ownerDigest(path)
}

/** True when nothing was displaced: the process died before the rename, or the carry went back. */
export function isStillInPlace(displaced: Displaced, path: string): boolean {
  return inodeOf(displaced.path) === inodeOf(path)
}

/** Says that the rename of `temp` will account for more. */
export function setPending(displaced: Displaced, next: Accounted, temp: string): Displaced {
  return moveTo(displaced, { ...displaced, pending: { ...next, temp: basename(temp).slice(TEMP_PREFIX.length) } })
}

/** Takes `setPending` back. Before the temp file goes. */
export function clearPending(displaced: Displaced): Displaced {
  return moveTo(displaced, { ...displaced, pending: null })
}

/** Records a carry that is done. */
export function settlePending(displaced: Displaced): Displaced {
  if (!displaced.pending) return displaced
  const { size, digest } = displaced.pending
  return moveTo(displaced, { ...displaced, accounted: { size, digest }, pending: null })
}

export function accountedOf(bytes: Uint8Array): Accounted {
  return { size: bytes.length, digest: sha256(bytes).slice(0, 16) }
}

function decidePending(displaced: Displaced): Displaced {
  if (!displaced.pending) return displaced
  const temp = join(dirname(displaced.path), `${TEMP_PREFIX}${displaced.pending.temp}`)
  return existsSync(temp) ? clearPending(displaced) : settlePending(displaced)
}

/** Names that a dead process gave to the file that is still in place must not count as displaced later. */
function dropNamesOf(directory: string, inode: number): void {
  for (const name of readdirSync(directory)) {
    if (name.startsWith(PREFIX) && inodeOf(join(directory, name)) === inode) removeQuietly(join(directory, name))
  }
}

function moveTo(from: Displaced, to: Displaced): Displaced {
  const path = pathOf(dirname(from.path), to)
  try {
    renameSync(from.path, path)
  } catch (error) {
    throw fromFileSystemError(error, path)
  }
  return { ...to, path }
}

function pathOf(directory: string, displaced: Omit<Displaced, 'path'>): string {
  const { owner, displacedAt, accounted, token, pending } = displaced
  const name = `${PREFIX}${owner}-${displacedAt}-${accounted.size}-${accounted.digest}-${token}`
  return join(directory, pending ? `${name}-pending-${pending.size}-${pending.digest}-${pending.temp}` : name)
}

function parseName(directory: string, name: string): Displaced | null {
  const match = PATTERN.exec(name)
  if (!match) return null
  const [, owner = '', time, size, digest = '', token = '', nextSize, nextDigest, temp] = match
  return {
    path: join(directory, name),
    owner,
    displacedAt: Number(time),
    accounted: { size: Number(size), digest },
    token,
    pending: nextDigest && temp ? { size: Number(nextSize), digest: nextDigest, temp } : null,
  }
}

function ownerDigest(path: string): string {
  return sha256(basename(path)).slice(0, 12)
}

function inodeOf(path: string): number | null {
  return lstatSync(path, { throwIfNoEntry: false })?.ino ?? null
}
