/**
 * Nearness in meaning beside search by words (spec R4). It only ever adds: without vectors, when the model fails or takes
 * too long, words alone answer and the reason is told. Masked text only is put to a model.
 */
import { hasCode, messageOf } from '../errors.ts'
import { redact } from '../guard/index.ts'
import type { Embedder } from '../models/embedder.ts'
import { TooLate, withinTime } from '../models/within-time.ts'
import type { IndexQuery, SearchIndex } from '../store/search-index/search-index.ts'
import type { Nearest, Spread, VectorModel, VectorQuery } from '../store/search-index/vector-index.ts'
import { type AskSemantic, type Candidate, meantOnly, messagePlace, type SemanticSearch } from './candidates.ts'
import { coverageFactor } from './factors.ts'
import { placeOf } from './named-notes.ts'

/** A local model loads in a second or two, a server answers sooner; a person waits no longer. */
const TIMEOUT_MS = 5_000
/** UTF-16 units of a question that are put to the model. */
const MAX_QUESTION_LENGTH = 2_000
/** How often a question about something else may find something by chance. */
const FOREIGN_CHANCE = 0.1
/** From so many rows on, the store itself tells how alike texts about different things are in it. */
const TELLING_ROWS = 30
/** Meaning weighs by what words leave open: where the best match holds the whole question, so much of it is taken off. */
const FOUND_DISCOUNT = 0.7
/** So many candidates can pass the best match by words for their meaning. */
const MOST_PASSING = 2

export interface SemanticDependencies {
  readonly index: () => Pick<SearchIndex, 'vectors'>
  readonly embedder: Embedder
  /** For tests. */
  readonly timeoutMs?: number
}

export function createSemantic({ index, embedder, timeoutMs = TIMEOUT_MS }: SemanticDependencies): AskSemantic {
  return (tell) => {
    // Notes and messages of one question are searched with one vector.
    let asked: Promise<Meaning | null> | null = null
    const meaningOf = (search: SemanticSearch): Promise<Meaning | null> => {
      asked ??= askMeaning(index().vectors, embedder, search, timeoutMs).catch((error: unknown) => {
        if (hasCode(error, 'CANCELLED')) throw error
        tell(`searched by words alone: ${messageOf(error)}`)
        return null
      })
      return asked
    }
    return {
      async notes(candidates, search) {
        const meaning = await meaningOf(search)
        if (meaning === null) return candidates
        const { scopes, limit, filter } = search
        const nearest = index().vectors.searchNotes(meaning.query, scopes, limit, filter)
        return withMeaning(candidates, judgeNearness(nearest, meaning, limit), placeOf)
      },
      async messages(candidates, search) {
        const meaning = await meaningOf(search)
        if (meaning === null) return candidates
        const nearest = index().vectors.searchMessages(meaning.query, search.scopes, search.limit)
        return withMeaning(candidates, judgeNearness(nearest, meaning, search.limit), messagePlace)
      },
    }
  }
}

export interface Meaning {
  readonly query: VectorQuery
  readonly unrelated: Spread
}

/** Rejects with a sentence for people when meaning cannot be searched. */
async function askMeaning(
  vectors: SearchIndex['vectors'],
  embedder: Embedder,
  search: SemanticSearch,
  timeoutMs: number,
): Promise<Meaning> {
  const model = vectors.model(embedder.id)
  if (model === null) throw new Error(`${embedder.id} has seen no text yet; keepsake refresh shows it what there is`)
  const unrelated = unrelatedIn(search.query, model)
  if (unrelated === null) throw new Error(`${embedder.id} does not know this language`)
  const vector = await embedQuestion(embedder, search, timeoutMs)
  if (vector.length === model.dimensions) return { query: { model: model.name, vector }, unrelated }
  vectors.dropModel(model.name)
  throw new Error(`${embedder.id} gives other vectors than before; they are made anew by keepsake refresh`)
}

/** Null: the model does not know the language of the question. */
function unrelatedIn({ words, grams }: IndexQuery, { spaced, unspaced }: VectorModel): Spread | null {
  const own = (terms: IndexQuery['words']) => terms.filter(({ standsFor }) => standsFor === undefined).length
  // A word is about two characters of a script without spaces.
  return own(grams) > 2 * own(words) ? unspaced : spaced
}

async function embedQuestion(
  embedder: Embedder,
  { text, signal }: SemanticSearch,
  timeoutMs: number,
): Promise<Float32Array> {
  const masked = redact(text).text.slice(0, MAX_QUESTION_LENGTH)
  const ask = (stop: AbortSignal) => embedder.embed([masked], { use: 'query', signal: stop })
  const [vector] = await withinTime(ask, { timeoutMs, signal }).catch((error: unknown) => {
    throw error instanceof TooLate ? new Error(`${embedder.id} gave ${error.message}`) : error
  })
  if (vector === undefined || !vector.every(Number.isFinite)) throw new Error(`${embedder.id} gave no vector`)
  return vector
}

export interface Nearness<Reference> {
  readonly hits: Nearest<Reference>['hits']
  /** Rows at least so similar are worth finding without a common word. */
  readonly floor: number
  /** Similarity as 0..1: 0 for what is no more alike than any two texts are, 1 for the nearest that counts. */
  shareOf(similarity: number): number
}

/** Measures what is near against what is near by chance. `limit`: rows that were asked for. */
export function judgeNearness<Reference>(
  { hits, rows, spread }: Nearest<Reference>,
  { unrelated }: Pick<Meaning, 'unrelated'>,
  limit: number,
): Nearness<Reference> {
  const above = ({ mean, deviation }: Spread) => mean + rareness(FOREIGN_CHANCE / Math.max(1, rows)) * deviation
  const floor = Math.max(above(unrelated), rows < TELLING_ROWS ? -1 : above(spread))
  const [first, last] = [hits[0], hits[hits.length - 1]]
  // What lies behind a full list is not known, so its last one is where likeness begins.
  const least = Math.max(unrelated.mean, hits.length >= limit ? (last?.similarity ?? -1) : -1)
  const most = Math.max(floor, first?.similarity ?? -1)
  const shareOf = (similarity: number) => Math.min(1, Math.max(0, (similarity - least) / (most - least || 1)))
  return { hits, floor, shareOf }
}

/** How many deviations above the mean a value lies that is met with this chance (tail of the normal distribution). */
function rareness(chance: number): number {
  const weight = Math.log(1 / chance)
  return Math.sqrt(Math.max(0, 2 * weight - Math.log(4 * Math.PI * weight)))
}

/**
 * The candidates with their nearness, and what is near enough without any word. The best match by words counts as at
 * least as near as the third nearest, so meaning lets no more than two others pass it.
 */
export function withMeaning<Reference>(
  candidates: readonly Candidate<Reference>[],
  { hits, floor, shareOf }: Nearness<Reference>,
  keyOf: (reference: Reference) => string,
): Candidate<Reference>[] {
  const similarityOf = new Map(hits.map(({ reference, similarity }) => [keyOf(reference), similarity]))
  const wordPoints = ({ score, coverage }: Candidate<Reference>) => score * coverageFactor(coverage)
  const best = candidates.reduce<Candidate<Reference> | null>(
    (most, each) => (most === null || wordPoints(each) > wordPoints(most) ? each : most),
    null,
  )
  const leastOfBest = shareOf(hits[MOST_PASSING]?.similarity ?? -1)
  const weight = 1 - FOUND_DISCOUNT * (best?.coverage ?? 0)
  const known = candidates.map((candidate) => {
    const similarity = similarityOf.get(keyOf(candidate.reference))
    const own = similarity === undefined ? 0 : shareOf(similarity)
    const semantic = candidate === best ? Math.max(own, leastOfBest) : own
    return { ...candidate, semantic: weight * semantic, meant: similarity !== undefined && similarity >= floor }
  })
  const keys = new Set(candidates.map(({ reference }) => keyOf(reference)))
  const added = hits
    .filter(({ reference, similarity }) => similarity >= floor && !keys.has(keyOf(reference)))
    .map(({ reference, similarity }) => meantOnly(reference, weight * shareOf(similarity), candidates))
  return [...known, ...added]
}
