/**
 * What a run can know without reading it again: each search begins with a look at what changed, so that look must cost
 * little where nothing did. What was read holds as long as the same open stores say that nothing was written to them, by
 * whomever. Files are looked at in every run, but for large layers whose folder is watched.
 */
import { type FolderWatch, watchFolder } from './notes/folder-watch.ts'
import type { IndexedNoteRow, SearchIndex } from './search-index/search-index.ts'
import type { SessionStore } from './sessions/session-store.ts'
import type { StateStore } from './state/state-store.ts'
import type { SessionSyncReport, SyncReport } from './sync-report.ts'

/** A place has a handful of layers; a refresh goes through all of them, and must not keep the whole home in memory. */
const MAX_KEPT_LAYERS = 4
const MAX_KEPT_ROWS = 50_000
const MAX_KEPT_PROJECTS = 8
/** Fewer files cost less to look at than a watch does. */
const MIN_WATCHED_FILES = 500
/** However quiet a folder is, its files are looked at after this time: a file that is mapped into memory changes unheard. */
const MAX_QUIET_MS = 60_000

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

export interface LookedAt {
  readonly directory: string
  /**
   * Whatever else decides what a look finds: the stores, answers of a person, what transcripts claim. The stores
   * themselves are in it: one that was opened anew counts its writes from the beginning. Null: not known.
   */
  readonly generation: () => readonly unknown[] | null
  readonly now: number
  readonly look: () => Promise<SyncReport>
}

/** Looks at a layer, and not again while its watched folder is quiet and nothing else that a look depends on changed. */
export interface QuietLayers {
  run(looked: LookedAt): Promise<SyncReport>
  close(): void
}

interface QuietLayer {
  readonly watch: FolderWatch
  readonly generation: readonly unknown[]
  readonly report: SyncReport
  readonly since: number
}

export function createQuietLayers(watchLayer: typeof watchFolder = watchFolder): QuietLayers {
  const kept = new Map<string, QuietLayer>()
  /** How many files the last look found: a process that looks once watches nothing. */
  const sizes = new Map<string, number>()
  const drop = (directory: string) => {
    kept.get(directory)?.watch.close()
    kept.delete(directory)
  }
  return {
    async run({ directory, generation, now, look }) {
      const before = generation()
      const known = kept.get(directory)
      const mayHold = known && isSame(known.generation, before) && Math.abs(now - known.since) < MAX_QUIET_MS
      if (mayHold && (await known.watch.isQuiet())) return known.report
      drop(directory)
      const isLarge = before !== null && (sizes.get(directory) ?? 0) >= MIN_WATCHED_FILES
      // Watched before it is looked at, so that nothing falls between the two.
      const watch = isLarge && kept.size < MAX_KEPT_LAYERS ? watchLayer(directory) : null
      const report = await look()
      sizes.set(directory, report.listed)
      if (watch && before !== null && report.state === 'ok' && isSame(before, generation())) {
        // Another search may have looked meanwhile.
        drop(directory)
        kept.set(directory, { watch, generation: before, report, since: now })
      } else watch?.close()
      return report
    },
    close: () => [...kept.keys()].forEach(drop),
  }
}

function isSame(one: readonly unknown[], other: readonly unknown[] | null): boolean {
  return one.length === other?.length && one.every((part, at) => part === other[at])
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
