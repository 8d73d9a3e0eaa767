/** What must be in the index before a search. An index that cannot be brought up to date never fails the search. */
import type { Layer, RecallInput } from '../domain/index.ts'
import type { Core } from './core.ts'
import type { Place } from './place.ts'

/** Gives why the index may not know what the files say now, or null. */
export async function prepare(core: Core, place: Place, target: RecallInput['in']): Promise<string | null> {
  const { view, stores, onProblem } = core
  let stale: string | null = null
  for (const layer of target === 'sessions' ? [] : place.layers()) {
    const failed = await syncNotes(core, layer)
    stale ??= failed
  }
  if (target === 'notes' || target === undefined) return stale
  try {
    const store = stores.sessions()
    // Only what this folder may see is searched, so only that must be up to date.
    if (store) await view.sync.sessions(store, { projects: [place.projectKey()] })
  } catch (error) {
    onProblem(error, 'sessions')
  }
  return stale
}

/** An index that another process is writing to is nearly up to date, and scanning costs more than it gives. */
async function syncNotes(core: Core, layer: Layer): Promise<string | null> {
  try {
    const report = await core.view.sync.layer(layer)
    return report.failure && report.failure.code !== 'SQLITE_BUSY' ? report.failure.message : null
  } catch (error) {
    core.onProblem(error, 'sync')
    return null
  }
}
