/** What `sync` is asked for and what it says it did. */
import type { Clock, Layer, Note } from '../domain/index.ts'
import { MemoryError, type MemoryErrorCode, messageOf } from '../errors.ts'
import type { GuardedText } from '../guard/index.ts'
import type { NoteFiles } from './notes/note-files.ts'
import type { SearchIndex } from './search-index/search-index.ts'
import type { StateStore } from './state/state-store.ts'
import type { Tombstones } from './tombstones.ts'

export interface SyncDependencies {
  readonly files: Pick<NoteFiles, 'list' | 'read'>
  /** Asked for at each run, so that an index that was set aside can be opened anew. May throw MemoryErrors. */
  readonly index: () => SearchIndex
  /**
   * Null where no database can be had (the index is in memory then): no dates of bare files, no removals by hand. May
   * throw MemoryErrors: the run ends and nothing is decided.
   */
  readonly state: () => StateStore | null
  readonly tombstones: Pick<Tombstones, 'textKey' | 'nameKey' | 'evidenceKey' | 'has' | 'add'>
  /** When the words of a file without a date became what they are, milliseconds. Default: nothing but state says it. */
  readonly lastChangeMs?: (layer: Layer, note: Note) => Promise<number | null>
  /** Which files a tool call of a transcript wrote (absolute paths). */
  readonly toolWrites: { has(path: string): boolean }
  readonly guardText: (text: string) => GuardedText
  /** True for bytes (by their hash) that a person wants kept although they match a threat. Default: none. */
  readonly isConfirmed?: (hash: string) => boolean
  /**
   * Another text whenever `toolWrites` or `isConfirmed` may say something else. Given, large layers that lie quiet are not
   * looked at again.
   */
  readonly generation?: () => string
  readonly clock: Clock
  /** Keys of other layers in which a note that left this one may have arrived. Default: none. */
  readonly otherLayers?: () => readonly string[]
}

export interface LayerSyncOptions {
  readonly signal?: AbortSignal
  /** Read every file, whatever size and time say (doctor). */
  readonly hashAll?: boolean
}

export interface SyncFailure {
  readonly code: MemoryErrorCode
  readonly message: string
  readonly hint: string | null
}

export interface WithheldNote {
  readonly file: string
  readonly id: string
  readonly hash: string
  /** Ids of the threats. */
  readonly reason: string
}

export interface SyncReport {
  readonly layer: string
  /** `vanished`: the folder is gone or unreadable, the index was kept. `failed`: see `failure`; the rest is done later. */
  readonly state: 'ok' | 'empty' | 'vanished' | 'failed'
  /** Files listed, and read. */
  readonly listed: number
  readonly read: number
  /** Rows whose content is new. */
  readonly changed: number
  /** Rows that left the index: their file is gone (or no note any more). */
  readonly removed: number
  /** Of the missing ones: at another path, back again, forgotten for good now, gone together with too many others. */
  readonly moved: number
  readonly returned: number
  readonly forgotten: number
  readonly removedTogether: number
  /** Newly found in this run, at most 50; `withheldOmitted` more. */
  readonly withheld: readonly WithheldNote[]
  readonly withheldOmitted: number
  /** Sentences, at most 20; `problemsOmitted` more. */
  readonly problems: readonly string[]
  readonly problemsOmitted: number
  readonly failure: SyncFailure | null
}

export interface SessionSyncOptions {
  /** Only sessions of these projects (null = outside any project). Default: all. */
  readonly projects?: readonly (string | null)[]
  readonly signal?: AbortSignal
  /** Stops after about this many messages; default 20,000. */
  readonly maxMessages?: number
}

export interface SessionSyncReport {
  /** Messages brought in, of how many sessions. */
  readonly messages: number
  readonly sessions: number
  /** False when `maxMessages`, the signal or a failure stopped it: call again. */
  readonly complete: boolean
  readonly failure: SyncFailure | null
}

/** What a report says about anything that was thrown. */
export function toFailure(error: unknown): SyncFailure {
  if (MemoryError.isInstance(error)) return { code: error.code, message: error.message, hint: error.hint ?? null }
  return { code: 'INTERNAL', message: messageOf(error), hint: null }
}

/** What a run counts on its way. */
export interface Tally {
  listed: number
  read: number
  changed: number
  removed: number
  unreadable: number
  readonly withheld: WithheldNote[]
  readonly problems: string[]
}

export function emptyTally(): Tally {
  return { listed: 0, read: 0, changed: 0, removed: 0, unreadable: 0, withheld: [], problems: [] }
}

const MAX_WITHHELD = 50
const MAX_PROBLEMS = 20
const NOTHING_SETTLED = { moved: 0, returned: 0, forgotten: 0, removedTogether: 0, failure: null } as const

export function reportOf(
  layer: string,
  { listed, read, changed, removed, withheld, problems }: Tally,
  outcome: Pick<SyncReport, 'state'> & Partial<SyncReport>,
): SyncReport {
  return {
    layer,
    listed,
    read,
    changed,
    removed,
    withheld: withheld.slice(0, MAX_WITHHELD),
    withheldOmitted: Math.max(0, withheld.length - MAX_WITHHELD),
    problems: problems.slice(0, MAX_PROBLEMS),
    problemsOmitted: Math.max(0, problems.length - MAX_PROBLEMS),
    ...NOTHING_SETTLED,
    ...outcome,
  }
}
