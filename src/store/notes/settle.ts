/**
 * The look-back at displaced files (README, step 4), under the layer's lock: carries what was appended, keeps what cannot
 * be carried under `conflicts/`, lets go of what is older than 60 s, and removes temp files of writers that died.
 */
import { type Dirent, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fromFileSystemError, systemCode } from '../../errors.ts'
import { cutBytes } from '../../util/index.ts'
import { removeQuietly, TEMP_PREFIX, writeWholeFile } from './atomic-write.ts'
import { readDiskFile } from './disk-file.ts'
import { type Displaced, displacedIn, isStillInPlace, ownerAmong } from './displaced.ts'
import { isInside, realPath } from './listing.ts'
import { judgeFolderName } from './listing-rules.ts'
import { type CarryState, carryTail, type ReplaceContext } from './replace-file.ts'

/** How long a program may keep a replaced file open and still have its words carried over. */
export const SETTLE_AFTER_MS = 60_000
/** Of a file name, in the name of a conflict. */
const MAX_NAME_BYTES = 120

export interface SettleContext extends ReplaceContext {
  /** Folder for what cannot be carried. */
  readonly conflicts: string
}

export interface Settled {
  readonly settled: number
  readonly waiting: number
  /** Paths of the conflict files made now. */
  readonly conflicts: readonly string[]
}

/**
 * Settles the folder of a layer, its sub-folders, and the targets of its linked notes where those lie. Link roots are
 * real paths.
 */
export async function settleLayer(
  directory: string,
  linkRoots: readonly string[],
  context: SettleContext,
): Promise<Settled> {
  const total = { settled: 0, waiting: 0, conflicts: [] as string[] }
  const root = realPath(directory)
  if (root === null) return total
  const places = { folders: [] as string[], targets: new Map<string, Set<string>>() }
  collectPlaces(root, [root, ...linkRoots], places)
  const looks = [
    ...places.folders.map((folder) => ({ folder, only: null })),
    ...[...places.targets].map(([folder, only]) => ({ folder, only })),
  ]
  for (const { folder, only } of looks) {
    const part = await settleFolder(folder, only, context)
    total.settled += part.settled
    total.waiting += part.waiting
    total.conflicts.push(...part.conflicts)
  }
  return total
}

interface Places {
  readonly folders: string[]
  /** Folders elsewhere, with the names in them that are ours: what else lies there is none of our business. */
  readonly targets: Map<string, Set<string>>
}

function collectPlaces(folder: string, roots: readonly string[], places: Places): void {
  places.folders.push(folder)
  for (const entry of entriesIn(folder)) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && judgeFolderName(entry.name) === null) collectPlaces(path, roots, places)
    if (!entry.isSymbolicLink()) continue
    const target = realPath(path)
    if (target === null || !/\.md$/i.test(target) || !roots.some((root) => isInside(root, target))) continue
    if (isInside(roots[0] ?? folder, target)) continue
    const names = places.targets.get(dirname(target)) ?? new Set()
    places.targets.set(dirname(target), names.add(basename(target)))
  }
}

/** Settles one folder, or only what was displaced from the files named. */
async function settleFolder(
  directory: string,
  only: ReadonlySet<string> | null,
  context: SettleContext,
): Promise<Settled> {
  const conflicts: string[] = []
  let settled = 0
  const ours = () => displacedIn(directory).filter((each) => only === null || ownerAmong(each, [...only]) !== null)
  for (const displaced of ours()) {
    const owner = ownerAmong(displaced, namesIn(directory))
    const path = owner === null ? null : join(directory, owner)
    if (path !== null && isStillInPlace(displaced, path)) {
      removeQuietly(displaced.path)
      continue
    }
    const final = isOld(displaced.displacedAt, context)
    const result = await look(displaced, path, context, final)
    if (!final) continue
    if (result.state === 'changed' || result.state === 'orphan') {
      const conflict = await keepConflict(result.displaced, path, context)
      if (conflict !== null) conflicts.push(conflict)
    }
    if (result.state === 'waiting') continue
    removeQuietly(result.displaced.path)
    settled++
  }
  removeOldTemps(directory, context)
  return { settled, waiting: ours().length, conflicts }
}

async function look(
  displaced: Displaced,
  path: string | null,
  context: SettleContext,
  final: boolean,
): Promise<{ state: CarryState; displaced: Displaced }> {
  const target = path ?? join(dirname(displaced.path), '.keepsake-no-such-file')
  const carry = await carryTail(displaced, target, context, { final })
  // A carry may be followed by more; one more look tells whether it is done.
  return carry.state === 'carried' ? carryTail(carry.displaced, target, context, { final }) : carry
}

/** The same displaced file always gives the same name, so a repeated settle after a crash doubles nothing. */
async function keepConflict(displaced: Displaced, path: string | null, context: SettleContext): Promise<string | null> {
  const bytes = readDiskFile(displaced.path)?.bytes
  if (!bytes || bytes.length === 0) return null
  if (path !== null && readDiskFile(path)?.hash === readDiskFile(displaced.path)?.hash) return null
  const stamp = new Date(displaced.displacedAt).toISOString().replace(/[:.]/g, '-')
  const name = path === null ? 'removed.md' : cutBytes(basename(path), MAX_NAME_BYTES)
  const conflict = join(context.conflicts, `${stamp}-${displaced.token}-${name}`)
  await writeWholeFile(conflict, bytes)
  await context.faults.hit('conflict-kept')
  return conflict
}

/**
 * Removes temp files of writers that died. In a layer only the holder of the lock makes any, but a folder may be shared
 * with another home and other folders have no lock: so by age.
 */
export function removeOldTemps(directory: string, context: Pick<SettleContext, 'clock'>): void {
  for (const name of namesIn(directory)) {
    if (!name.startsWith(TEMP_PREFIX)) continue
    const path = join(directory, name)
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat && isOld(stat.mtimeMs, context)) removeQuietly(path)
  }
}

function isOld(ms: number, context: Pick<SettleContext, 'clock'>): boolean {
  return context.clock.now() - ms >= SETTLE_AFTER_MS
}

function namesIn(directory: string): string[] {
  return entriesIn(directory).map((entry) => entry.name)
}

function entriesIn(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return []
    throw fromFileSystemError(error, directory)
  }
}
