/** Stage two over the layers that wait for it: one at a start, all when a person asks; each with a cool-down of its own. */
import type { PassReport, StageTwoReport } from '../../domain/index.ts'
import { throwIfCancelled } from '../../errors.ts'
import type { PassOutcome } from './run-pass.ts'
import { type DeferredDependencies, type Held, hours } from './types.ts'

/** Passes of one run that a person asked for. */
const MAX_NOW = 20

/** When the next pass over a layer may begin (milliseconds). */
export function nextPassAt(
  {
    memories,
    config,
  }: Pick<DeferredDependencies, 'memories'> & { readonly config: { readonly coolDownHours: number } },
  layer: string,
): number {
  const pass = memories.pass(layer)
  const cool = pass?.succeededAt === null || pass === null ? 0 : pass.succeededAt + hours(config.coolDownHours)
  return Math.max(cool, pass?.failure?.retryAt ?? 0)
}

/** Layers with a plan that is not carried out, then those with memories that no pass has seen. */
export function layersDue({ memories }: Pick<DeferredDependencies, 'memories'>): string[] {
  const unfinished = memories.passes().filter(({ plan }) => plan !== null)
  return [...new Set([...unfinished.map(({ layer }) => layer), ...memories.waitingLayers()])]
}

export async function runStageTwo(dependencies: DeferredDependencies, held: Held): Promise<StageTwoReport> {
  const { clock, isNow, jobs } = dependencies
  const due = layersDue(dependencies)
  const ready = due.filter((layer) => isNow || clock.now() >= nextPassAt(dependencies, layer))
  const passes: PassReport[] = []
  const done = (stopped: string | null): StageTwoReport => ({
    passes,
    waiting: layersDue(dependencies).length,
    stopped,
  })
  if (due.length === 0) return done(null)
  if (!jobs.has('stage-two')) return done('no model is set up')
  if (ready.length === 0) return done('the last pass was not long ago')
  let skipped: string | null = null
  for (const layer of ready) {
    if (passes.length >= (isNow ? MAX_NOW : 1)) break
    throwIfCancelled(held.signal)
    const outcome = await passOver(dependencies, layer, held)
    if (outcome.kind === 'stopped') return done(outcome.reason)
    // One that cannot be tidied does not keep the others waiting.
    if (outcome.kind === 'skipped') skipped ??= outcome.reason
    else passes.push(outcome.report)
  }
  return done(skipped)
}

async function passOver(dependencies: DeferredDependencies, layer: string, held: Held): Promise<PassOutcome> {
  const mode = dependencies.layerModeOf(layer)
  if (mode === 'off' || mode === 'read-only') return { kind: 'skipped', reason: `${layer} takes no writes` }
  const place = await dependencies.placeOf(layer, folderOf(dependencies, layer))
  if (place === null) return { kind: 'skipped', reason: `the place of ${layer} is not known` }
  // Its schema library costs more than most commands, and most of them run no pass.
  const { runPass } = await import('./run-pass.ts')
  return runPass(dependencies, layer, { place, held })
}

/** Where one of its conversations was. */
function folderOf({ memories, sessions }: DeferredDependencies, layer: string): string | null {
  const { memories: reads } = memories.memoriesAfter(layer, 0, 1_000)
  return reads.flatMap(({ session }) => sessions.session(session)?.cwd ?? []).at(-1) ?? null
}
