/**
 * Brings the derived index up to date with the files of a layer and with the captured messages. Idempotent, driven by
 * content hash: size, time and inode only say what to read again. It may run at any time, in any process, as often as
 * one likes; what it could not do now it does at the next run. It never throws: the index may lag, a write may not fail.
 */
import type { Layer } from '../domain/index.ts'
import type { SessionStore } from './sessions/session-store.ts'
import { createKnownLayers, createKnownSessions } from './sync-known.ts'
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
}

export function createSync(dependencies: SyncDependencies): Sync {
  const knownLayers = createKnownLayers()
  const knownSessions = createKnownSessions()
  return {
    layer: (layer, options = {}) => syncLayer({ ...dependencies, knownLayers }, layer, options),
    sessions: (store, options = {}) => syncSessions({ ...dependencies, knownSessions }, store, options),
  }
}
