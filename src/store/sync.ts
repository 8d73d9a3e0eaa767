/**
 * Brings the derived index up to date with the files of a layer and with the captured messages. Idempotent, driven by
 * content hash: size, time and inode only say what to read again. It may run at any time, in any process, as often as
 * one likes; what it could not do now it does at the next run. It never throws: the index may lag, a write may not fail.
 */
import type { Layer } from '../domain/index.ts'
import type { SessionStore } from './sessions/session-store.ts'
import { createKnownLayers, createKnownSessions, createQuietLayers, type LookedAt } from './sync-known.ts'
import { syncLayer } from './sync-layer.ts'
import type {
  LayerSyncOptions,
  SessionSyncOptions,
  SessionSyncReport,
  SyncDependencies,
  SyncReport,
} from './sync-report.ts'
import { syncSessions } from './sync-sessions.ts'

export type {
  LayerSyncOptions,
  SessionSyncOptions,
  SessionSyncReport,
  SyncDependencies,
  SyncFailure,
  SyncReport,
  WithheldNote,
} from './sync-report.ts'

export interface Sync {
  layer(layer: Layer, options?: LayerSyncOptions): Promise<SyncReport>
  sessions(store: SessionStore, options?: SessionSyncOptions): Promise<SessionSyncReport>
  /** Ends its watches; it may be used again. */
  close(): void
}

export function createSync(dependencies: SyncDependencies): Sync {
  const knownLayers = createKnownLayers()
  const knownSessions = createKnownSessions()
  const quiet = createQuietLayers()
  return {
    layer: (layer, options = {}) => {
      const look = () => syncLayer({ ...dependencies, knownLayers }, layer, options)
      const { generation } = dependencies
      if (generation === undefined || options.hashAll) return look()
      return quiet.run({
        directory: layer.directory,
        generation: generationOf(dependencies, generation),
        now: dependencies.clock.now(),
        look,
      })
    },
    close: quiet.close,
    sessions: (store, options = {}) => syncSessions({ ...dependencies, knownSessions }, store, options),
  }
}

/** A store that cannot be opened now is opened by the look, which says so. */
function generationOf({ index, state }: SyncDependencies, other: () => string): LookedAt['generation'] {
  return () => {
    try {
      const stores = [index(), state()]
      return [...stores, ...stores.map((store) => store?.generation()), other()]
    } catch {
      // The look that follows meets the same fault, and reports it.
      return null
    }
  }
}
