/**
 * What a search found, before factors, and the seam for nearness in meaning (spec R4): words are asked first, and where
 * they are not good enough a step may raise candidates and add others. It never lowers one.
 */
import type { IndexedNoteRow, IndexHit, IndexQuery, NoteFilter } from '../store/search-index/search-index.ts'

export type MessageReference = { readonly session: string; readonly ordinal: number }

export function messagePlace({ session, ordinal }: MessageReference): string {
  return `${session}\n${ordinal}`
}

/** A row with its scores by words and, where meaning was asked, how near it is in meaning. */
export interface Candidate<Reference> extends IndexHit<Reference> {
  /** 0 (as far as anything) to 1 (the nearest there could be), as the step normalises it. Absent: not known. */
  readonly semantic?: number
  /** Near enough in meaning to be found without a rare word. Never unasked: the floor of turn blocks looks at words. */
  readonly meant?: boolean
}

export interface SemanticSearch {
  /** The question as it was asked. */
  readonly text: string
  readonly query: IndexQuery
  readonly scopes: readonly string[]
  /** Most candidates that come back. */
  readonly limit: number
  readonly signal?: AbortSignal
}

/** For one question. `tell` hears, for people, why words alone were searched. */
export type AskSemantic = (tell: (reason: string) => void) => SemanticStep

/** Gives the candidates again, with `semantic`, and those that only meaning finds. A failure is told, not thrown. */
export interface SemanticStep {
  notes(
    candidates: readonly Candidate<IndexedNoteRow>[],
    search: SemanticSearch & { readonly filter: NoteFilter },
  ): Promise<readonly Candidate<IndexedNoteRow>[]>
  messages(
    candidates: readonly Candidate<MessageReference>[],
    search: SemanticSearch,
  ): Promise<readonly Candidate<MessageReference>[]>
}

/** From this share of what was asked on, words alone are good enough: meaning and models are not asked. */
const GOOD_ENOUGH_COVERAGE = 0.9

/** Results of an asked search that a model may put into order. */
export const RERANK_CANDIDATES = 20

/** Whether some row holds (nearly) all that was asked for. */
export function isGoodEnough(candidates: readonly Candidate<unknown>[]): boolean {
  return candidates.some(({ coverage }) => coverage >= GOOD_ENOUGH_COVERAGE)
}

/** A candidate that holds no word of the question; `others`: those of the same search. */
export function meantOnly<Reference>(
  reference: Reference,
  semantic: number,
  others: readonly Candidate<unknown>[],
): Candidate<Reference> {
  return {
    reference,
    semantic,
    meant: true,
    score: 0,
    coverage: 0,
    rarity: 0,
    matched: 0,
    full: others[0]?.full ?? 1,
    terms: [],
  }
}
