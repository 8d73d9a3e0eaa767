/**
 * Trust of notes for the doors that show or use it. It is a statistic: a state database that cannot be read hides no
 * note and fails no read, every note then has what an untried one has.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { homeFiles, type Trust, type TrustStep, trustFrom } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import type { Stores } from './stores.ts'

export interface TrustBook {
  /** Of these notes, by id. A note without steps is not in it. */
  of(notes: readonly string[]): ReadonlyMap<string, Trust>
  /** Throws SQLITE_UNAVAILABLE where there is nothing to record it in. */
  record(step: TrustStep): void
}

export interface TrustDependencies {
  readonly home: string
  readonly stores: Pick<Stores, 'state' | 'unavailable'>
  readonly onProblem: (error: unknown, where: string) => void
}

export function createTrustBook({ home, stores, onProblem }: TrustDependencies): TrustBook {
  // Looking must not make the database.
  const readable = () => (existsSync(join(home, homeFiles.stateDb)) ? stores.state() : null)
  const attempt = <Value>(work: () => Value, otherwise: Value): Value => {
    try {
      return work()
    } catch (error) {
      if (!MemoryError.isInstance(error)) throw error
      onProblem(error, 'trust')
      return otherwise
    }
  }
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
