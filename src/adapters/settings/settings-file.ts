/**
 * One settings file of an agent: read as it is, replaced atomically. A link stays a link (its target is replaced in
 * the target's own folder), the mode stays, and a file that changed between reading and writing is never overwritten.
 */
import { randomUUID } from 'node:crypto'
import { lstat, mkdir, open, readFile, readlink, rename, rmdir, stat, unlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fromFileSystemError, MemoryError, systemCode } from '../../errors.ts'
import { sha256 } from '../../util/index.ts'

/** Links followed before a loop is assumed. */
const MAX_LINKS = 40

export interface SettingsFile {
  /** Where the agent looks. */
  readonly path: string
  /** Where the bytes are: the end of the links. */
  readonly target: string
  readonly exists: boolean
  readonly mode: number
  /** Without byte order mark; empty when there is no file. */
  readonly text: string
  readonly hasByteOrderMark: boolean
  /** SHA-256 (hex) of the bytes, null when there is no file. */
  readonly hash: string | null
}

/** Throws AGENT_SETTINGS_INVALID when there is something that is no readable UTF-8 file. */
export async function readSettingsFile(path: string): Promise<SettingsFile> {
  const target = await followLinks(path)
  const found = await stat(target).catch(missingIsNull(path))
  if (!found) return { path, target, exists: false, mode: 0o600, text: '', hasByteOrderMark: false, hash: null }
  if (!found.isFile()) throw unreadable(path, 'it is not a plain file')
  const bytes = await readFile(target).catch((cause) => {
    throw unreadable(path, 'it cannot be read', cause)
  })
  const hasByteOrderMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return {
    path,
    target,
    exists: true,
    mode: found.mode & 0o777,
    text: decode(path, hasByteOrderMark ? bytes.subarray(3) : bytes),
    hasByteOrderMark,
    hash: sha256(bytes),
  }
}

export function bytesOf(file: SettingsFile, text: string): Buffer {
  return Buffer.from(file.hasByteOrderMark ? `\uFEFF${text}` : text, 'utf8')
}

/**
 * Replaces the file as read by `text` and gives its new hash. NOTE_CHANGED_ON_DISK when another program wrote it
 * meanwhile: read again and try again.
 */
export async function writeSettingsFile(file: SettingsFile, text: string): Promise<string> {
  const bytes = bytesOf(file, text)
  const folder = dirname(file.target)
  const temporary = join(folder, `.keepsake-${randomUUID()}.tmp`)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeDurably(temporary, bytes, file.mode)
    await assertUnchanged(file)
    await rename(temporary, file.target)
    await syncFolder(folder)
  } catch (error) {
    await unlink(temporary).catch(() => {}) // Perhaps never made, or already in its place.
    throw fromFileSystemError(error, file.target)
  }
  return sha256(bytes)
}

/** Removes a file that we made, and its folder when that is empty and ours too. */
export async function removeSettingsFile(file: SettingsFile, options: { readonly andFolder: boolean }): Promise<void> {
  await assertUnchanged(file)
  await unlink(file.target).catch((error) => {
    throw fromFileSystemError(error, file.target)
  })
  // Not empty: the agent has put something there meanwhile.
  if (options.andFolder) await rmdir(dirname(file.target)).catch(() => {})
}

async function writeDurably(path: string, bytes: Uint8Array, mode: number): Promise<void> {
  const handle = await open(path, 'wx', mode)
  try {
    // The mode of open is cut by the umask.
    await handle.chmod(mode)
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null) // Some systems cannot open folders; the rename stands.
  await handle?.sync().catch(() => {}) // The same.
  await handle?.close()
}

async function assertUnchanged(file: SettingsFile): Promise<void> {
  const now = await readFile(file.target).catch(missingIsNull(file.path))
  if ((now ? sha256(now) : null) === file.hash) return
  throw new MemoryError('NOTE_CHANGED_ON_DISK', `${file.path} was changed by another program just now`, {
    hint: 'Close the agent or try again.',
    data: { file: file.path },
  })
}

/** The end of a chain of links, also when nothing is there yet. */
async function followLinks(path: string): Promise<string> {
  let current = resolve(path)
  for (let count = 0; count < MAX_LINKS; count++) {
    const entry = await lstat(current).catch(missingIsNull(path))
    if (!entry?.isSymbolicLink()) return current
    const next = await readlink(current)
    current = resolve(dirname(current), next)
  }
  throw unreadable(path, 'its links go in a circle')
}

function missingIsNull(path: string) {
  return (error: unknown): null => {
    if (systemCode(error) === 'ENOENT') return null
    throw unreadable(path, 'it cannot be looked at', error)
  }
}

function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw unreadable(path, 'it is not UTF-8', cause)
  }
}

function unreadable(path: string, reason: string, cause?: unknown): MemoryError {
  return new MemoryError('AGENT_SETTINGS_INVALID', `${path} was left alone: ${reason}`, {
    hint: 'Look at this file, then try again; nothing was changed.',
    data: { file: path, line: null },
    cause,
  })
}
