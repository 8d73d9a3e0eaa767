/** What state.db counts about notes, for doors that go on without it: a statistic hides no note and fails no read. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { homeFiles } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import type { StateStore } from '../store/state/state-store.ts'
import type { Stores } from './stores.ts'

export interface StatisticDependencies {
  readonly home: string
  readonly stores: Pick<Stores, 'state'>
  readonly onProblem: (error: unknown, where: string) => void
}

export interface Statistic {
  /** Null where there is no database yet: looking must not make one. */
  readable(): StateStore | null
  /** `otherwise` where the database cannot be used. */
  attempt<Value>(work: () => Value, otherwise: Value): Value
}

export function statisticOf(name: string, { home, stores, onProblem }: StatisticDependencies): Statistic {
  return {
    readable: () => (existsSync(join(home, homeFiles.stateDb)) ? stores.state() : null),
    attempt(work, otherwise) {
      try {
        return work()
      } catch (error) {
        if (!MemoryError.isInstance(error)) throw error
        onProblem(error, name)
        return otherwise
      }
    },
  }
}
