/**
 * Sets a damaged database file aside. Nothing is ever deleted: the file and its log become `<file>.damaged-<time>…`.
 * Only the very file that was found damaged is moved: another process may have put a sound one in its place already.
 */
import { existsSync, linkSync, renameSync, statSync, unlinkSync } from 'node:fs'
import type { Clock } from '../../domain/index.ts'
import { systemCode } from '../../errors.ts'

/** Device and inode of a file, null when there is none. Two equal answers mean the same file. */
export function fileIdentity(file: string): string | null {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat ? `${stat.dev}:${stat.ino}` : null
}

/**
 * Moves the database `file` aside and returns its new path; null when `identity` is not what lies there any more. The
 * log goes first: a sound new database must never meet the log of the old one. Throws what the file system throws.
 */
export function quarantine(file: string, identity: string | null, clock: Clock): string | null {
  if (identity === null || fileIdentity(file) !== identity) return null
  const target = freeName(file, clock)
  for (const suffix of ['-wal', '-shm', '-journal']) moveIfThere(file + suffix, target + suffix)
  moveIfThere(file, target)
  if (fileIdentity(target) === identity) return target
  putBack(target, file)
  return null
}

function freeName(file: string, clock: Clock): string {
  const time = new Date(clock.now()).toISOString().slice(0, 19).replace(/[-:]/g, '')
  const base = `${file}.damaged-${time}Z`
  let name = base
  for (let count = 2; existsSync(name); count++) name = `${base}-${count}`
  return name
}

function moveIfThere(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
  }
}

/** Another process replaced the file between our look and our rename: its file returns, unless there is one again. */
function putBack(target: string, file: string): void {
  try {
    linkSync(target, file)
    unlinkSync(target)
  } catch (error) {
    if (systemCode(error) !== 'EEXIST' && systemCode(error) !== 'ENOENT') throw error
  }
}
