/** Work that goes on only while something is held that others may take: a lease, a job. */
import { throwIfCancelled } from '../errors.ts'

export interface Held {
  /** Says stop when the caller does, or when it was lost. */
  readonly signal: AbortSignal
  /** Renews it. False: it is another's now, write nothing more. */
  isHeld(): boolean
}

export interface Holding {
  /** Renews it; false, or a throw (whether it is ours cannot be known then): it is lost. */
  readonly keep: () => boolean
  /** How often it is renewed while the work waits. */
  readonly everyMs: number
  readonly signal: AbortSignal | undefined
}

/** Null when it was lost on the way. Throws CANCELLED when the caller says stop. */
export async function whileHeld<Result>(
  { keep, everyMs, signal }: Holding,
  work: (held: Held) => Promise<Result>,
): Promise<Result | null> {
  const lost = new AbortController()
  const isHeld = () => {
    if (!lost.signal.aborted && !isKept(keep)) lost.abort()
    return !lost.signal.aborted
  }
  const heartbeat = setInterval(isHeld, everyMs)
  heartbeat.unref()
  try {
    return await work({ signal: AbortSignal.any(signal ? [lost.signal, signal] : [lost.signal]), isHeld })
  } catch (error) {
    throwIfCancelled(signal)
    if (lost.signal.aborted) return null
    throw error
  } finally {
    clearInterval(heartbeat)
  }
}

function isKept(keep: () => boolean): boolean {
  try {
    return keep()
  } catch {
    // A database that is busy or broken: nothing more may be written, and a heartbeat must not end the process.
    return false
  }
}
