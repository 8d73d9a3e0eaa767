/** Real jobs over a fake model, with a ledger in memory. */
import { type CallLedger, DAY_BUDGET, JOB_BUDGETS, type JobBudget, type JobKind } from '../domain/index.ts'
import { type Completer, createModelJobs, type ModelBudget, type ModelJobs } from '../models/index.ts'
import { createMemoryCallLedger } from '../store/state/memory-call-ledger.ts'

export interface JobsOfOptions {
  readonly large?: Completer | null
  readonly ledger?: CallLedger
  /** Of every kind of job. */
  readonly perJob?: Partial<JobBudget>
  readonly perDay?: Partial<ModelBudget['perDay']>
  readonly prices?: ModelBudget['prices']
  readonly now?: () => number
}

export function jobsOf(small: Completer | null, options: JobsOfOptions = {}): ModelJobs {
  const { large = null, ledger = createMemoryCallLedger(), perJob = {}, prices = {}, now } = options
  let id = 0
  const budgets = Object.entries(JOB_BUDGETS).map(([kind, budget]) => [kind, { ...budget, ...perJob }])
  return createModelJobs({
    small,
    large,
    ledger: () => ledger,
    clock: { now: now ?? (() => Date.UTC(2026, 2, 1, 12)) },
    ids: { next: () => `id ${id++}` },
    budget: {
      // Evidence: the keys are those of JOB_BUDGETS.
      perJob: Object.fromEntries(budgets) as Record<JobKind, JobBudget>,
      perDay: { ...DAY_BUDGET, ...options.perDay },
      prices,
    },
  })
}
