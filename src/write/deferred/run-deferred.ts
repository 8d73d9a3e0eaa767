/** The deferred pipeline (spec W14): idle conversations are read, then the notes are tidied with what they taught. */
import type { DeferredReport } from '../../domain/index.ts'
import { runStageOne } from './run-stage-one.ts'
import { runStageTwo } from './run-stage-two.ts'
import type { DeferredDependencies } from './types.ts'

/** Why nothing was done when another process has the lease. */
const TAKEN = 'another process does it'

/** Throws CANCELLED when the caller gave up; what was done before stays done. */
export async function runDeferred(dependencies: DeferredDependencies): Promise<DeferredReport> {
  const report = await dependencies.holding(async (held) => {
    const one = await runStageOne(dependencies, held)
    return { one, two: await runStageTwo(dependencies, held) }
  })
  if (report !== null) return report
  return {
    one: { memories: 0, nothing: 0, failed: 0, waiting: 0, stopped: TAKEN },
    two: { passes: [], waiting: 0, stopped: TAKEN },
  }
}
