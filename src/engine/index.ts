/** Door of the engine. */

export type { EngineOptions } from './core.ts'
export { createEngine } from './create-engine.ts'
