/**
 * Port to the ledger of model calls (spec W16). A call is counted before it is made, with the most that it may cost, and
 * set right after it; what was never set right (its process died) stays counted. Drivers in store/state.
 */
import type { JobKind } from './job.ts'

/** What a call, or a whole job, may cost or did cost. */
export interface Cost {
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** In millionths of the money that the prices are in; 0 where no price is set. */
  readonly money: number
}

/** Ceilings of one UTC day. */
export interface DayBudget {
  readonly calls: number
  readonly tokens: number
  /** In the money that the prices are in. Null: not counted. */
  readonly money: number | null
  /** No kind of work takes more than this part of each. */
  readonly shareOfOneKind: number
}

export interface LedgerCall extends Omit<Cost, 'calls'> {
  readonly id: string
  readonly job: string
  readonly kind: JobKind
  readonly model: string
  /** Milliseconds; the call counts for its UTC day. */
  readonly at: number
}

export interface SettledCall extends Omit<Cost, 'calls'> {
  /** The model did not tell its tokens: these are ours. */
  readonly estimated: boolean
}

/** Of one day. */
export interface KindSpend extends Cost {
  readonly kind: string
  /** Some of it is an estimate, or a call that is under way or was never set right. */
  readonly estimated: boolean
}

/** The first ceiling that would be passed. */
export interface Refusal {
  readonly what: 'calls' | 'tokens' | 'money'
  /** The whole day, or the part that one kind may take. */
  readonly of: 'day' | 'kind'
  readonly used: number
  readonly wanted: number
  readonly ceiling: number
}

export interface CallLedger {
  /** Counts the call, or counts nothing and says why not; looking and counting are one step for all processes. */
  reserve(call: LedgerCall, ceilings: DayBudget): Refusal | null
  /** Sets a counted call right. An id that is not counted is left alone. */
  settle(id: string, spent: SettledCall): void
  /** Of the UTC day of this moment, in the order of kinds. */
  spendOf(at: number): KindSpend[]
}

const DAY_MS = 86_400_000
export const MONEY_UNIT = 1_000_000

/** UTC day as a number. */
export function dayOf(at: number): number {
  return Math.floor(at / DAY_MS)
}

/** Null when `wanted` of this kind still fits beside what was spent. */
export function refusalOf(
  spent: readonly KindSpend[],
  kind: string,
  wanted: Cost,
  { calls, tokens, money, shareOfOneKind }: DayBudget,
): Refusal | null {
  const ceilings = [
    ['calls', calls, (cost: Cost) => cost.calls],
    ['tokens', tokens, (cost: Cost) => cost.inputTokens + cost.outputTokens],
    ...(money === null ? [] : [['money', money * MONEY_UNIT, (cost: Cost) => cost.money] as const]),
  ] as const
  for (const [what, whole, read] of ceilings) {
    const sum = (costs: readonly KindSpend[]) => costs.reduce((total, each) => total + read(each), 0)
    const parts = [
      ['day', whole, sum(spent)],
      ['kind', Math.floor(whole * shareOfOneKind), sum(spent.filter((each) => each.kind === kind))],
    ] as const
    for (const [of, ceiling, used] of parts)
      if (used + read(wanted) > ceiling) return { what, of, used, wanted: read(wanted), ceiling }
  }
  return null
}
