/** Which conversations are read now (spec W14): idle, not too old, not read yet or grown since, and allowed to be. */
import type { Session } from '../../domain/index.ts'
import { type DeferredDependencies, hours, layerOfSession } from './types.ts'

/** Newest conversations that are looked at; what lies behind them is older than anybody's ten days. */
const MAX_LOOKED = 1_000
/** A conversation that could not be read so often in a row waits until a person asks. */
export const MAX_TRIES = 3
/** Conversations of one run that a person asked for. */
const MAX_NOW = 100

export interface ChosenSession {
  readonly session: Session
  /** Messages it has now. */
  readonly messages: number
}

/** Newest end first; `waiting`: due and left for later. */
export function chooseSessions(dependencies: DeferredDependencies): {
  readonly chosen: readonly ChosenSession[]
  readonly waiting: number
} {
  const { sessions, config, isNow } = dependencies
  const listed = sessions.sessions({ limit: MAX_LOOKED }).sessions.filter((each) => mayBeRead(dependencies, each))
  const counts = sessions.messageCounts(listed.map(({ id }) => id))
  const due = listed
    .map((session) => ({ session, messages: counts.get(session.id) ?? 0 }))
    .filter((each) => isDue(dependencies, each))
    .sort((one, other) => endOf(other.session) - endOf(one.session))
  const limit = isNow ? MAX_NOW : config.perStart
  return { chosen: due.slice(0, limit), waiting: Math.max(0, due.length - limit) }
}

/** A narrowed conversation gives nothing by itself, and a layer that takes no writes needs no reading. */
function mayBeRead(dependencies: DeferredDependencies, session: Session): boolean {
  const { clock, config, isNow, modeOf, layerModeOf, isOwn } = dependencies
  const age = clock.now() - endOf(session)
  // Of a conversation without times nobody knows whether it goes on.
  if (Number.isNaN(age) || age > hours(24 * config.maxAgeDays)) return false
  if (!isNow && age < hours(config.idleHours)) return false
  if (modeOf(session.id) !== 'auto' || isOwn(session)) return false
  return ['auto', 'review'].includes(layerModeOf(layerOfSession(session)))
}

function isDue({ memories, clock, isNow }: DeferredDependencies, { session, messages }: ChosenSession): boolean {
  const read = memories.read(session.id)
  if (!read) return messages > 0
  if (messages <= read.messages) return false
  if (!read.failure || isNow) return true
  return read.failure.tries < MAX_TRIES && clock.now() >= read.failure.retryAt
}

function endOf({ ended, started }: Session): number {
  return Date.parse(ended ?? started ?? '')
}
