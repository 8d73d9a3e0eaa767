/**
 * Jobs over one or two models, under the ceilings of the job and of the day (spec W16). Each call is counted in the ledger
 * with the most that it may cost before it is made, and set right after: nothing that happens in between, a crash
 * included, lets two processes or a model that never stops spend past a ceiling. What a call cost is the model's word,
 * else our estimate; where it cannot be known (late, cancelled) the most stays counted.
 */
import {
  type CallLedger,
  type Clock,
  type DayBudget,
  type IdSource,
  type JobBudget,
  type JobKind,
  type ModelPrice,
  refusalOf,
} from '../domain/index.ts'
import type { Completer } from './completer.ts'
import { createJob } from './create-job.ts'
import { costOf, dayRefused } from './job-ceilings.ts'
import type { BegunJob, ModelJobs, ModelSize } from './model-jobs.ts'

export interface ModelBudget {
  readonly perJob: Readonly<Record<JobKind, JobBudget>>
  readonly perDay: DayBudget
  /** By model id. Without a ceiling of money nobody needs them. */
  readonly prices: Readonly<Record<string, ModelPrice>>
}

export interface ModelJobsOptions {
  readonly small: Completer | null
  readonly large: Completer | null
  /** Asked at each use: the file below it may have been replaced. */
  readonly ledger: () => CallLedger
  readonly clock: Clock
  readonly ids: IdSource
  readonly budget: ModelBudget
}

export function createModelJobs(options: ModelJobsOptions): ModelJobs {
  const { small, large, ledger, clock, ids, budget } = options
  // Whoever set up one small model has said yes to it; a large one is dearer, so it never stands in for the small one.
  const modelOf = (size: ModelSize): Completer | null => (size === 'large' ? (large ?? small) : small)
  const sizeFor = (kind: JobKind): ModelSize => (kind === 'stage-two' ? 'large' : 'small')
  const spentUntilNow = () => {
    try {
      return ledger().spendOf(clock.now())
    } catch {
      // It cannot be read now. The job may begin: none of its calls is made before it was counted.
      return []
    }
  }
  return {
    has: (kind) => modelOf(sizeFor(kind)) !== null,
    nameOf: (size) => modelOf(size)?.id ?? null,
    spentToday: () => ledger().spendOf(clock.now()),
    begin(kind, { signal, size = sizeFor(kind) } = {}): BegunJob {
      const completer = modelOf(size)
      if (completer === null)
        return { ok: false, reason: 'no-model', message: `no model is set up (setting models.${size})` }
      const ceilings = budget.perJob[kind]
      const price = Object.hasOwn(budget.prices, completer.id) ? budget.prices[completer.id] : undefined
      const refused = (message: string): BegunJob => ({ ok: false, reason: 'budget', message })
      if ((budget.perDay.money !== null || ceilings.money !== undefined) && price === undefined)
        return refused(`money is limited, and models.prices has no price of ${completer.id}`)
      const most = { ...ceilings, money: costOf(price, ceilings) }
      const refusal = refusalOf(spentUntilNow(), kind, most, budget.perDay)
      if (refusal) return refused(dayRefused(kind, refusal))
      const job = createJob({ kind, completer, ceilings, price, perDay: budget.perDay, ledger, clock, ids, signal })
      return { ok: true, job }
    },
  }
}
