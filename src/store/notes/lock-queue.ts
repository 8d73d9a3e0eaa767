/**
 * Callers within one process, in order, by key. Waiting ends with STORE_BUSY after the wait, or CANCELLED on abort; who
 * gave up is out of the queue.
 */
import { cancelled, MemoryError, throwIfCancelled } from '../../errors.ts'

export interface QueueOptions {
  readonly waitMs: number
  readonly signal?: AbortSignal
}

export interface LockQueue {
  hold<T>(key: string, options: QueueOptions, work: () => Promise<T>): Promise<T>
}

export function createLockQueue(): LockQueue {
  const queues = new Map<string, (() => void)[]>()
  return {
    async hold(key, options, work) {
      throwIfCancelled(options.signal)
      const queue = queues.get(key)
      if (queue) await waitIn(queue, key, options)
      else queues.set(key, [])
      try {
        return await work()
      } finally {
        const next = queues.get(key)?.shift()
        if (next) next()
        else queues.delete(key)
      }
    },
  }
}

function waitIn(queue: (() => void)[], key: string, { waitMs, signal }: QueueOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
    const enter = () => {
      leave()
      resolve()
    }
    const giveUp = (error: MemoryError) => {
      queue.splice(queue.indexOf(enter), 1)
      leave()
      reject(error)
    }
    const onAbort = () => giveUp(cancelled(signal?.reason))
    const timer = setTimeout(() => giveUp(busy(key, waitMs)), waitMs)
    signal?.addEventListener('abort', onAbort, { once: true })
    queue.push(enter)
  })
}

function busy(key: string, waitedMs: number): MemoryError {
  return new MemoryError('STORE_BUSY', `Another write to ${key} in this process takes too long`, {
    hint: 'Try again.',
    data: { layer: key, waitedMs, holder: process.pid },
  })
}
