/**
 * Near ones first (spec W1): before a new note its nearest are put before the writer, each with what the new one is to
 * it. Judged without the lock, on bytes whose hash is kept: under the lock a verdict counts for those bytes only.
 */
import { sep } from 'node:path'
import { type Layer, NEAR_COVERAGE, type NearNote, type NoteSummary } from '../domain/index.ts'
import { scanThreats } from '../guard/index.ts'
import { readableLayers } from '../store/notes/layers.ts'
import type { WriteContext } from './dependencies.ts'
import type { Draft } from './draft.ts'
import type { NearVerdict } from './near/index.ts'
import { type LoadedNote, readerOf } from './read-layer.ts'

/** Near notes that are looked at; more would be noise. */
const MAX_NEAR = 6

/** A note whose words are near, as it was when it was judged. */
export interface JudgedNear extends NearVerdict {
  readonly summary: NoteSummary
  readonly hash: string
  /** Near by its words alone. */
  readonly isNear: boolean
}

/** The draft with its near notes. A given name decides alone which note is meant, but what the new one renews is said. */
export async function withNear(context: WriteContext, draft: Draft): Promise<Draft> {
  const layers = readableLayers({ team: null, ...(await context.currentLayers()) }, context.config)
  const summaries = await context.nearest(
    draft.text,
    layers.map(({ key }) => key),
    MAX_NEAR,
    // A paraphrase may share a word or two only; what it says is judged, so a far note costs no more than a look.
    { leastCoverage: 0 },
  )
  const near = await Promise.all(
    summaries.map(async ({ coverage = 1, ...summary }) => ({
      ...(await judgeOne(context, layers, { draft, summary })),
      isNear: coverage >= NEAR_COVERAGE,
    })),
  )
  return { ...draft, near }
}

async function judgeOne(
  context: WriteContext,
  layers: readonly Layer[],
  { draft, summary }: { readonly draft: Draft; readonly summary: NoteSummary },
): Promise<Omit<JudgedNear, 'isNear'>> {
  const loaded = await loadNear(context, layers, summary)
  if (!loaded) return { summary, hash: '', relation: 'separate', isWhole: false, gaps: [] }
  const { note, hash } = loaded
  const verdict = context.judgeNear({ name: note.name, text: note.body }, { name: draft.name, text: draft.text })
  return { summary, hash, ...verdict }
}

async function loadNear(
  context: WriteContext,
  layers: readonly Layer[],
  { file }: NoteSummary,
): Promise<LoadedNote | null> {
  const layer = layers.find(({ directory }) => file.startsWith(`${directory}${sep}`))
  if (!layer) return null
  const loaded = await readerOf(context.files, layer, context).load(
    file.slice(layer.directory.length + 1).replaceAll(sep, '/'),
  )
  // What is withheld from every reader cannot stand for what somebody says now.
  return loaded && scanThreats(loaded.note.body).length === 0 ? loaded : null
}

/** As the writer is told them. */
export function nearNotesOf({ near }: Draft): NearNote[] {
  return near.flatMap(({ summary, relation, isNear }) => {
    if (relation === 'update') return [{ ...summary, relation }]
    return isNear ? [summary] : []
  })
}
