/**
 * Says whether folders were left alone, by the kernel's own word, so that a process that stays open need not look at
 * every file before each search (docs/decisions/0015). Where the kernel does not tell of every change there is no watch.
 */
import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { isNetworkFileSystem } from '../sqlite/network-file-system.ts'

/** More folders are looked at in the usual way. */
const MAX_FOLDERS = 64

export interface FolderWatch {
  /** True: nothing below was made, changed, moved or removed since the watch began, by whichever process. */
  isQuiet(): Promise<boolean>
  close(): void
}

export interface WatchOptions {
  readonly platform?: NodeJS.Platform
  readonly isRemote?: (path: string) => boolean
}

/**
 * Null where changes may go untold: on other systems than Linux (they tell late), on file systems that others change
 * behind this kernel's back, and where a link leads to a file that lies elsewhere.
 */
export function watchFolder(root: string, options: WatchOptions = {}): FolderWatch | null {
  const { platform = process.platform, isRemote = isNetworkFileSystem } = options
  if (platform !== 'linux' || isRemote(root)) return null
  const watchers: FSWatcher[] = []
  let touched = false
  const touch = () => {
    touched = true
  }
  const close = () => {
    // From now on nothing is heard.
    touch()
    for (const each of watchers) each.close()
  }
  const identity = identityOf(root)
  try {
    const watching = (folder: string): boolean => {
      if (watchers.length === MAX_FOLDERS) return false
      // Watched before it is read: what comes meanwhile is told.
      watchers.push(watch(folder, { persistent: false }, touch).on('error', touch))
      const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !name.startsWith('.'))
      if (entries.some((entry) => entry.isSymbolicLink())) return false
      return entries.every((entry) => !entry.isDirectory() || watching(join(folder, entry.name)))
    }
    if (watching(root)) return { isQuiet, close }
  } catch {
    // No folder, no right to read it, or no watch left to give: looked at in the usual way.
  }
  close()
  return null

  async function isQuiet(): Promise<boolean> {
    // What the kernel has told is heard when the event loop polls: at the latest between two immediates.
    await setImmediate()
    await setImmediate()
    // A folder above that was moved tells nothing to those below, nor does one above the target of a link.
    return !touched && identityOf(root) === identity
  }
}

function identityOf(folder: string): string | null {
  const stat = statSync(folder, { throwIfNoEntry: false })
  return stat ? `${stat.dev}:${stat.ino}` : null
}
