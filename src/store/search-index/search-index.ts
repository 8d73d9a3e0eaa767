/**
 * Port to the derived search index: rows for lists, words for recall. It holds nothing that cannot be rebuilt from
 * files and sessions.db. Drivers: `sqlite-search-index` (index.db) and `memory-search-index` (scan; also the fallback
 * when no index can be opened). Scores of both are BM25 over the same fields, so that order and scores agree: a score
 * depends only on the rows of the scopes that are searched, never on other projects or on the history of writes.
 *
 * A scope is a layer key (`global`, `projects/<folder>`) for notes and `session:<project key or none>` for messages.
 * Every hit's scope is compared again in code before it leaves the port.
 */
import type { NoteStatus, NoteType, Voice } from '../../domain/index.ts'
import type { VectorIndex } from './vector-index.ts'

/** One note as the index keeps it. Text fields are masked and scanned already. */
export interface IndexedNote {
  readonly id: string
  readonly layer: string
  readonly file: string
  readonly name: string
  readonly description: string
  readonly type: NoteType
  readonly status: NoteStatus
  readonly pinned: boolean
  readonly tags: readonly string[]
  readonly aliases: readonly string[]
  readonly mutes: readonly string[]
  readonly appliesTo: readonly string[]
  readonly expires: string | null
  readonly confidence: number
  readonly voice: Voice
  readonly created: string | null
  readonly updated: string | null
  readonly hash: string
  /** Keyed hash of the normalised text, so that a later removal by hand can leave a tombstone without the text. */
  readonly textKey: string
  readonly body: string
  readonly size: number
  readonly mtimeMs: number
  readonly inode: number
  /** Milliseconds at which this version was looked at. */
  readonly lookedAt: number
  /** Problem kinds of the file; a note with problems is still searchable. */
  readonly problems: readonly string[]
  /** Withheld: a threat was found; listed, never recalled or injected. */
  readonly withheld: string | null
}

/** What lists need: everything but the words. */
export type IndexedNoteRow = Omit<IndexedNote, 'body'>

export interface IndexedMessage {
  readonly session: string
  readonly ordinal: number
  /** `session:<project key or none>` */
  readonly scope: string
  readonly speaker: string
  readonly body: string
}

/**
 * A parsed query. Words are stems as `analyse.ts` makes them; grams are bigrams of scripts without spaces, or a single
 * such character, which finds every row that holds it.
 */
export interface IndexQuery {
  readonly words: readonly IndexTerm[]
  readonly grams: readonly IndexTerm[]
  /** Quoted phrases: each a run of words or of grams that must stand together. They weigh more; they do not filter. */
  readonly phrases: readonly { readonly words: readonly string[]; readonly grams: readonly string[] }[]
  /** Words with a trailing `*`, not stemmed. */
  readonly prefixes: readonly string[]
}

export interface IndexTerm {
  readonly text: string
  /** 1 for words of the query, 0.5 for aliases. */
  readonly weight: number
  /** Terms of one group say the same thing (a word and its aliases): coverage counts the group once. */
  readonly group?: number
  /** For a term that stands in for its group (alias, joined form): which share of the group it covers, 0..1. */
  readonly standsFor?: number
  /**
   * How much its absence counts in coverage; 1 unless given. Names in the middle of a sentence count more. A term with 0
   * only orders rows that another term found: alone it finds nothing.
   */
  readonly emphasis?: number
}

export interface IndexHit<Reference> {
  readonly reference: Reference
  /** Higher is better. */
  readonly score: number
  /** Share of the query's term weight, by rarity (IDF), that this row contains: 0..1. */
  readonly coverage: number
  /** Highest IDF among the matched terms, as a share of the IDF of a word that stands in one row only: 0..1. */
  readonly rarity: number
  /** How many different terms of the query (aliases of one word count once) this row contains. */
  readonly matched: number
  /**
   * What a row of usual length that holds each thing asked for, once, would score: the same for every hit of a search,
   * so that scores over different rows (notes, messages) can be compared.
   */
  readonly full: number
  /** What was judged, in the order of the query: the points add up to `score`. */
  readonly terms: readonly JudgedTerm[]
}

/** Everything about one row but which it is. */
export type RowJudgement = Omit<IndexHit<null>, 'reference'>

export interface JudgedTerm {
  readonly kind: 'word' | 'gram' | 'prefix' | 'phrase'
  /** As it is searched: a stem, a bigram, a beginning, or the words of a phrase. */
  readonly text: string
  /** 0: the row does not hold it. */
  readonly points: number
  /** In the name or the description. */
  readonly isInHead: boolean
  /** It stands for other words of its group. */
  readonly isAlias: boolean
  /** It is asked for itself, and is no seam between two words. */
  readonly isAsked: boolean
  /** Terms of one group say the same thing. Null: a phrase, whose words are judged alone too. */
  readonly group: number | null
}

/** Narrows a search of notes. Withheld notes are never found. */
export interface NoteFilter {
  readonly status?: NoteStatus
  readonly type?: NoteType
  readonly tag?: string
  /** UTC ISO 8601 with seconds: last changed then or later, and before. Undated notes are in no time. */
  readonly changedFrom?: string
  readonly changedBefore?: string
}

export interface SearchIndex {
  /** Puts rows in and takes files out, in one transaction. Replaces rows with the same layer and file. */
  putNotes(layer: string, notes: readonly IndexedNote[], removedFiles: readonly string[]): void
  /** All rows of a layer, by file. */
  notesOf(layer: string): IndexedNoteRow[]
  /** Best first; equal scores by newest `updated`, then layer, then file. */
  searchNotes(
    query: IndexQuery,
    scopes: readonly string[],
    limit: number,
    filter?: NoteFilter,
  ): IndexHit<IndexedNoteRow>[]
  /**
   * Active rows, not withheld, that could stand before others (spec S5): those with one of these names, compared by
   * `comparableName`, and those that mute any note. By layer, then file.
   */
  silencers(scopes: readonly string[], names: readonly string[]): IndexedNoteRow[]
  /** Active rows, not withheld, that have aliases (spec R10): at most `limit`, newest first, then layer, then file. */
  aliased(scopes: readonly string[], limit: number): IndexedNoteRow[]
  /** Judges one note as if it stood in the index now: for a file that changed after it was indexed. Null = no match. */
  judgeNote(query: IndexQuery, scopes: readonly string[], note: NoteText): RowJudgement | null
  putMessages(messages: readonly IndexedMessage[]): void
  removeSession(session: string): void
  /** Best first; equal scores by session, then position. */
  searchMessages(
    query: IndexQuery,
    scopes: readonly string[],
    limit: number,
  ): IndexHit<{ session: string; ordinal: number }>[]
  /** Number of messages held for a session, to see what still has to be indexed. */
  messageCount(session: string): number
  /** Search by meaning, for who has vectors. */
  readonly vectors: VectorIndex
  /** Another text whenever rows may have changed since, by whomever: what was read under an equal one still holds. */
  generation(): string
  /** Deletes everything. */
  clear(): void
  close(): void
}

/** The words of a note that are searched. */
export type NoteText = Pick<IndexedNote, 'name' | 'description' | 'tags' | 'aliases' | 'body'>

/** Scope of a captured conversation: of a project's key, or outside any project. */
export function sessionScope(project: string | null): string {
  return `session:${project ?? 'none'}`
}
