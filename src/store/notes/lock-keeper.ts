/**
 * The locks of one home, by key. Callers of one keeper queue in order before they go to the file, so that writers of
 * one process do not poll against each other; between keepers and processes the file decides.
 */
import { join } from 'node:path'
import { type CrashPoints, noCrashPoints } from './crash-points.ts'
import { acquireFileLock, DEFAULT_LOCK_WAIT_MS, type HeldLock, lockFileName, sweepLocks } from './lock.ts'
import { type ProcessTable, systemProcessTable } from './lock-owner.ts'
import { createLockQueue } from './lock-queue.ts'
import type { LockOptions } from './note-files.ts'

export interface LockKeeper {
  readonly directory: string
  /** Runs `work` while holding the lock of `key`, and releases it whatever happens. STORE_BUSY, CANCELLED. */
  hold<T>(key: string, options: LockOptions, work: (lock: HeldLock) => Promise<T>): Promise<T>
  /** Removes what dead processes left beside the locks. */
  sweep(nowMs: number): void
}

export interface LockKeeperOptions {
  /** Folder of the lock files. */
  readonly directory: string
  readonly faults?: CrashPoints
  /** Default: this machine's, looked at once at the first use. */
  readonly table?: ProcessTable
}

export function createLockKeeper(options: LockKeeperOptions): LockKeeper {
  const faults = options.faults ?? noCrashPoints
  const queue = createLockQueue()
  const state: { table: ProcessTable | null } = { table: options.table ?? null }
  const table = () => {
    state.table ??= systemProcessTable()
    return state.table
  }
  return {
    directory: options.directory,
    sweep: (nowMs) => sweepLocks(options.directory, table(), nowMs),
    hold(key, { waitMs = DEFAULT_LOCK_WAIT_MS, signal }, work) {
      const started = performance.now()
      return queue.hold(key, { waitMs, signal }, async () => {
        const file = join(options.directory, lockFileName(key))
        const remainingMs = Math.max(0, waitMs - (performance.now() - started))
        const lock = await acquireFileLock({ file, label: key, table: table(), waitMs: remainingMs, signal, faults })
        try {
          return await work(lock)
        } finally {
          try {
            await faults.hit('before-unlock')
          } finally {
            lock.release()
          }
        }
      })
    },
  }
}
