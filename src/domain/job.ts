/** Work that a model does in the background or while somebody waits, and what one piece of it may cost (spec W16). */
import type { DayBudget } from './call-ledger.ts'

export const jobKinds = [
  'extraction',
  'session-note',
  'stage-one',
  'stage-two',
  'selection',
  'rerank',
  'summary',
  'probe',
  'measure',
] as const
export type JobKind = (typeof jobKinds)[number]

/** Ceilings of one job. It does not start, and makes no further call, when it could exceed one of them. */
export interface JobBudget {
  readonly calls: number
  /** Tokens of all its calls together. */
  readonly inputTokens: number
  readonly outputTokens: number
  readonly seconds: number
  /** In the money that the prices are in. Default: not counted. */
  readonly money?: number
}

/** Somebody waits for these. */
const light: JobBudget = { calls: 1, inputTokens: 10_000, outputTokens: 1_000, seconds: 10 }

export const JOB_BUDGETS: Readonly<Record<JobKind, JobBudget>> = {
  extraction: { calls: 5, inputTokens: 30_000, outputTokens: 4_000, seconds: 120 },
  // One call: the same words are never sent twice, so an answer that cannot be read is not asked for again.
  'session-note': { calls: 1, inputTokens: 30_000, outputTokens: 4_000, seconds: 60 },
  'stage-one': { calls: 1, inputTokens: 150_000, outputTokens: 4_000, seconds: 120 },
  'stage-two': { calls: 40, inputTokens: 400_000, outputTokens: 20_000, seconds: 900 },
  selection: light,
  rerank: light,
  summary: light,
  probe: { calls: 1, inputTokens: 500, outputTokens: 200, seconds: 30 },
  /** One task of `keepsake eval dialect`. */
  measure: { calls: 8, inputTokens: 80_000, outputTokens: 6_000, seconds: 240 },
}

/** Ceilings of one UTC day, all jobs together. */
export const DAY_BUDGET: DayBudget = { calls: 100, tokens: 1_000_000, money: null, shareOfOneKind: 0.5 }

/** What a million tokens of a model cost. */
export interface ModelPrice {
  readonly input: number
  readonly output: number
}
