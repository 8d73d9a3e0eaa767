import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder (0700) and what is missing above it; nothing when it is there. Returns the topmost folder it made, or
 * null. Throws what the file system says. Not `mkdir` with `recursive`: below a folder that refuses every child with
 * ENOENT (`/proc`) that one never ends.
 */
export function makeFolder(path: string): string | null {
  const made = tryMake(path)
  if (made !== 'no parent') return made === 'made' ? path : null
  const first = dirname(path) === path ? null : makeFolder(dirname(path))
  mkdirUnlessThere(path)
  return first ?? path
}

function tryMake(path: string): 'made' | 'there' | 'no parent' {
  try {
    return mkdirUnlessThere(path) ? 'made' : 'there'
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && dirname(path) !== path) return 'no parent'
    throw error
  }
}

/** False when it is there already; a file in its place is an error. */
function mkdirUnlessThere(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 })
    return true
  } catch (error) {
    const isThere = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
    if (isThere) return false
    throw error
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null
}
