/** A home in a temporary folder with the real file driver, and a person who edits its files. For tests. */
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Clock, Layer } from '../domain/index.ts'
import { createFsNoteFiles, type FsNoteFilesOptions } from '../store/notes/fs-note-files.ts'
import type { NoteFilesHarness } from './note-files-suite.ts'

export interface FolderHome extends NoteFilesHarness {
  readonly directory: string
  readonly clock: Clock & { ms: number }
  path(layer: Layer, file: string): string
}

export function createFolderHome(options: Partial<FsNoteFilesOptions> = {}): FolderHome {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'keepsake-notes-')))
  const clock = {
    ms: Date.now(),
    now() {
      return this.ms
    },
  }
  const path = (layer: Layer, file: string) => join(layer.directory, file)
  return {
    directory,
    clock,
    files: createFsNoteFiles({ home: directory, clock, ...options }),
    layer: (key) => ({ name: key === 'global' ? 'global' : 'project', key, directory: join(directory, key) }),
    path,
    person: {
      put(layer, file, bytes) {
        mkdirSync(dirname(path(layer, file)), { recursive: true })
        writeFileSync(path(layer, file), bytes)
      },
      append: (layer, file, bytes) => appendFileSync(path(layer, file), bytes),
      remove: (layer, file) => rmSync(path(layer, file)),
      vanish: (layer) => rmSync(layer.directory, { recursive: true }),
    },
    dispose: () => rmSync(directory, { recursive: true, force: true }),
  }
}
