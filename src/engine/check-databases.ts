/** Whether the three databases open, and what they say of themselves. */
import type { Check, Clock } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import { broken, messageWithReason, ok, warning } from './check.ts'
import type { Stores } from './stores.ts'
import { WORKER_LEASE } from './worker-lease.ts'

export interface DatabaseReport {
  readonly checks: readonly Check[]
  readonly counts: { readonly count: number | null; readonly messages: number | null }
  readonly workerRunning: boolean
  readonly lastCaptureMs: number | null
}

export function checkDatabases(stores: Stores, clock: Clock): DatabaseReport {
  const nothing = { counts: { count: null, messages: null }, workerRunning: false, lastCaptureMs: null }
  const unavailable = stores.unavailable()
  if (unavailable !== null) {
    const hint = 'Install Node 22.16 or later, or the optional package better-sqlite3.'
    return { ...nothing, checks: [warning('sqlite', unavailable, hint)] }
  }
  const index = look('index', 'Recall scans the files meanwhile. Move what is in the place of index.db away.', () =>
    stores.index().notesOf('global'),
  )
  const sessions = look(
    'sessions',
    'Move what is in the place of sessions.db away; it is not deleted by us.',
    () => stores.sessions()?.counts() ?? { sessions: 0, messages: 0 },
  )
  const state = look('state', 'Move what is in the place of state.db away.', () => {
    const store = stores.state()
    const readTimes = store?.cursors().map(({ readAt }) => readAt) ?? []
    return {
      workerRunning: (store?.leaseOwner(WORKER_LEASE, clock.now()) ?? null) !== null,
      lastCaptureMs: readTimes.length === 0 ? null : Math.max(...readTimes),
    }
  })
  const counted = sessions.value
  return {
    checks: [index.check, sessions.check, state.check],
    counts: counted ? { count: counted.sessions, messages: counted.messages } : nothing.counts,
    workerRunning: state.value?.workerRunning ?? false,
    lastCaptureMs: state.value?.lastCaptureMs ?? null,
  }
}

/** `hint` is for a file that something else stands in the place of; of a disk that refuses, the check of the home tells. */
function look<Value>(name: string, hint: string, work: () => Value): { readonly check: Check; readonly value?: Value } {
  try {
    return { value: work(), check: ok(name, 'open') }
  } catch (error) {
    return { check: broken(name, messageWithReason(error), hintOf(error) ?? hint) }
  }
}

const hints: Readonly<Record<string, string>> = {
  STORE_FULL: 'Free some disk space.',
  STORE_READ_ONLY: 'Check the permissions of the home.',
  SQLITE_BUSY: 'Another process keeps it locked; what was to be written waits.',
  HOME_FORMAT_NEWER: 'Update Keepsake.',
}

/** The index tells that it cannot be opened; why is in its cause. */
function hintOf(error: unknown): string | undefined {
  if (!MemoryError.isInstance(error)) return undefined
  return hints[error.code] ?? hintOf(error.cause)
}
