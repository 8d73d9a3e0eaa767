/**
 * Lists the notes of one folder with what a stat says, and names what it left out with a reason. Reads names and
 * stats only, never content; creates nothing. Names are given in NFC whatever the disk holds.
 */
import { type Dirent, lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs'
import { sep } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { systemCode } from '../../errors.ts'
import { judgeFileName, judgeFolderName, MAX_NOTE_BYTES } from './listing-rules.ts'
import type { IgnoredFile, NoteFileStat } from './note-files.ts'

export interface FolderListing {
  readonly files: readonly NoteFileStat[]
  readonly ignored: readonly IgnoredFile[]
}

/** Deepest folder below the layer that is entered. */
const MAX_DEPTH = 16
/** Entries between two pauses, so that a long listing does not hold up a server. */
const ENTRIES_PER_TURN = 512

interface Walk {
  readonly files: NoteFileStat[]
  readonly ignored: IgnoredFile[]
  readonly seen: Set<string>
  /** Real paths of folders in which the target of a link may lie. */
  readonly roots: readonly string[]
  entries: number
}

/** Null when the folder does not exist. Throws what the file system throws when it cannot be read. */
export async function listFolder(directory: string, linkRoots: readonly string[]): Promise<FolderListing | null> {
  const root = realPath(directory)
  if (root === null) return null
  const walk: Walk = { files: [], ignored: [], seen: new Set(), roots: [root, ...linkRoots], entries: 0 }
  await readFolder(walk, root, '', 0)
  const byFile = (left: { file: string }, right: { file: string }) => (left.file < right.file ? -1 : 1)
  return { files: walk.files.sort(byFile), ignored: walk.ignored.sort(byFile) }
}

/** True when `path` (real) is `root` (real) or lies in it. */
export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`)
}

/** Null when the path does not exist, dangles or loops. */
export function realPath(path: string): string | null {
  try {
    return realpathSync.native(path)
  } catch (error) {
    if (['ENOENT', 'ELOOP', 'ENOTDIR'].includes(systemCode(error) ?? '')) return null
    throw error
  }
}

async function readFolder(walk: Walk, directory: string, prefix: string, depth: number): Promise<void> {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (++walk.entries % ENTRIES_PER_TURN === 0) await setImmediate()
    const file = `${prefix}${entry.name.normalize('NFC')}`
    if (entry.isDirectory()) await enterFolder(walk, childOf(directory, entry.name), file, depth)
    else readEntry(walk, directory, entry, file)
  }
}

/** `join` for a name that has no separator in it: it would look for dots in the whole path, thousands of times. */
export function childOf(directory: string, name: string): string {
  return directory.endsWith(sep) ? `${directory}${name}` : `${directory}${sep}${name}`
}

async function enterFolder(walk: Walk, directory: string, file: string, depth: number): Promise<void> {
  const reason = judgeFolderName(file.slice(file.lastIndexOf('/') + 1)) ?? (depth >= MAX_DEPTH ? 'too-deep' : null)
  if (reason !== null) {
    walk.ignored.push({ file: `${file}/`, reason })
    return
  }
  // Its notes are read, and its name is taken for a note.
  if (/\.md$/i.test(file)) walk.ignored.push({ file, reason: 'not-a-file' })
  try {
    await readFolder(walk, directory, `${file}/`, depth + 1)
  } catch (error) {
    // One folder that cannot be read must not hide the others; it is named. One that went meanwhile is no news.
    if (systemCode(error) !== 'ENOENT') walk.ignored.push({ file: `${file}/`, reason: 'unreadable' })
  }
}

function readEntry(walk: Walk, directory: string, entry: Dirent, file: string): void {
  const verdict = judgeFileName(entry.name)
  if (verdict === 'expected') return
  const found = verdict === 'note' ? statOf(walk, childOf(directory, entry.name), entry) : verdict
  if (found === null) return
  if ('ignored' in found) walk.ignored.push({ file, reason: found.ignored })
  else if (walk.seen.has(file)) walk.ignored.push({ file, reason: 'same-name' })
  else {
    walk.seen.add(file)
    walk.files.push({ file, size: found.size, mtimeMs: found.mtimeMs, inode: found.ino })
  }
}

function statOf(walk: Walk, path: string, entry: Dirent): Stats | { ignored: string } | null {
  try {
    if (entry.isSymbolicLink()) {
      const target = realPath(path)
      if (target === null) return { ignored: 'link-dangling' }
      if (!walk.roots.some((root) => isInside(root, target))) return { ignored: 'link-outside' }
    }
    const stat = entry.isSymbolicLink() ? statSync(path) : lstatSync(path)
    if (!stat.isFile()) return { ignored: stat.isDirectory() ? 'link-folder' : 'not-a-file' }
    return stat.size > MAX_NOTE_BYTES ? { ignored: 'too-large' } : stat
  } catch (error) {
    return systemCode(error) === 'ENOENT' ? null : { ignored: 'unreadable' }
  }
}
