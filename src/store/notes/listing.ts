/**
 * Lists the notes of one folder with what a stat says, and names what it left out with a reason. Reads names and
 * stats only, never content; creates nothing. Names are given in NFC whatever the disk holds.
 */
import { lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs'
import { sep } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { systemCode } from '../../errors.ts'
import { doubtfulNames, judgeFileName, judgeFolderName, MAX_NOTE_BYTES } from './listing-rules.ts'
import type { IgnoredFile, NoteFileStat } from './note-files.ts'

export interface FolderListing {
  readonly files: readonly NoteFileStat[]
  readonly ignored: readonly IgnoredFile[]
}

/** Deepest folder below the layer that is entered. */
const MAX_DEPTH = 16
/** Entries between two pauses, so that a long listing does not hold up a server for more than some 20 ms. */
const ENTRIES_PER_TURN = 2_048

interface Walk {
  readonly files: NoteFileStat[]
  readonly ignored: IgnoredFile[]
  /** Real paths of folders in which the target of a link may lie. */
  readonly roots: readonly string[]
  entries: number
}

/** Null when the folder does not exist. Throws what the file system throws when it cannot be read. */
export async function listFolder(directory: string, linkRoots: readonly string[]): Promise<FolderListing | null> {
  const root = realPath(directory)
  if (root === null) return null
  const walk: Walk = { files: [], ignored: [], roots: [root, ...linkRoots], entries: 0 }
  await readFolder(walk, root, '', 0)
  const files = onePerName(walk.files.sort(byFile), walk.ignored)
  return { files, ignored: walk.ignored.sort(byFile) }
}

function byFile(left: { readonly file: string }, right: { readonly file: string }): number {
  if (left.file === right.file) return 0
  return left.file < right.file ? -1 : 1
}

/** Of sorted files that differ only in their Unicode form, the first that was found. */
function onePerName(files: readonly NoteFileStat[], ignored: IgnoredFile[]): NoteFileStat[] {
  return files.filter(({ file }, place) => {
    const isSame = file === files[place - 1]?.file
    if (isSame) ignored.push({ file, reason: 'same-name' })
    return !isSame
  })
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
  // Without types: every note needs a stat, which says what it is.
  const names = readdirSync(directory)
  const doubtful = doubtfulNames(names)
  const inFolder = childOf(directory, '')
  for (const name of names) {
    if (++walk.entries % ENTRIES_PER_TURN === 0) await setImmediate()
    const path = `${inFolder}${name}`
    const stat = lookAt(path)
    if (stat === null) continue
    const file = `${prefix}${name.normalize('NFC')}`
    if (stat !== 'unreadable' && stat.isDirectory()) await enterFolder(walk, path, file, depth)
    else {
      const verdict = doubtful.has(name) ? judgeFileName(name) : 'note'
      if (verdict === 'note') takeNote(walk, path, file, stat)
      else if (verdict !== 'expected') walk.ignored.push({ file, reason: verdict.ignored })
    }
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

/** Null when it went meanwhile. */
function lookAt(path: string): Stats | 'unreadable' | null {
  try {
    return lstatSync(path)
  } catch (error) {
    return systemCode(error) === 'ENOENT' ? null : 'unreadable'
  }
}

function takeNote(walk: Walk, path: string, file: string, found: Stats | 'unreadable'): void {
  const stat = found !== 'unreadable' && found.isSymbolicLink() ? targetOf(walk, path) : found
  if (stat === null) return
  const reason = typeof stat === 'string' ? stat : whyNoNote(stat)
  if (reason !== null) walk.ignored.push({ file, reason })
  else if (typeof stat !== 'string') walk.files.push(asListed(file, stat))
}

function asListed(file: string, { size, mtimeMs, ctimeMs, ino: inode }: Stats): NoteFileStat {
  return { file, size, mtimeMs, changedMs: Math.max(mtimeMs, ctimeMs), inode }
}

function targetOf(walk: Walk, link: string): Stats | string | null {
  try {
    const target = realPath(link)
    if (target === null) return 'link-dangling'
    return walk.roots.some((root) => isInside(root, target)) ? statSync(link) : 'link-outside'
  } catch (error) {
    return systemCode(error) === 'ENOENT' ? null : 'unreadable'
  }
}

function whyNoNote(stat: Stats): string | null {
  if (!stat.isFile()) return stat.isDirectory() ? 'link-folder' : 'not-a-file'
  return stat.size > MAX_NOTE_BYTES ? 'too-large' : null
}
