/** What turns the index's score into the final one (spec R3, R5, R6). Every factor is a part of `explain`. */
import type { ScoreParts } from '../domain/index.ts'
import { analyseText, isSingle } from '../store/search-index/analyse.ts'
import type { IndexQuery } from '../store/search-index/search-index.ts'

/** A row that holds all of the question counts 1 + this times as much as its words alone. */
const COVERAGE_LIFT = 3
/** Words that stand beside each other in the question and in the text. */
const PHRASE_LIFT = 0.3
/** UTF-16 units of a text in which neighbours are looked for. */
const PHRASE_TEXT_LENGTH = 20_000
const DAY_MS = 86_400_000
/** Age is a tie-breaker: strong decay was measured to be harmful. */
const HALF_LIFE_DAYS = 180
const LEAST_FACTOR = 0.9

export interface FactorInput {
  readonly score: number
  readonly coverage: number
  /** UTC ISO 8601; null = undated, which counts as very old. */
  readonly updated: string | null
  /** 0..1 */
  readonly confidence: number
  /** Text in which the words of the question may stand beside each other; null = not looked at. */
  readonly text: string | null
  readonly query: IndexQuery
  readonly nowMs: number
}

export function scoreParts(input: FactorInput): ScoreParts {
  const coverage = 1 + COVERAGE_LIFT * input.coverage
  const phrase = input.text === null ? 1 : 1 + PHRASE_LIFT * phraseShare(input.query, input.text)
  const recency = recencyFactor(input.updated, input.nowMs)
  const confidence = LEAST_FACTOR + (1 - LEAST_FACTOR) * Math.min(1, Math.max(0, input.confidence))
  return {
    lexical: input.score,
    phrase,
    coverage,
    recency,
    confidence,
    final: input.score * coverage * phrase * recency * confidence,
  }
}

/** Between 0.9 and 1. */
function recencyFactor(updated: string | null, nowMs: number): number {
  const thenMs = updated === null ? Number.NaN : Date.parse(updated)
  if (Number.isNaN(thenMs)) return LEAST_FACTOR
  const days = Math.max(0, nowMs - thenMs) / DAY_MS
  return LEAST_FACTOR + (1 - LEAST_FACTOR) * 0.5 ** (days / HALF_LIFE_DAYS)
}

/** Share of neighbouring words of the question that are neighbours in the text too: 0..1. */
function phraseShare(query: IndexQuery, text: string): number {
  const words = query.words.filter((term) => term.standsFor === undefined).map((term) => term.text)
  const pairs = words.slice(1).map((word, at) => `${words[at]} ${word}`)
  const grams = query.grams.filter((term) => term.standsFor === undefined && term.weight === 1 && !isSingle(term.text))
  const asked = pairs.length + grams.length
  if (asked === 0) return 0
  const terms = analyseText(text.slice(0, PHRASE_TEXT_LENGTH))
  const beside = new Set(terms.words.slice(1).map((word, at) => `${terms.words[at]} ${word}`))
  const present = new Set(terms.grams)
  const found =
    pairs.filter((pair) => beside.has(pair)).length + grams.filter(({ text: gram }) => present.has(gram)).length
  return found / asked
}
