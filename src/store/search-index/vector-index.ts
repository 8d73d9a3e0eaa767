/**
 * Vectors of rows, for search by meaning: a part of the search index, derived like its words and gone with them. A row
 * has one vector at most; one that another model made counts as missing and is never compared. How vectors are made is
 * not known here.
 */
import type { IndexedNoteRow, NoteFilter } from './search-index.ts'

/** Similarities of texts about different things: their mean, and how far they lie around it. */
export interface Spread {
  readonly mean: number
  readonly deviation: number
}

/** A model that made vectors of this index. */
export interface VectorModel {
  readonly name: string
  readonly dimensions: number
  /** Of unrelated texts in scripts with spaces and without; null where the model knows no such language. */
  readonly spaced: Spread | null
  readonly unspaced: Spread | null
}

/** A note as it was when its words were read: only with this hash does the vector belong to it. */
export type NotePlace = Pick<IndexedNoteRow, 'layer' | 'file' | 'hash'>

export interface MessagePlace {
  readonly session: string
  readonly ordinal: number
}

/** A null vector says that the model has none for this text: it is not asked again. Any length, they are normalised. */
export type WithVector<Place> = Place & { readonly vector: Float32Array | null }

export interface VectorQuery {
  readonly model: string
  readonly vector: Float32Array
}

export interface VectorHit<Reference> {
  readonly reference: Reference
  /** Cosine: -1..1. */
  readonly similarity: number
}

export interface Nearest<Reference> {
  readonly hits: readonly VectorHit<Reference>[]
  /** Of all rows that were compared, whatever the filter: how many, and how alike they are to the query. */
  readonly rows: number
  readonly spread: Spread
}

/** Rows that have been put to the model, of all that can be. */
export interface VectorCount {
  readonly done: number
  readonly of: number
}

export interface VectorIndex {
  /** Null while nothing is kept of it. */
  model(name: string): VectorModel | null
  /** Vectors that a model of this name made before are dropped. */
  beginModel(model: VectorModel): void
  dropModel(name: string): void
  /**
   * For rows that still stand as they were read; what changed or went meanwhile gets none. Throws INPUT_INVALID for a
   * model that was not begun, or a vector of another length.
   */
  putNotes(model: string, vectors: readonly WithVector<NotePlace>[]): void
  putMessages(model: string, vectors: readonly WithVector<MessagePlace>[]): void
  /** Active notes of these layers, not withheld, without a vector of this model. */
  missingNotes(model: string, layers: readonly string[], limit: number): NotePlace[]
  missingMessages(model: string, scopes: readonly string[], limit: number): MessagePlace[]
  countNotes(model: string, layers: readonly string[]): VectorCount
  countMessages(model: string, scopes: readonly string[]): VectorCount
  /** Nearest first, equal ones in the order of hits; none when the model is unknown or the length is another. */
  searchNotes(
    query: VectorQuery,
    scopes: readonly string[],
    limit: number,
    filter?: NoteFilter,
  ): Nearest<IndexedNoteRow>
  searchMessages(query: VectorQuery, scopes: readonly string[], limit: number): Nearest<MessagePlace>
}
