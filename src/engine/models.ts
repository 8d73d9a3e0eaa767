/** The language models of a home: those handed in, under the ceilings of the settings, in the ledger of state.db. */
import { type Config, DAY_BUDGET, JOB_BUDGETS, type JobBudget, type JobKind, jobKinds } from '../domain/index.ts'
import { type Completer, createModelJobs, type ModelBudget, type ModelJobs } from '../models/index.ts'
import { createMemoryCallLedger } from '../store/state/memory-call-ledger.ts'
import type { EngineOptions } from './core.ts'
import type { Stores } from './stores.ts'

type ModelOptions = Pick<EngineOptions, 'completer' | 'largeCompleter' | 'loaded' | 'clock' | 'ids'>

export function modelsFor(options: ModelOptions, stores: Pick<Stores, 'state'>): ModelJobs {
  const { loaded, clock, ids } = options
  // Where no state.db can be: the process holds its ceilings by itself.
  const own = createMemoryCallLedger()
  return createModelJobs({
    ...completersOf(options),
    ledger: () => stores.state()?.ledger ?? own,
    clock,
    ids,
    budget: budgetOf(loaded.config),
  })
}

function completersOf({ completer = null, largeCompleter = completer }: ModelOptions): {
  readonly small: Completer | null
  readonly large: Completer | null
} {
  return { small: completer, large: largeCompleter }
}

function budgetOf({ budget, models }: Config): ModelBudget {
  const perJob = jobKinds.map((kind): [JobKind, JobBudget] => [kind, { ...JOB_BUDGETS[kind], ...budget.perJob[kind] }])
  return {
    // Evidence: every kind is there.
    perJob: Object.fromEntries(perJob) as Record<JobKind, JobBudget>,
    perDay: { ...DAY_BUDGET, ...budget.perDay },
    prices: models.prices,
  }
}
