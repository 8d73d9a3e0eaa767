/**
 * What a run can know without reading it again: each search begins with a look at what changed, so that look must cost
 * little where nothing did. Nothing is trusted for a time: what was read holds as long as the same open stores say that
 * nothing was written to them, by whomever. Files are looked at in every run.
 */
import type { IndexedNoteRow, SearchIndex } from './search-index/search-index.ts'
import type { SessionStore } from './sessions/session-store.ts'
import type { StateStore } from './state/state-store.ts'
import type { SessionSyncReport } from './sync-report.ts'

/** A place has a handful of layers; a refresh goes through all of them, and must not keep the whole home in memory. */
const MAX_KEPT_LAYERS = 4
const MAX_KEPT_ROWS = 50_000
const MAX_KEPT_PROJECTS = 8

export interface KnownLayer {
  /** By file. */
  readonly rows: readonly IndexedNoteRow[]
  /** File to hash of the files that have keys; null without a state store. */
  readonly keyed: ReadonlyMap<string, string> | null
}

/** The rows and keys of a layer, as the two stores hold them now. */
export type KnownLayers = (layer: string, index: SearchIndex, state: StateStore | null) => KnownLayer

export function createKnownLayers(): KnownLayers {
  const kept = createKept<KnownLayer>(MAX_KEPT_LAYERS)
  return (layer, index, state) => {
    const known = kept.get(layer, [index, state])
    if (known.value) return known.value
    const read = { rows: index.notesOf(layer), keyed: state?.keyedFiles(layer) ?? null }
    if (read.rows.length <= MAX_KEPT_ROWS) known.keep(read)
    return read
  }
}

/** Runs over the sessions of some projects, and not again while both stores are as a run without work left them. */
export type KnownSessions = (
  projects: readonly (string | null)[] | undefined,
  stores: readonly [SearchIndex, SessionStore],
  run: () => Promise<SessionSyncReport>,
) => Promise<SessionSyncReport>

export function createKnownSessions(): KnownSessions {
  const kept = createKept<SessionSyncReport>(MAX_KEPT_PROJECTS)
  return async (projects, stores, run) => {
    const known = kept.get(JSON.stringify(projects ?? 'all'), stores)
    if (known.value) return known.value
    const report = await run()
    if (report.complete && report.messages === 0) known.keep(report)
    return report
  }
}

type Store = { generation(): string } | null

interface Kept<Value> {
  readonly stores: readonly Store[]
  readonly generations: string
  readonly value: Value
}

function createKept<Value>(most: number) {
  const kept = new Map<string, Kept<Value>>()
  return {
    /** `keep` notes a value under what the stores said when it was asked for: later writes by others are not missed. */
    get(key: string, stores: readonly Store[]): { value: Value | null; keep: (value: Value) => void } {
      const generations = stores.map((store) => store?.generation() ?? '').join('\n')
      const held = kept.get(key)
      const holds = held?.generations === generations && held.stores.every((store, at) => store === stores[at])
      const keep = (value: Value): void => {
        kept.delete(key)
        kept.set(key, { stores, generations, value })
        const oldest = kept.size > most ? kept.keys().next().value : undefined
        if (oldest !== undefined) kept.delete(oldest)
      }
      return { value: holds ? held.value : null, keep }
    },
  }
}
