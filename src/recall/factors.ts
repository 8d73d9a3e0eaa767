/**
 * What turns the index's score into a comparable one (spec R3, R5, R6). 1 is a row of usual length that holds each thing
 * asked for, once; more is better. Every factor is a part of `explain`.
 */
import { analyseText, isSingle } from '../store/search-index/analyse.ts'
import type { IndexQuery } from '../store/search-index/search-index.ts'
import type { Candidate } from './candidates.ts'

/** A row that holds all of the question counts 1 + this times as much as its words alone. */
const COVERAGE_LIFT = 3
/** Words that stand beside each other in the question and in the text. */
const PHRASE_LIFT = 0.3
/** What the nearest meaning adds, where a row that holds all that was asked has 1. It is added, so it sinks nothing. */
const SEMANTIC_SHARE = 0.4
/** UTF-16 units of a text in which neighbours are looked for. */
const PHRASE_TEXT_LENGTH = 20_000
const DAY_MS = 86_400_000
/** Age is a tie-breaker: strong decay was measured to be harmful. */
const HALF_LIFE_DAYS = 180
/** Age, confidence and trust take at most a tenth each: they order what the words leave equal. */
const LEAST_FACTOR = 0.9
/** Trust of a note that neither helped nor misled yet (spec R10). */
export const NEUTRAL_TRUST = 0.5

export interface FactorInput {
  readonly candidate: Pick<Candidate<unknown>, 'score' | 'coverage' | 'full' | 'semantic'>
  /** UTC ISO 8601; null = undated, which counts as very old. */
  readonly updated: string | null
  /** 0..1 */
  readonly confidence: number
  /** 0..1 */
  readonly trust: number
  /** Text in which the words of the question may stand beside each other; null = not looked at. */
  readonly text: string | null
  readonly query: IndexQuery
  /** How much its time counts for the question (`question.ts`); 1 = not at all. */
  readonly timeFactor?: number
  readonly nowMs: number
}

/** `final` = ((words × coverage × phrase) / full + semantic) × recency × time × confidence × trust. */
export interface NoteParts {
  /** Points of the words that were found. */
  readonly words: number
  readonly coverage: number
  readonly phrase: number
  /** What a row of usual length that holds all would have after coverage. */
  readonly full: number
  readonly semantic: number
  readonly recency: number
  readonly time: number
  readonly confidence: number
  readonly trust: number
  readonly final: number
}

export function noteParts(input: FactorInput): NoteParts {
  const { candidate, text, query } = input
  const parts = {
    words: candidate.score,
    coverage: coverageFactor(candidate.coverage),
    phrase: text === null ? 1 : 1 + PHRASE_LIFT * phraseShare(query, text),
    full: fullScore(candidate),
    semantic: SEMANTIC_SHARE * unit(candidate.semantic ?? 0),
    recency: recencyFactor(input.updated, input.nowMs),
    time: input.timeFactor ?? 1,
    confidence: tieBreaker(input.confidence),
    trust: tieBreaker(input.trust),
  }
  const { words, coverage, phrase, full, semantic, recency, time, confidence, trust } = parts
  return { ...parts, final: ((words * coverage * phrase) / full + semantic) * recency * time * confidence * trust }
}

export function coverageFactor(coverage: number): number {
  return 1 + COVERAGE_LIFT * coverage
}

/** What a row of usual length has that holds all that was asked for, once. */
export function fullScore({ full }: Pick<Candidate<unknown>, 'full'>): number {
  return full * coverageFactor(1)
}

/** Nearness in meaning in the unit of the index's scores after coverage, for what is ranked there. */
export function semanticPoints(candidate: Pick<Candidate<unknown>, 'semantic' | 'full'>): number {
  return SEMANTIC_SHARE * unit(candidate.semantic ?? 0) * fullScore(candidate)
}

function tieBreaker(share: number): number {
  return LEAST_FACTOR + (1 - LEAST_FACTOR) * unit(share)
}

function unit(value: number): number {
  return Math.min(1, Math.max(0, value))
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
