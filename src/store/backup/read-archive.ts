/**
 * Unpacks an archive into a folder of ours, trusting nothing in it. The manifest comes first and says what may follow:
 * an entry that it does not name, that is no plain file, has another size or other bytes, ends the work. Permissions are
 * bits of rwx only. What is unpacked is whole, or an error was thrown.
 */
import { createHash, type Hash } from 'node:crypto'
import { closeSync, createReadStream, existsSync, mkdirSync, openSync, readSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { ParsedTarEntry } from 'modern-tar'
import { HOME_FORMAT } from '../../domain/index.ts'
import { fromFileSystemError, MemoryError, messageOf, systemCode, throwIfCancelled } from '../../errors.ts'
import { safePath } from '../../guard/index.ts'
import {
  type BackupFile,
  type BackupManifest,
  HOME_PREFIX,
  invalidBackup,
  MANIFEST_NAME,
  MAX_MANIFEST_BYTES,
  newerBackup,
  parseManifest,
} from './backup-format.ts'
import { finishFile, writeAll } from './copy-file.ts'

export interface ReadArchiveOptions {
  readonly signal?: AbortSignal
  readonly onUnpacked: (bytes: number, totalBytes: number) => void
}

const GZIP_MAGIC = 0x1f8b

interface Unpacking {
  readonly archive: string
  readonly target: string
  readonly manifest: BackupManifest
  /** Files that have not come yet. */
  readonly waiting: Map<string, BackupFile>
  readonly totalBytes: number
}

/** Throws BACKUP_NOT_FOUND, BACKUP_INVALID, HOME_FORMAT_NEWER, STORE_FULL, CANCELLED. `target` is an empty folder. */
export async function readArchive(
  archive: string,
  target: string,
  options: ReadArchiveOptions,
): Promise<BackupManifest> {
  let unpacking: Unpacking | null = null
  // A device or a pipe may never end.
  if (statSync(archive, { throwIfNoEntry: false })?.isFile() === false) throw invalidBackup(archive, 'it is no file')
  try {
    for await (const entry of entriesOf(archive)) {
      throwIfCancelled(options.signal)
      if (unpacking === null) unpacking = begin(archive, target, await readManifest(entry, archive))
      else await unpack(entry, unpacking, options)
    }
  } catch (error) {
    throw asBackupError(error, archive, target)
  }
  if (unpacking === null) throw invalidBackup(archive, 'it is empty')
  const [missing] = unpacking.waiting.keys()
  if (missing !== undefined) throw invalidBackup(archive, `it ends early: ${missing} is missing`)
  return unpacking.manifest
}

/** Entries of the tar in order; the caller reads each body before it takes the next. */
async function* entriesOf(archive: string): AsyncGenerator<ParsedTarEntry> {
  const { createTarDecoder } = await import('modern-tar')
  const isZipped = isGzip(archive)
  const source = createReadStream(archive)
  const plain = isZipped ? source.pipe(createGunzip()) : source
  source.on('error', (error) => plain.destroy(error))
  try {
    const entries = Readable.toWeb(plain).pipeThrough(createTarDecoder({ strict: true }))
    for await (const entry of entries) yield entry
  } finally {
    source.destroy()
    plain.destroy()
  }
}

function isGzip(archive: string): boolean {
  const head = Buffer.alloc(2)
  const descriptor = openArchive(archive)
  try {
    return readSync(descriptor, head, 0, 2, 0) === 2 && head.readUInt16BE() === GZIP_MAGIC
  } finally {
    closeSync(descriptor)
  }
}

function openArchive(archive: string): number {
  try {
    return openSync(archive, 'r')
  } catch (error) {
    if (systemCode(error) !== 'ENOENT' && systemCode(error) !== 'ENOTDIR') throw error
    throw noBackupAt(archive, error)
  }
}

export function noBackupAt(archive: string, cause?: unknown): MemoryError {
  return new MemoryError('BACKUP_NOT_FOUND', `There is no backup at ${archive}`, {
    hint: 'Name the file that `keepsake backup` wrote.',
    data: { file: archive },
    cause,
  })
}

async function readManifest(entry: ParsedTarEntry, archive: string): Promise<BackupManifest> {
  const { name, size, type } = entry.header
  if (name !== MANIFEST_NAME || (type ?? 'file') !== 'file' || size > MAX_MANIFEST_BYTES)
    throw invalidBackup(archive, 'it is no backup of Keepsake')
  const pieces: Uint8Array[] = []
  for await (const piece of entry.body) pieces.push(piece)
  return parseManifest(Buffer.concat(pieces).toString('utf8'), archive)
}

function begin(archive: string, target: string, manifest: BackupManifest): Unpacking {
  if (manifest.homeFormat > HOME_FORMAT) throw newerBackup(archive, manifest.homeFormat)
  const totalBytes = manifest.files.reduce((sum, { size }) => sum + size, 0)
  demandSpace(target, totalBytes)
  return { archive, target, manifest, totalBytes, waiting: new Map(manifest.files.map((file) => [file.path, file])) }
}

function demandSpace(target: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(target)
  if (bavail * bsize > bytes) return
  throw new MemoryError('STORE_FULL', `The backup needs ${bytes} bytes, and ${dirname(target)} has less`, {
    hint: 'Free some disk space; nothing was changed.',
    data: { path: dirname(target) },
  })
}

async function unpack(entry: ParsedTarEntry, unpacking: Unpacking, options: ReadArchiveOptions): Promise<void> {
  const { archive, target, manifest, waiting, totalBytes } = unpacking
  const { name, size, type = 'file' } = entry.header
  const path = name.startsWith(HOME_PREFIX) ? name.slice(HOME_PREFIX.length) : ''
  if (type === 'directory' && manifest.folders.includes(path.replace(/\/$/, ''))) {
    mkdirSync(safePath(target, path.replace(/\/$/, '')), { recursive: true, mode: 0o700 })
    return
  }
  const file = waiting.get(path)
  if (type !== 'file' || !file) throw invalidBackup(archive, `it holds ${JSON.stringify(name)}, which no backup holds`)
  if (size !== file.size) throw invalidBackup(archive, `${path} has not the size that its manifest says`)
  waiting.delete(path)
  const hash = createHash('sha256')
  await writeEntry(entry, safePath(target, path), file, hash)
  if (hash.digest('hex') !== file.sha256) throw invalidBackup(archive, `${path} was altered`)
  options.onUnpacked(size, totalBytes)
}

async function writeEntry(entry: ParsedTarEntry, path: string, { mode }: BackupFile, hash: Hash): Promise<void> {
  if (!existsSync(dirname(path))) mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const descriptor = openSync(path, 'wx', 0o600)
  try {
    for await (const piece of entry.body) {
      hash.update(piece)
      writeAll(descriptor, piece)
    }
    finishFile(descriptor, mode & 0o777)
  } finally {
    closeSync(descriptor)
  }
}

/** What unpacking threw, told of the archive: zlib and tar complain in their own words. */
function asBackupError(error: unknown, archive: string, target: string): unknown {
  if (MemoryError.isInstance(error)) {
    const isOfPath = error.code === 'PATH_OUTSIDE_STORE'
    return isOfPath ? invalidBackup(archive, messageOf(error), error) : error
  }
  if (systemCode(error) === 'EISDIR') return invalidBackup(archive, 'it is a folder', error)
  if (systemCode(error) === 'EACCES' && messageOf(error).includes(archive))
    return invalidBackup(archive, 'it cannot be read', error)
  if (systemCode(error) === 'EEXIST') return invalidBackup(archive, 'two of its files have one name here', error)
  const known = fromFileSystemError(error, target)
  return MemoryError.isInstance(known) ? known : invalidBackup(archive, `it is damaged (${messageOf(error)})`, error)
}
