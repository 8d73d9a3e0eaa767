import { isAbsolute, normalize, resolve } from 'node:path'

/** Of a Markdown file, which may be a note; null for every other file. */
export function markdownPath(path: string, folder: string | null): string | null {
  return /\.md$/i.test(path) ? absolutePath(path, folder) : null
}

/** Absolute, or below `~/`, which others know how to resolve; null where nothing says where it lies. */
export function absolutePath(path: string, folder: string | null): string | null {
  if (path.includes('\0') || path === '') return null
  if (path === '~' || path.startsWith('~/')) return normalize(path)
  if (isAbsolute(path)) return resolve(path)
  if (folder === null) return null
  if (folder.startsWith('~')) return normalize(`${folder}/${path}`)
  return isAbsolute(folder) ? resolve(folder, path) : null
}
