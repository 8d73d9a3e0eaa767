/** The language models of a home: those handed in or named by the settings, under the ceilings of the settings, in the ledger of state.db. */
import type { LoadedConfig } from '../config.ts'
import {
  type Config,
  DAY_BUDGET,
  JOB_BUDGETS,
  type JobBudget,
  type JobKind,
  jobKinds,
  type ModelStatus,
} from '../domain/index.ts'
import { type Completer, createCompleter, createModelJobs, type ModelBudget, type ModelJobs } from '../models/index.ts'
import { createMemoryCallLedger } from '../store/state/memory-call-ledger.ts'
import { attempt } from './check.ts'
import type { EngineOptions } from './core.ts'
import type { Stores } from './stores.ts'

type ModelOptions = Pick<
  EngineOptions,
  'completer' | 'largeCompleter' | 'loaded' | 'environment' | 'temporaryDirectory' | 'clock' | 'ids'
>

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

/** What is handed in wins over the settings; a large one that is not named is the small one (`createModelJobs`). */
function completersOf(options: ModelOptions): { readonly small: Completer | null; readonly large: Completer | null } {
  const { completer, largeCompleter, loaded, environment = {}, temporaryDirectory } = options
  const { small, large } = loaded.config.models
  const named = (name: string | null) =>
    name === null ? null : createCompleter(name, { environment, temporaryDirectory })
  if (completer === undefined) return { small: named(small), large: largeCompleter ?? named(large) }
  return { small: completer, large: largeCompleter ?? completer }
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

/** What was spent is asked of the ledger, nothing of a model. A ledger that cannot be read is told of by the check of its file. */
export function modelStatus({
  models,
  loaded,
}: {
  readonly models: ModelJobs
  readonly loaded: LoadedConfig
}): ModelStatus {
  const spent = attempt(() => models.spentToday())
  const [small, large] = [models.nameOf('small'), models.nameOf('large')]
  return { small, large, spent: 'value' in spent ? spent.value : [], ceilings: loaded.config.budget.perDay }
}
