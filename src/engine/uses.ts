/**
 * Uses of notes (spec I7) for the doors that count and show them. A statistic, as trust is: a state database that cannot
 * be read or written hides no note and fails no read.
 */
import { type NoteUse, type RecallResult, UNTRIED, UNUSED, type UseCount } from '../domain/index.ts'
import type { Earned } from '../store/notes/value-order.ts'
import type { UseBook } from '../write/index.ts'
import { type StatisticDependencies, statisticOf } from './statistic.ts'
import type { TrustBook } from './trust.ts'

export interface Uses extends UseBook {
  /** Of these notes, by id. One that was never used is not in it. */
  of(notes: readonly string[]): ReadonlyMap<string, UseCount>
}

export function createUses(dependencies: StatisticDependencies): Uses {
  const { stores } = dependencies
  const { readable, attempt } = statisticOf('uses', dependencies)
  return {
    of: (notes) => attempt(() => (notes.length === 0 ? null : readable()?.uses.of(notes)) ?? new Map(), new Map()),
    record: (uses: readonly NoteUse[]) =>
      attempt(() => (uses.length === 0 ? null : stores.state()?.uses.record(uses)) ?? [], []),
    inSession: (session) => attempt(() => readable()?.uses.inSession(session) ?? [], []),
  }
}

/** Notes among the results, with their use. */
export function withUses(uses: Pick<Uses, 'of'>, result: RecallResult): RecallResult {
  const counts = uses.of(result.results.flatMap(({ kind, id }) => (kind === 'note' ? [id] : [])))
  const results = result.results.map((hit) =>
    hit.kind === 'note' ? { ...hit, uses: counts.get(hit.id) ?? UNUSED } : hit,
  )
  return { ...result, results }
}

/** What places a note among its like where an index is written (spec S4). */
export function earnedFrom(trust: Pick<TrustBook, 'of'>, uses: Pick<Uses, 'of'>) {
  return (notes: readonly string[]): ReadonlyMap<string, Earned> => {
    const [trusted, used] = [trust.of(notes), uses.of(notes)]
    const ids = new Set([...trusted.keys(), ...used.keys()])
    const earnedBy = (id: string): Earned => ({
      trust: (trusted.get(id) ?? UNTRIED).value,
      lastUsed: (used.get(id) ?? UNUSED).lastUsed,
    })
    return new Map([...ids].map((id) => [id, earnedBy(id)]))
  }
}
