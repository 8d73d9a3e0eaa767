/** What the recall room needs and what it offers. */
import type {
  Clock,
  Evidence,
  Layer,
  LayerName,
  RecallInput,
  RecallResult,
  SessionSearchResult,
} from '../domain/index.ts'
import type { Here } from '../store/notes/precedence.ts'
import type { IndexedNote, IndexedNoteRow, SearchIndex } from '../store/search-index/search-index.ts'
import type { SessionStore } from '../store/sessions/session-store.ts'
import type { AliasTable } from './aliases.ts'
import type { AskSemantic } from './candidates.ts'
import type { Rerank } from './rerank.ts'
import type { Select } from './select-notes.ts'

/** A note as it is on disk now, masked and scanned: what `sync` would put into the index. */
export type RecallNote = Pick<
  IndexedNote,
  | 'id'
  | 'layer'
  | 'file'
  | 'name'
  | 'description'
  | 'type'
  | 'status'
  | 'tags'
  | 'aliases'
  | 'mutes'
  | 'appliesTo'
  | 'expires'
  | 'pinned'
  | 'confidence'
  | 'voice'
  | 'updated'
  | 'hash'
  | 'body'
  | 'withheld'
> & {
  /** Where it comes from, and what it replaced; absent where only the head was read. */
  readonly source?: readonly Evidence[]
  readonly supersedes?: readonly string[]
}

export interface RecallDependencies {
  /** The index to search. May throw INDEX_UNAVAILABLE or a SQLITE_ code; then `scan` is asked. */
  readonly index: () => SearchIndex
  /** An index in memory, filled from the files of these layers, for when the real one cannot be used. */
  readonly scan?: (layers: readonly Layer[]) => Promise<SearchIndex>
  /** The layers that this caller may see: global, and the project's when there is one. */
  readonly layers: () => readonly Layer[]
  /** Where the caller stands (spec S5). Default: nothing is narrowed out. */
  readonly here?: () => Here
  /** Reads one note back from its file; null when it is gone. Every note is read before it is returned. */
  readonly readNote: (layer: string, file: string) => Promise<RecallNote | null>
  /** Captured conversations; null or absent when no SQLite works here. */
  readonly sessions?: () => SessionStore | null
  /** True while there is nothing to search yet: then an absent store is no fault. */
  readonly noSessionsYet?: () => boolean
  readonly clock: Clock
  /** Nearness in meaning, asked where words are not good enough. Default: words alone. */
  readonly semantic?: AskSemantic
  /** Puts the best results into the order of a model. Default: there is none. */
  readonly rerank?: Rerank
  /** Lets a model choose the notes for a message. Default: words decide. */
  readonly select?: Select
  /** What these notes earned (spec R10), 0..1, by id; a note that is not in it is untried and has 0.5. */
  readonly trustOf?: (ids: readonly string[]) => ReadonlyMap<string, number>
  /** Pairs of the user, beside the shipped ones. */
  readonly aliases?: AliasTable
}

/** A note for the turn block: its text, and why it was found. */
export interface TurnHit {
  readonly note: RecallNote
  readonly layer: LayerName
  /** Null: a model chose it. */
  readonly score: number | null
  readonly coverage: number | null
}

export interface TurnQuery {
  readonly prompt: string
  /** Default 5. */
  readonly limit?: number
  /** Tools that just worked; asked when a note is about tools. */
  readonly worked?: () => readonly string[]
  /** Notes that the conversation still shows, which a model is not offered again. */
  readonly isShown?: (note: Pick<RecallNote, 'id' | 'hash'>) => boolean
  readonly signal?: AbortSignal
}

export interface TurnChoice {
  readonly hits: readonly TurnHit[]
  /** What stood in the way: of the model, of the index. */
  readonly problems: readonly string[]
}

export interface SessionSearchInput {
  readonly query: string
  /** Sessions; 1..50, default 10. */
  readonly limit?: number
  readonly signal?: AbortSignal
}

export interface NearOptions {
  /** Share of the rare words that a note must hold; default `NEAR_COVERAGE`. */
  readonly leastCoverage?: number
}

export type NearRow = IndexedNoteRow & { readonly coverage: number }

export interface Recall {
  /** Never throws for any query text. Throws INPUT_INVALID for bounds that make no sense, INDEX_UNAVAILABLE only when neither index nor scan can be used. */
  recall(input: RecallInput): Promise<RecallResult>
  /** Notes whose words are near this text, for the writer to look at; best first. Not read back from disk. */
  nearest(text: string, scopes: readonly string[], limit: number, options?: NearOptions): NearRow[]
  /** Notes above the strict floor for one user message; none is the usual answer. */
  turnHits(query: TurnQuery): Promise<readonly TurnHit[]>
  /** The same, chosen by a model where there is one; where it cannot be asked, words decide. Never inside a hook. */
  turnChoice(query: TurnQuery): Promise<TurnChoice>
  /** Those of these notes that count here; `prompt`: words that may name the paths they are narrowed to. */
  counting(notes: readonly RecallNote[], prompt: string): Promise<RecallNote[]>
  /** Conversations by words, grouped, with passages around the matches. */
  searchSessions(input: SessionSearchInput): Promise<SessionSearchResult>
}
