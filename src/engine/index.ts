/** Door of the engine. */

export { createAnchorVerifier } from '../inject/anchors/index.ts'
export { dialectNames, dialectOf } from '../inject/index.ts'
export type { BackupOptions, BackupResult, RestoreOptions, RestoreResult } from './backup.ts'
export { backupHome, restoreHome } from './backup.ts'
export type { EngineOptions } from './core.ts'
export { createEngine } from './create-engine.ts'
export {
  createPrefetch,
  type Prefetch,
  type PrefetchMessage,
  type PrefetchOptions,
  type PrefetchState,
} from './prefetch.ts'
export { createStores } from './stores.ts'
