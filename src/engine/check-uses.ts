/** Agents that hold conversations here and never open or cite a note (spec F3): what they are shown does not reach them. */
import type { Check, Home } from '../domain/index.ts'
import { ulidMs } from '../util/index.ts'
import { attempt, warning } from './check.ts'
import type { Stores } from './stores.ts'

/** Newest conversations of an agent that are looked at; of fewer nothing is said. */
const LOOKED_CONVERSATIONS = 20

export interface CheckUsesDependencies {
  readonly home: Home
  readonly stores: Pick<Stores, 'state' | 'sessions'>
  /** Names of the agents whose conversations are captured. */
  readonly agents: readonly string[]
  /** Notes that they could have used. */
  readonly notes: number
}

/** A database that cannot be read has a check of its own. */
export function checkUses(dependencies: CheckUsesDependencies): Check[] {
  if (dependencies.notes === 0) return []
  const looked = attempt(() => dependencies.agents.filter((agent) => usesNothing(dependencies, agent)))
  const silent = 'value' in looked ? looked.value : []
  return silent.map((agent) =>
    warning(
      'uses',
      `${agent} opened and cited no note in its last ${LOOKED_CONVERSATIONS} conversations`,
      `See what it is shown: keepsake context --agent ${agent}, and whether its hooks and memory_get work there.`,
    ),
  )
}

function usesNothing({ home, stores }: CheckUsesDependencies, agent: string): boolean {
  const [state, store] = [stores.state(), stores.sessions()]
  // Conversations from before there was a memory could use none; the id of the home tells when that was.
  const sinceMs = ulidMs(home.id ?? '')
  if (!state || !store || sinceMs === null) return false
  const { sessions } = store.sessions({ agent, sinceMs, limit: LOOKED_CONVERSATIONS })
  const ids = sessions.map(({ id }) => id)
  return ids.length === LOOKED_CONVERSATIONS && state.uses.sessionsWithUses(ids).size === 0
}
