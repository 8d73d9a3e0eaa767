/**
 * Trust of notes for the doors that show or use it. It is a statistic: a state database that cannot be read hides no
 * note and fails no read, every note then has what an untried one has.
 */
import { type Trust, type TrustStep, trustFrom } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import { type StatisticDependencies, statisticOf } from './statistic.ts'
import type { Stores } from './stores.ts'

export interface TrustBook {
  /** Of these notes, by id. A note without steps is not in it. */
  of(notes: readonly string[]): ReadonlyMap<string, Trust>
  /** Throws SQLITE_UNAVAILABLE where there is nothing to record it in. */
  record(step: TrustStep): void
}

export interface TrustDependencies extends StatisticDependencies {
  readonly stores: Pick<Stores, 'state' | 'unavailable'>
}

export function createTrustBook(dependencies: TrustDependencies): TrustBook {
  const { stores } = dependencies
  const { readable, attempt } = statisticOf('trust', dependencies)
  return {
    of: (notes) =>
      attempt(() => trustOfEach(notes.length === 0 ? [] : (readable()?.trustSteps(notes) ?? [])), new Map()),
    record(step) {
      const state = stores.state()
      if (state) return state.putTrustStep(step)
      const reason = stores.unavailable() ?? 'the state database is not open for writing'
      throw new MemoryError('SQLITE_UNAVAILABLE', 'What helped cannot be recorded here', {
        hint: reason,
        data: { tried: [reason] },
      })
    },
  }
}

function trustOfEach(steps: readonly TrustStep[]): ReadonlyMap<string, Trust> {
  const byNote = new Map<string, TrustStep[]>()
  for (const step of steps) byNote.set(step.note, [...(byNote.get(step.note) ?? []), step])
  return new Map([...byNote].map(([note, own]) => [note, trustFrom(own)]))
}
