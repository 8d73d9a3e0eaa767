/** Two layers on disk with a writer over them, for writers that die and for the next ones. */
import { join } from 'node:path'
import type { Layer } from '../../src/domain/index.ts'
import type { CrashPoints } from '../../src/store/notes/crash-points.ts'
import { createFsNoteFiles } from '../../src/store/notes/fs-note-files.ts'
import { createWriteHarness } from '../../src/testing/write-harness.ts'
import { createIdSource } from '../../src/util/index.ts'
import { finishingFiles } from '../../src/write/finish-unfinished.ts'

export function createTwoLayers(home: string, faults?: CrashPoints) {
  const global: Layer = { name: 'global', key: 'global', directory: join(home, 'global') }
  const project: Layer = { name: 'project', key: 'projects/tide', directory: join(home, 'projects/tide') }
  const { dependencies, ...harness } = createWriteHarness({ home })
  const plain = createFsNoteFiles({ home, clock: { now: () => Date.now() }, ...(faults ? { faults } : {}) })
  const files = finishingFiles(plain, dependencies)
  const writer = harness.with({
    files,
    ids: createIdSource(dependencies.clock),
    layerFor: async (name) => (name === 'global' ? global : project),
    currentLayers: async () => ({ global, project }),
    everyLayer: () => [project, global],
  })
  const layerOf = (name: 'global' | 'project') => (name === 'global' ? global : project)
  return {
    writer,
    files,
    layerOf,
    /** The version that the note of a layer is at. */
    async version(name: 'global' | 'project'): Promise<number> {
      const found = await plain.read(layerOf(name), name === 'global' ? 'far.md' : 'near.md')
      return Number(/It is at version (\d+)\.\s*$/.exec(new TextDecoder().decode(found?.bytes))?.[1] ?? Number.NaN)
    },
  }
}
