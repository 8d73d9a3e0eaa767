/** Door of the deferred pipeline. */
export { runDeferred } from './run-deferred.ts'
export { layersDue, nextPassAt } from './run-stage-two.ts'
export { pruneSummary } from './summary.ts'
export type { DeferredDependencies, Held, Holding, PassPlace } from './types.ts'
