/** Copies one file into a folder of ours, hashed on the way, a piece at a time. */
import { createHash } from 'node:crypto'
import { closeSync, fchmodSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { fromFileSystemError, systemCode } from '../../errors.ts'
import { makeFolder } from '../../util/index.ts'

const PIECE_BYTES = 1_048_576

export interface CopiedFile {
  readonly size: number
  readonly mode: number
  readonly sha256: string
}

/**
 * Copies as many bytes as the file had when it was opened: a log that others append to is whole up to its last line.
 * Null when the file went away. `target` must not exist.
 */
export function copyFile(source: string, target: string): CopiedFile | null {
  const from = openIfThere(source)
  if (from === null) return null
  try {
    const { size, mode } = fstatSync(from)
    const hash = createHash('sha256')
    makeFolder(dirname(target))
    const to = openSync(target, 'wx', 0o600)
    try {
      const copied = copyBytes(from, to, size, (piece) => hash.update(piece))
      return { size: copied, mode: mode & 0o777, sha256: hash.digest('hex') }
    } finally {
      closeSync(to)
    }
  } catch (error) {
    throw fromFileSystemError(error, target)
  } finally {
    closeSync(from)
  }
}

function openIfThere(source: string): number | null {
  try {
    return openSync(source, 'r')
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null
    throw error
  }
}

function copyBytes(from: number, to: number, size: number, seen: (piece: Uint8Array) => void): number {
  const buffer = Buffer.alloc(Math.min(PIECE_BYTES, Math.max(1, size)))
  let copied = 0
  while (copied < size) {
    const read = readSync(from, buffer, 0, Math.min(buffer.length, size - copied), null)
    if (read === 0) break
    const piece = buffer.subarray(0, read)
    seen(piece)
    writeAll(to, piece)
    copied += read
  }
  return copied
}

export function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written)
}

/** Ends a file that was written in pieces: its mode, then onto the disk. */
export function finishFile(descriptor: number, mode: number): void {
  fchmodSync(descriptor, mode)
  fsyncSync(descriptor)
}
