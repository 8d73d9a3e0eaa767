/**
 * What the last commit holds, kept beside the repository so that a write neither asks git nor reads every note again.
 * Derived: it counts only while it names the commit that is the last one, and is made anew from git otherwise.
 */
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemCode } from '../../errors.ts'
import type { RecordedFile, SeenStat } from './history-port.ts'

const FILE = 'keepsake-seen.json'
/** A file touched this shortly before we looked may change again within one tick of its clock: it is read again. */
const RACY_MS = 2_000

/** Null when there is none for this commit. */
export function readSeen(repository: string, head: string): Map<string, RecordedFile> | null {
  try {
    const path = join(repository, FILE)
    const trustedUntilMs = statSync(path).mtimeMs - RACY_MS
    const content: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (!isSeen(content) || content.head !== head) return null
    return new Map(content.files.map(([file, ...rest]) => [file, recordedFrom(rest, trustedUntilMs)]))
  } catch {
    // Missing, cut off or unreadable: git says the same, more slowly.
    return null
  }
}

type Row = [key: string, mode: number, size: number, mtimeMs: number, inode: number]

interface Seen {
  readonly head: string
  readonly files: readonly [file: string, ...row: Row][]
}

function isSeen(content: unknown): content is Seen {
  if (typeof content !== 'object' || content === null || !('head' in content) || !('files' in content)) return false
  return Array.isArray(content.files) && content.files.every((row) => Array.isArray(row) && row.length === 6)
}

function recordedFrom([key, mode, size, mtimeMs, inode]: Row, trustedUntilMs: number): RecordedFile {
  return { key, mode, seen: mtimeMs > 0 && mtimeMs < trustedUntilMs ? { size, mtimeMs, inode } : null }
}

/** Never throws: without it the next write asks git. */
export function writeSeen(repository: string, head: string, files: ReadonlyMap<string, RecordedFile>): void {
  const rows = [...files].map(([file, { key, mode, seen }]) => [file, key, mode, ...numbersOf(seen)])
  const path = join(repository, FILE)
  try {
    const temp = `${path}.${process.pid}`
    writeFileSync(temp, JSON.stringify({ head, files: rows }), { mode: 0o600 })
    renameSync(temp, path)
  } catch (error) {
    // Full or read-only; anything else is a fault of ours.
    if (systemCode(error) === undefined) throw error
  }
}

function numbersOf(seen: SeenStat | null): [number, number, number] {
  return seen ? [seen.size, seen.mtimeMs, seen.inode] : [0, 0, 0]
}
