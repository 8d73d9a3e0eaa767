/**
 * What one worker run does: drain what waits; wait, about a minute in all, for words that are debounced and for displaced
 * files to come of age; end. What is due later is journaled: the next start does it.
 */

import type { Clock, Memory, RefreshResult } from '../domain/index.ts'
import { messageOf } from '../errors.ts'
import { sleep } from '../util/index.ts'

/** A displaced file is looked at for 60 s; a moment more makes sure that the second look is past it. */
const LOOK_BACK_MS = 61_000
/** A due time is told to the second. */
const SECOND_MS = 1_000

export interface WorkerOptions {
  readonly memory: Pick<Memory, 'refresh'>
  readonly signal: AbortSignal
  readonly clock: Clock
  readonly log: (line: string) => void
  /** Makes the next hooks quicker, once the work that waits is done. A sentence when it cannot. */
  readonly prepareHook: () => Promise<string | null>
  /** For tests. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>
}

/** It never throws for what it could not do. */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const { memory, signal, clock, log, prepareHook, wait = sleep } = options
  let waited = 0
  for (let pass = 1; ; pass++) {
    try {
      const result = await memory.refresh({ signal })
      log(`pass ${pass}: ${told(result)}`)
      const problem = pass === 1 && !signal.aborted ? await prepareHook() : null
      if (problem !== null) log(problem)
      const next = waitFor(result, { waited, now: clock.now() })
      if (next === null || signal.aborted) return
      await wait(next, signal)
      waited += next
    } catch (error) {
      log(`pass ${pass}: ${messageOf(error)}`)
      return
    }
  }
}

/** Milliseconds until there is something to do, or null: that is not for this run. */
function waitFor({ waiting, jobs }: RefreshResult, { waited, now }: { waited: number; now: number }): number | null {
  const left = LOOK_BACK_MS - waited
  const due = jobs.nextDue === null ? Number.POSITIVE_INFINITY : Date.parse(jobs.nextDue) + SECOND_MS - now
  const next = Math.min(due > 0 ? due : Number.POSITIVE_INFINITY, waiting > 0 ? left : Number.POSITIVE_INFINITY)
  return left > 0 && next <= left ? next : null
}

function told({ captured, layers, jobs, problems }: RefreshResult): string {
  const changes = layers.map(({ layer, changed, removed }) => `${layer} +${changed} -${removed}`).join(', ')
  const asked = jobs.done > 0 ? `, ${jobs.done} jobs with ${jobs.written} notes` : ''
  return `${captured} messages, ${changes}${asked}${problems.length > 0 ? `; ${problems.join('; ')}` : ''}`
}
