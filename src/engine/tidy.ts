/** What the background does for one layer beside reading it: MEMORY.md, history, questions about files of tools. */
import { type Layer, modeOf } from '../domain/index.ts'
import { regenerateIndex } from '../write/index.ts'
import type { Core } from './core.ts'
import { keepSummaryTrue } from './deferred.ts'
import type { Place } from './place.ts'

/** How long background work waits for the lock of a layer. */
const WORKER_LOCK_WAIT_MS = 60_000

/** Gives what is wrong with the layer's index; a folder that does not exist is left so. */
export async function tidyLayer(core: Core, place: Place, layer: Layer): Promise<readonly string[]> {
  const problems = await tidyFiles(core, layer)
  await askAboutFiles(core, place, layer)
  await keepSummaryTrue(core, layer, place.current().global)
  return problems
}

/** MEMORY.md and the history of one layer, under its lock. */
async function tidyFiles({ files, isToolWritten, history, earned }: Core, layer: Layer): Promise<readonly string[]> {
  const { state, files: notes } = await files.list(layer)
  // An empty folder may be a disk that is not mounted: the next write into it says that it is not.
  if (state !== 'ok' || notes.length === 0) return []
  const problems = await files.withLock(layer, { waitMs: WORKER_LOCK_WAIT_MS }, async (locked) => {
    const tidied = (await regenerateIndex(locked, layer, { isToolWritten, earned })).problems
    await history.catchUp(locked)
    return tidied
  })
  await history.pack(layer)
  return problems
}

/** What an agent's own tools wrote is a fact until the user says that it is a rule (spec I11). */
async function askAboutFiles({ options, onProblem }: Core, place: Place, layer: Layer): Promise<void> {
  const mode = modeOf(layer, options.loaded.config)
  if (mode === 'off' || mode === 'read-only') return
  try {
    await place.writer.review.askAboutFiles(layer)
  } catch (error) {
    onProblem(error, 'proposals')
  }
}
