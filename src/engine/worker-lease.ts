/**
 * The lease of the one process that refreshes a home. Lost when its owner was silent for too long; a
 * process that lost it stops, because another one works on the same queue by then.
 */
import type { Clock } from '../domain/index.ts'
import type { StateStore } from '../store/state/state-store.ts'

export const WORKER_LEASE = 'worker'
/** Told by who finds it taken. */
export const ANOTHER_REFRESHES = 'another process is refreshing this home'
const LEASE_MS = 120_000
const RENEWED_EVERY_MS = 30_000
/** How often a holder that waits looks whether it is time to renew it. */
export const HEARTBEAT_MS = 15_000

export interface WorkerLease {
  /** Renews it when it is time. False when another process has it now: stop. */
  keep(): boolean
  release(): void
}

/** Null while another process holds it. Without a database there is one process only that could use it: always held. */
export function takeWorkerLease(state: StateStore | null, owner: string, clock: Clock): WorkerLease | null {
  let renewedAt = clock.now()
  if (state && !state.acquireLease(WORKER_LEASE, owner, renewedAt, LEASE_MS)) return null
  let isHeld = true
  return {
    keep() {
      const now = clock.now()
      if (!state || !isHeld || Math.abs(now - renewedAt) < RENEWED_EVERY_MS) return isHeld
      // Silent for longer than it lasts: whoever took it meanwhile may have finished, too.
      isHeld =
        state.leaseOwner(WORKER_LEASE, renewedAt) === owner && state.acquireLease(WORKER_LEASE, owner, now, LEASE_MS)
      renewedAt = now
      return isHeld
    },
    release: () => state?.releaseLease(WORKER_LEASE, owner),
  }
}
