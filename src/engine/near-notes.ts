/** Looks beside a write, by the index: courtesies to the writer. One that cannot be used gives none and is told by status. */
import type { Layer, NoteSummary } from '../domain/index.ts'
import type { Recall } from '../recall/index.ts'
import { toSummary } from '../store/notes/summary.ts'
import type { Tombstones } from '../store/tombstones.ts'
import { everyLayer, type PlaceOptions } from './place.ts'
import { shown } from './shown.ts'
import type { Stores } from './stores.ts'

type OnProblem = (error: unknown, where: string) => void

interface HoldingTools {
  readonly tombstones: Tombstones
  readonly stores: Stores
  readonly placeOptions: PlaceOptions
  readonly onProblem: OnProblem
}

/** Over all projects, by what the index knows: a courtesy, asked for rules of a project only. */
export function layersHolding(
  { tombstones, stores, placeOptions, onProblem }: HoldingTools,
  text: string,
): readonly string[] {
  try {
    const textKey = tombstones.textKey(text)
    const holds = (key: string) =>
      stores
        .index()
        .notesOf(key)
        .some((row) => row.textKey === textKey)
    return everyLayer(placeOptions)
      .map(({ key }) => key)
      .filter(holds)
  } catch (error) {
    onProblem(error, 'nearest')
    return []
  }
}

interface NearTools {
  readonly recall: Recall
  readonly layers: () => readonly Layer[]
  readonly onProblem: OnProblem
}

export function nearNotes(
  { recall, layers, onProblem }: NearTools,
  text: string,
  keys: readonly string[],
  { limit, leastCoverage }: { readonly limit: number; readonly leastCoverage?: number },
): (NoteSummary & { readonly coverage: number })[] {
  try {
    const byKey = new Map(layers().map((layer) => [layer.key, layer]))
    return recall.nearest(text, keys, limit, { leastCoverage }).flatMap((row) => {
      const layer = byKey.get(row.layer)
      return layer ? [{ ...shown(toSummary(row, layer), [layer]), coverage: row.coverage }] : []
    })
  } catch (error) {
    // Near notes are a courtesy to the writer; an index that cannot be used is told by status.
    onProblem(error, 'nearest')
    return []
  }
}
