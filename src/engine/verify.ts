/** What notes name, looked up in the working tree of a place when they are shown (spec I5). */
import { isAbsolute, relative } from 'node:path'
import type { AnchorVerdict, Layer, RecallHit, RecallResult, VerifyNotes } from '../domain/index.ts'
import { safeText } from '../guard/index.ts'
import { createAnchorVerifier } from '../inject/anchors/index.ts'
import { lookUp } from '../inject/index.ts'
import { goneBehind, type RecallNote } from '../recall/index.ts'
import type { Core } from './core.ts'
import type { Place } from './place.ts'

/** For all anchors of one answer or block. */
export const MAX_VERIFY_MS = 100

/** Null where there is no working tree. */
export function verifierOf({ options }: Pick<Core, 'options'>, place: Pick<Place, 'resolution'>): VerifyNotes | null {
  if (options.verify !== undefined) return options.verify
  const resolution = place.resolution()
  return resolution.kind === 'none' ? null : createAnchorVerifier({ root: resolution.workingTree })
}

/** As they may be shown: anchors are words of a note, details those of the working tree. */
export function shownVerdicts(verdicts: readonly AnchorVerdict[]): AnchorVerdict[] {
  const safe = (text: string) => safeText(text, 'check').text
  return verdicts.map((each) => ({
    ...each,
    anchor: safe(each.anchor),
    detail: each.detail === null ? null : safe(each.detail),
  }))
}

/** The hits that are returned, each with its verdicts; for a question, what names something that is gone stands behind. */
export async function verifyHits(
  core: Pick<Core, 'options' | 'view'>,
  place: Pick<Place, 'resolution' | 'layers'>,
  result: RecallResult,
  signal: AbortSignal | undefined,
): Promise<RecallResult> {
  const verify = verifierOf(core, place)
  if (verify === null) return result
  const layers = place.layers()
  const notes = (await Promise.all(result.results.map((hit) => noteOf(core, layers, hit)))).filter(
    (note) => note !== null,
  )
  const verdicts = await lookUp(verify, notes, { maxMs: MAX_VERIFY_MS, signal })
  const results = result.results.map((hit) =>
    hit.kind === 'note' ? { ...hit, verdicts: shownVerdicts(verdicts.get(hit.id) ?? []) } : hit,
  )
  // What is known of somebody, and what contradicts, has no order of worth.
  return { ...result, results: result.entities || result.contradictions ? results : goneBehind(results) }
}

/** A note that is gone by now says nothing. */
async function noteOf(
  { view }: Pick<Core, 'view'>,
  layers: readonly Layer[],
  { kind, file }: RecallHit,
): Promise<RecallNote | null> {
  if (kind !== 'note' || file === null) return null
  const layer = layers.findLast(({ directory }) => isBelow(directory, file))
  return layer ? view.readNote(layer.key, relative(layer.directory, file)) : null
}

function isBelow(directory: string, file: string): boolean {
  const path = relative(directory, file)
  return path !== '' && !path.startsWith('..') && !isAbsolute(path)
}
