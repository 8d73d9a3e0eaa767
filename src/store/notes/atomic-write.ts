/**
 * Whole files, durably: temp file in the same folder, fsync, rename or link, fsync of the folder. A write that fails
 * changes nothing and leaves no temp file. Knows nothing of locks or notes; temp files begin with TEMP_PREFIX.
 */
import { randomBytes } from 'node:crypto'
import { constants, existsSync, linkSync, renameSync, unlinkSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fromFileSystemError, MemoryError, systemCode } from '../../errors.ts'
import { makeFolder } from '../../util/index.ts'
import { type CrashPoints, noCrashPoints } from './crash-points.ts'

export const TEMP_PREFIX = '.keepsake-temp-'

/** What file systems without hard links answer to link(). */
const linkRefusals = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV', 'EINVAL'])

export function isLinkRefusal(error: unknown): boolean {
  return linkRefusals.has(systemCode(error) ?? '')
}

export interface TempOptions {
  /** Permission bits; default 0600. */
  readonly mode?: number
  /** Owner to keep, where the process may set it. */
  readonly owner?: { readonly uid: number; readonly gid: number }
  readonly faults?: CrashPoints
}

/** Writes and syncs a temp file in `directory`; gives its path. Removes it when anything fails. */
export async function writeTemp(directory: string, bytes: Uint8Array, options: TempOptions = {}): Promise<string> {
  const faults = options.faults ?? noCrashPoints
  const path = join(directory, `${TEMP_PREFIX}${randomBytes(8).toString('hex')}`)
  let handle: FileHandle | null = null
  try {
    handle = await open(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600)
    await handle.writeFile(bytes)
    await faults.hit('temp-written')
    if (options.owner) await keepOwner(handle, options.owner)
    if (options.mode !== undefined && options.mode !== 0o600) await handle.chmod(options.mode)
    await handle.sync()
    await handle.close()
    handle = null
    await faults.hit('temp-synced')
    return path
  } catch (error) {
    await handle?.close().catch(() => {
      // The first error is the one that says why; a failing close adds nothing.
    })
    removeQuietly(path)
    throw fromFileSystemError(error, path)
  }
}

async function keepOwner(handle: FileHandle, owner: { uid: number; gid: number }): Promise<void> {
  const now = await handle.stat()
  if (now.uid === owner.uid && now.gid === owner.gid) return
  await handle.chown(owner.uid, owner.gid).catch(() => {
    // Only root may give files away; the content matters more than the owner.
  })
}

/** Makes the folder and its missing parents (0700) and syncs what it made. */
export async function ensureDirectory(directory: string): Promise<void> {
  try {
    const first = makeFolder(directory)
    if (first === null) return
    for (let made = directory; made.length >= first.length; made = dirname(made)) await syncDirectory(dirname(made))
  } catch (error) {
    // A folder that is there is no error here, so something else is.
    if (systemCode(error) === 'ENOENT')
      throw new MemoryError('STORE_UNREADABLE', `${directory} cannot be made there`, {
        hint: 'Name another folder; nothing was changed.',
        data: { path: directory },
        cause: error,
      })
    const isFile = systemCode(error) === 'EEXIST'
    throw fromFileSystemError(
      isFile ? Object.assign(new Error('EEXIST'), { code: 'ENOTDIR', cause: error }) : error,
      directory,
    )
  }
}

/** Makes renames and links in the folder durable. A no-op where folders cannot be opened for it. */
export async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } catch (error) {
    // Some network file systems refuse fsync of a folder; there is nothing better to do there.
    if (systemCode(error) !== 'EINVAL' && systemCode(error) !== 'ENOTSUP') throw error
  } finally {
    await handle.close()
  }
}

/** Puts a temp file at a path that must not exist. False (temp removed) when it does. */
export function placeNew(temp: string, path: string): boolean {
  try {
    linkSync(temp, path)
  } catch (error) {
    if (systemCode(error) === 'EEXIST' || existsSync(path)) {
      removeQuietly(temp)
      return false
    }
    if (!isLinkRefusal(error)) {
      removeQuietly(temp)
      throw fromFileSystemError(error, path)
    }
    return renameOver(temp, path)
  }
  removeQuietly(temp)
  return true
}

/** Renames a temp file over `path`; removes the temp when that fails. */
export function renameOver(temp: string, path: string): true {
  try {
    renameSync(temp, path)
    return true
  } catch (error) {
    removeQuietly(temp)
    throw fromFileSystemError(error, path)
  }
}

export function removeQuietly(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // Gone already, or not removable: `settle` removes leftovers by their name.
  }
}

export interface WholeFileOptions {
  /** Fails (returns false) when the file exists. */
  readonly exclusive?: boolean
  readonly mode?: number
}

/** Writes a small file of our own (home.json, proposals, …) whole or not at all. False: `exclusive`, and it exists. */
export async function writeWholeFile(
  path: string,
  bytes: Uint8Array,
  options: WholeFileOptions = {},
): Promise<boolean> {
  const directory = dirname(path)
  await ensureDirectory(directory)
  const temp = await writeTemp(directory, bytes, { mode: options.mode })
  const placed = options.exclusive ? placeNew(temp, path) : renameOver(temp, path)
  await syncDirectory(directory)
  return placed
}
