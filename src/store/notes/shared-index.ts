/**
 * Our own index of a layer in which we write nothing (spec T1), for a layer too large to be read whole when a session
 * starts. Lies in the home; a refresh makes it from the notes; it can be deleted at any time.
 */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { homeFiles, type Layer } from '../../domain/index.ts'

export interface SharedIndex {
  readonly text: string
  readonly mtimeMs: number
}

export function sharedIndexFile(home: string, layer: Layer): string {
  return join(home, homeFiles.sharedIndexes, `${layer.key.replaceAll('/', '-')}.md`)
}

/** Null when there is none that can be read. */
export function readSharedIndex(home: string, layer: Layer): SharedIndex | null {
  const file = sharedIndexFile(home, layer)
  try {
    return { text: readFileSync(file, 'utf8'), mtimeMs: statSync(file).mtimeMs }
  } catch {
    // Not made yet, or unreadable: the layer is read by its own index, or by its first files.
    return null
  }
}
