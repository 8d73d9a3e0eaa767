/** Asks a model and waits no longer than is allowed, whether or not its driver hears the signal. */
import { cancelled, throwIfCancelled } from '../errors.ts'

export interface Patience {
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

/** What a model that took too long is told by; its message is a part of a sentence. */
export class TooLate extends Error {
  override readonly name = 'TooLate'

  constructor(timeoutMs: number) {
    super(`no answer within ${timeoutMs / 1_000} s`)
  }
}

/** Rejects with CANCELLED when the caller gives up, with `TooLate` when it takes too long, else as `ask` does. */
export async function withinTime<Answer>(
  ask: (signal: AbortSignal) => Promise<Answer>,
  { timeoutMs, signal }: Patience,
): Promise<Answer> {
  throwIfCancelled(signal)
  const late = AbortSignal.timeout(timeoutMs)
  const stop = signal ? AbortSignal.any([signal, late]) : late
  const stopped = new Promise<never>((_, reject) => {
    stop.addEventListener('abort', () => reject(stop.reason), { once: true })
  })
  try {
    return await Promise.race([ask(stop), stopped])
  } catch (error) {
    if (signal?.aborted) throw cancelled(signal.reason)
    throw late.aborted ? new TooLate(timeoutMs) : error
  }
}
