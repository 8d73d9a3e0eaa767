/** Stage one over all conversations that are due, a few at the same time. What is done stays done, whatever stops the run. */
import type { StageOneReport } from '../../domain/index.ts'
import { throwIfCancelled } from '../../errors.ts'
import { chooseSessions } from './choose-sessions.ts'
import type { DeferredDependencies, Held } from './types.ts'

/** Throws CANCELLED when the caller gave up; a lost lease ends it as a value. */
export async function runStageOne(dependencies: DeferredDependencies, held: Held): Promise<StageOneReport> {
  const { jobs, config, onProgress } = dependencies
  const { chosen, waiting } = chooseSessions(dependencies)
  const report = { memories: 0, nothing: 0, failed: 0 }
  const done = (left: number, stopped: string | null): StageOneReport => ({
    ...report,
    waiting: waiting + left,
    stopped,
  })
  if (chosen.length === 0) return done(0, null)
  if (!jobs.has('stage-one')) return done(chosen.length, 'no model is set up')
  let next = 0
  let finished = 0
  let stopped: string | null = null
  const worker = async () => {
    for (let each = chosen[next++]; each && stopped === null; each = chosen[next++]) {
      if (!held.isHeld()) {
        stopped = 'another process goes on with it'
        return
      }
      onProgress({ stage: 'one', session: each.session.id, number: chosen.indexOf(each) + 1, of: chosen.length })
      // Its schema library costs more than most commands, and most of them read no conversation.
      const { readSession } = await import('./read-session.ts')
      const outcome = await readSession(dependencies, each, held.signal)
      if (outcome.kind === 'stopped') {
        stopped ??= outcome.reason
        return
      }
      finished++
      report[({ memory: 'memories', nothing: 'nothing', failed: 'failed' } as const)[outcome.kind]]++
    }
  }
  const workers = Array.from({ length: Math.min(config.atOnce, chosen.length) }, worker)
  // One that fails must not leave the others running behind the caller's back.
  const settled = await Promise.allSettled(workers)
  throwIfCancelled(held.signal)
  for (const each of settled) if (each.status === 'rejected') throw each.reason
  return done(chosen.length - finished, stopped)
}
