/**
 * From a file name below a layer to the real file that is read and replaced. Every name passes the path guard; a note
 * that is a link stays a link and its target is used, if the target lies in the layer or in a root that was allowed.
 */
import { lstatSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Layer } from '../../domain/index.ts'
import { hasCode, MemoryError, systemCode } from '../../errors.ts'
import { type PathRefusal, safePath } from '../../guard/index.ts'
import { isInside, realPath } from './listing.ts'

export interface NotePath {
  /** Real path of the file (which may not exist yet). */
  readonly path: string
  /** The note's own path when it is a link, else null. */
  readonly link: string | null
}

/**
 * Null when there is no such file. Throws PATH_OUTSIDE_STORE for a name that leads outside, a dangling link, or a link
 * whose target lies in none of the roots.
 */
export function findNotePath(layer: Layer, file: string, linkRoots: readonly string[]): NotePath | null {
  const directory = realPath(layer.directory)
  if (directory === null) {
    guarded(layer.directory, file)
    return null
  }
  if (isPlainChild(directory, file)) return { path: join(directory, file), link: null }
  const own = guarded(directory, file)
  const path = onDisk(directory, own, file)
  if (path === null) return null
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (!stat) return null
  if (!stat.isSymbolicLink()) return { path, link: null }
  const target = realPath(path)
  if (target === null) throw outside(file, 'dangling-link')
  if (![directory, ...linkRoots].some((root) => isInside(root, target)) || !/\.md$/i.test(target))
    throw outside(file, 'link-outside')
  return { path: target, link: path }
}

/** One name of letters, digits and the signs of our own file names: it can lead nowhere else. */
const USUAL_NAME = /^[A-Za-z0-9\u3400-\u4dbf\u4e00-\u9fff][\w\u3400-\u4dbf\u4e00-\u9fff-]*\.md$/
const PLAIN_NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} _-]*(?:\.[\p{L}\p{M}\p{N} _-]+)*$/u

/** True for a name that, joined to a folder, is a name in that folder and nothing else. */
export function isPlainName(file: string): boolean {
  // The first is part of the second, and ready in a tenth of the time.
  return USUAL_NAME.test(file) || PLAIN_NAME.test(file)
}

/** A regular file with a plain name, directly in the folder: most notes are, and one look replaces the whole guard. */
function isPlainChild(directory: string, file: string): boolean {
  if (!isPlainName(file)) return false
  return lstatSync(join(directory, file), { throwIfNoEntry: false })?.isFile() ?? false
}

/** Where a new file of this name goes: the guarded path, whose folder may not exist yet. */
export function newNotePath(layer: Layer, file: string): string {
  return guarded(realPath(layer.directory) ?? layer.directory, file)
}

/** Refusals that concern links: then the text of the path was found good. */
const linkReasons: ReadonlySet<unknown> = new Set([
  'link-outside',
  'dangling-link',
  'link-loop',
] satisfies PathRefusal[])

/**
 * The guard follows links and refuses those that leave the folder. The last name is let through here if it is a link:
 * its target is judged above. Everything before it is guarded as it is.
 */
function guarded(directory: string, file: string): string {
  try {
    return safePath(directory, file)
  } catch (error) {
    if (!hasCode(error, 'PATH_OUTSIDE_STORE') || !linkReasons.has(error.data.reason)) throw error
    const folder = file.includes('/') ? safePath(directory, dirname(file)) : directory
    const path = join(folder, basename(file))
    if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) throw error
    return path
  }
}

/** The path with names as the disk has them: listings speak NFC, a disk may hold NFD. */
function onDisk(directory: string, own: string, file: string): string | null {
  if (lstatSync(own, { throwIfNoEntry: false }) || !/[^\u0000-\u007f]/.test(file)) return own
  let path = directory
  for (const segment of file.split('/')) {
    const name = namesIn(path).find((each) => each.normalize('NFC') === segment.normalize('NFC'))
    if (name === undefined) return null
    path = join(path, name)
  }
  return path
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return []
    throw error
  }
}

function outside(file: string, reason: PathRefusal): MemoryError {
  return new MemoryError('PATH_OUTSIDE_STORE', `${file} leads outside its folder`, {
    hint: 'Point the link at a file in the folder of notes, or put the file itself there.',
    data: { path: file, reason },
  })
}
