/** One regular file as it is on disk now: bytes and stat from one descriptor, so that they belong together. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { MemoryError, systemCode } from '../../errors.ts'
import { sha256 } from '../../util/index.ts'
import type { NoteBytes } from './note-files.ts'

/** Read at once when a file holds more than it said. */
const MIN_PIECE_BYTES = 64 * 1024

export interface DiskFile extends NoteBytes {
  readonly path: string
  /** Permission bits. */
  readonly mode: number
  readonly uid: number
  readonly gid: number
  /** Hard links to this file. */
  readonly links: number
}

/** Null when there is no such file. Throws STORE_UNREADABLE for what is no regular file or cannot be read. */
export function readDiskFile(path: string): DiskFile | null {
  try {
    return readOpened(path, 0)
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return null
    throw MemoryError.isInstance(error) ? error : unreadable(path, error)
  }
}

/**
 * The same in one look, for a name that can lead nowhere but to a file of its folder. Null for anything that is no
 * regular file of its own (a link, a folder, not there, not readable): the long way tells which.
 */
export function readUnlinkedFile(path: string): DiskFile | null {
  if (constants.O_NOFOLLOW === undefined) return null
  try {
    return readOpened(path, constants.O_NOFOLLOW)
  } catch {
    // The caller looks again, closely, and reports what is wrong.
    return null
  }
}

function readOpened(path: string, flags: number): DiskFile {
  // Non-blocking, so that a named pipe in the folder cannot hold us up.
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | flags)
  try {
    const stat = fstatSync(descriptor)
    if (!stat.isFile()) throw unreadable(path)
    const bytes = readToEnd(descriptor, stat.size)
    return {
      path,
      bytes,
      hash: sha256(bytes),
      // A person may append between the stat and the read: the size is that of what was read.
      size: bytes.length,
      mtimeMs: stat.mtimeMs,
      inode: stat.ino,
      mode: stat.mode & 0o777,
      uid: stat.uid,
      gid: stat.gid,
      links: stat.nlink,
    }
  } finally {
    closeSync(descriptor)
  }
}

/** One read as a rule, where `readFileSync` makes three and asks for the size again. */
function readToEnd(descriptor: number, expectedSize: number): Buffer {
  const pieces: Buffer[] = []
  let total = 0
  for (let size = expectedSize + 1; ; size = MIN_PIECE_BYTES) {
    const piece = Buffer.allocUnsafe(size)
    const read = readSync(descriptor, piece, 0, size, null)
    pieces.push(piece.subarray(0, read))
    total += read
    if (read === 0 || (read < size && total >= expectedSize)) break
  }
  return pieces.length === 1 ? (pieces[0] ?? Buffer.alloc(0)) : Buffer.concat(pieces)
}

/** What callers of the port get: without the things that only the protocol needs. */
export function toNoteBytes(file: DiskFile): NoteBytes {
  const { bytes, hash, mtimeMs, size, inode } = file
  return { bytes, hash, mtimeMs, size, inode }
}

function unreadable(path: string, cause?: unknown): MemoryError {
  return new MemoryError('STORE_UNREADABLE', `Cannot read ${path}`, {
    hint: 'Check that it is a file and its permissions.',
    data: { path },
    cause,
  })
}
