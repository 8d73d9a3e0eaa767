/** Permission bits of notes: git holds only one of them, and the port `NoteFiles` none. */
import { chmodSync, statSync } from 'node:fs'
import type { Layer } from '../../domain/index.ts'
import { fromFileSystemError, MemoryError, systemCode } from '../../errors.ts'
import { realPath } from './listing.ts'
import { findNotePath } from './note-path.ts'

export interface HistoryModes {
  /** Null when there is no such file. */
  of(layer: Layer, file: string): number | null
  /** Only while the layer's lock is held. Throws STORE_READ_ONLY. */
  set(layer: Layer, file: string, mode: number): void
}

/** `linkRoots` as for the files of notes: folders in which the target of a linked note may lie. */
export function createFsHistoryModes(linkRoots: readonly string[] = []): HistoryModes {
  const pathOf = (layer: Layer, file: string): string | null => {
    const roots = layer.name === 'team' ? [] : linkRoots.flatMap((root) => realPath(root) ?? [])
    return findNotePath(layer, file, roots)?.path ?? null
  }
  return {
    of(layer, file) {
      try {
        const path = pathOf(layer, file)
        return path === null ? null : statSync(path).mode & 0o777
      } catch (error) {
        // It went since it was listed, or leads outside now: as good as not there.
        if (systemCode(error) === 'ENOENT' || MemoryError.isInstance(error)) return null
        throw error
      }
    },
    set(layer, file, mode) {
      const path = pathOf(layer, file)
      if (path === null) return
      try {
        chmodSync(path, mode & 0o777)
      } catch (error) {
        throw fromFileSystemError(error, path)
      }
    },
  }
}

/** For stores without a disk: every file has the usual bits until they are set. */
export function createMemoryHistoryModes(): HistoryModes {
  const modes = new Map<string, number>()
  return {
    of: (layer, file) => modes.get(`${layer.key}/${file}`) ?? 0o600,
    set: (layer, file, mode) => void modes.set(`${layer.key}/${file}`, mode),
  }
}
