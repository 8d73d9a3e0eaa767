/** What one worker run does: drain what waits, look again at displaced files once they are old enough, end. */

import type { Memory } from '../domain/index.ts'
import { messageOf } from '../errors.ts'
import { sleep } from '../util/index.ts'

/** A displaced file is looked at for 60 s; a moment more makes sure that the second look is past it. */
const LOOK_BACK_MS = 61_000

export interface WorkerOptions {
  readonly memory: Pick<Memory, 'refresh'>
  readonly signal: AbortSignal
  readonly log: (line: string) => void
  /** Makes the next hooks quicker, once the work that waits is done. A sentence when it cannot. */
  readonly prepareHook: () => Promise<string | null>
  /** For tests. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Two passes at the most, so a worker lives about a minute; it never throws for what it could not do. */
export async function runWorker({ memory, signal, log, prepareHook, wait = sleep }: WorkerOptions): Promise<void> {
  for (const pass of ['first', 'look back'] as const) {
    try {
      const { captured, layers, waiting, problems } = await memory.refresh({ signal })
      log(
        `${pass}: ${captured} messages, ${layers.map(({ layer, changed, removed }) => `${layer} +${changed} -${removed}`).join(', ')}${problems.length > 0 ? `; ${problems.join('; ')}` : ''}`,
      )
      const problem = pass === 'first' && !signal.aborted ? await prepareHook() : null
      if (problem !== null) log(problem)
      if (waiting === 0 || signal.aborted) return
      if (pass === 'first') await wait(LOOK_BACK_MS, signal)
    } catch (error) {
      log(`${pass}: ${messageOf(error)}`)
      return
    }
  }
}
