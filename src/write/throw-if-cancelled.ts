import { MemoryError } from '../errors.ts'

/** Throws CANCELLED when the caller has given up; said before anything is changed. */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return
  throw new MemoryError('CANCELLED', 'Cancelled by the caller', {
    hint: 'What was done before is kept; nothing is half done.',
    cause: signal.reason,
  })
}
