/**
 * Every file below a folder that a backup holds. Links are followed only to files, and only into folders that notes may
 * be linked from; what is not followed is named. Sockets and devices are passed over.
 */
import { readdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf, systemCode } from '../../errors.ts'
import { isInside, realPath } from '../notes/listing.ts'
import type { LeftOut } from './backup-format.ts'

export interface FoundFile {
  /** Below the home, `/` separated. */
  readonly path: string
  readonly absolute: string
  readonly size: number
}

export interface Walk {
  readonly files: readonly FoundFile[]
  /** Folders without any entry that is kept. */
  readonly folders: readonly string[]
  readonly leftOut: readonly LeftOut[]
}

export interface WalkOptions {
  /** Path of the folder in the backup; '' for the home itself. */
  readonly prefix: string
  readonly isKept: (path: string) => boolean
  /** Folders into which a link may lead. */
  readonly linkRoots: readonly string[]
}

/** Deeper than any folder of notes or history; a circle of folders ends here. */
const MAX_DEPTH = 40

export function walkFolder(directory: string, options: WalkOptions): Walk {
  const files: FoundFile[] = []
  const folders: string[] = []
  const leftOut: LeftOut[] = []
  const visit = (folder: string, prefix: string, depth: number): void => {
    let kept = 0
    for (const entry of entriesOf(folder, prefix, leftOut)) {
      const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`
      const absolute = join(folder, entry.name)
      if (!options.isKept(path)) continue
      kept++
      if (entry.isDirectory() && depth < MAX_DEPTH) visit(absolute, path, depth + 1)
      else if (entry.isFile()) addFile(files, path, absolute)
      else if (entry.isSymbolicLink() && isNoteLink(absolute, options.linkRoots)) addFile(files, path, absolute)
      else if (entry.isSymbolicLink()) leftOut.push({ what: path, reason: 'a link that leads elsewhere or nowhere' })
      else if (entry.isDirectory()) leftOut.push({ what: path, reason: 'too deep' })
    }
    if (kept === 0 && prefix !== '') folders.push(prefix)
  }
  visit(directory, options.prefix, 0)
  return { files, folders, leftOut }
}

/** A file that went away meanwhile is no part of the copy. */
function addFile(files: FoundFile[], path: string, absolute: string): void {
  const stat = statSync(absolute, { throwIfNoEntry: false })
  if (stat) files.push({ path, absolute, size: stat.size })
}

function entriesOf(folder: string, prefix: string, leftOut: LeftOut[]) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1))
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') leftOut.push({ what: prefix || folder, reason: messageOf(error) })
    return []
  }
}

/** As notes are read: never any other file of the user under a harmless name. */
function isNoteLink(link: string, roots: readonly string[]): boolean {
  if (!link.endsWith('.md')) return false
  try {
    const target = realpathSync(link)
    return statSync(target).isFile() && roots.some((root) => isInside(realPath(root) ?? root, target))
  } catch {
    // Leads nowhere or round in a circle: it is named as left out.
    return false
  }
}
