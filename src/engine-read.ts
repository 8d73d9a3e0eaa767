/**
 * The second composition root: recall and inject over files and a read-only index, for hooks. No models, zod, yaml or
 * git, nothing is written, nothing is synced. The database binding is loaded by `turnBlock` only. A home that cannot
 * be opened as ours is still read as files.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { HOME_FORMAT, type Home, homeFiles } from './domain/index.ts'
import type { Reading, ReadMemory, ReadMemoryOptions } from './engine-read/reading.ts'
import { readStartBlock } from './inject/index.ts'
import { openHome } from './store/home.ts'
import { createFsNoteFiles } from './store/notes/fs-note-files.ts'
import { hereOf } from './store/notes/here.ts'
import { resolveProject } from './store/notes/identity.ts'
import { listOnce } from './store/notes/layer-reader.ts'
import { layersOf, readableLayers } from './store/notes/layers.ts'
import { createToolWrites } from './store/tool-writes.ts'
import { systemClock } from './util/index.ts'

export type { ReadMemory, ReadMemoryOptions, TurnBlockOptions } from './engine-read/reading.ts'

/** Never creates anything. Throws HOME_INVALID only when there is no folder to read. */
export async function createReadMemory(given: ReadMemoryOptions): Promise<ReadMemory> {
  const options = { ...given, clock: given.clock ?? systemClock }
  const home = await openForReading(options.home)
  const files = createFsNoteFiles({ home: home.directory, clock: options.clock, linkRoots: [options.userHome] })
  const { config, userHome, temporaryDirectory } = options
  const resolution = await resolveProject(options.cwd, {
    home: home.directory,
    userHome,
    temporaryDirectory,
    deep: false,
  })
  const layers = readableLayers(layersOf({ home, resolution, config, userHome }), config)
  const projectName = resolution.kind === 'known' ? resolution.project.name : null
  const reading: Reading = {
    options,
    home,
    files,
    layers,
    projectName,
    workingTree: resolution.kind === 'none' ? null : resolution.workingTree,
    here: hereOf({ home: home.directory, cwd: options.cwd, resolution }),
    listingOf: listOnce(files),
    isToolWritten: toolWrittenIn(home),
  }
  return {
    startBlock: ({ agent, compacted }) =>
      readStartBlock({ ...reading, agent, home: home.directory, config, compacted }),
    turnBlock: async (input) => (await import('./engine-read/turn.ts')).turnBlock(reading, input),
  }
}

/** Most homes have no such files, and then no path needs a look. */
function toolWrittenIn(home: Home): Reading['isToolWritten'] {
  const toolWrites = createToolWrites({ home: home.directory })
  const known: { isNone?: boolean } = {}
  return (path) => {
    known.isNone ??= toolWrites.all().length === 0
    return !known.isNone && toolWrites.has(path)
  }
}

/** A damaged home.json says nothing against the notes beside it. */
async function openForReading(directory: string): Promise<Home> {
  try {
    return await openHome(directory)
  } catch (error) {
    if (!existsSync(join(directory, homeFiles.home))) throw error
    return { directory, id: null, format: HOME_FORMAT, writable: false }
  }
}
