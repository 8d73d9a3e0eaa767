/**
 * Notes for one user message where a model may choose them; words decide where there is none, or where it cannot be
 * asked. Every note that is chosen is read back from its file first.
 */
import { type Layer, layerNameOf } from '../domain/index.ts'
import { compareNotes } from '../store/search-index/row-order.ts'
import type { IndexedNoteRow, SearchIndex } from '../store/search-index/search-index.ts'
import type { QueryParser } from './parse-query.ts'
import type { RecallDependencies, RecallNote, TurnChoice, TurnHit, TurnQuery } from './recall.ts'
import { readNote } from './recall-notes.ts'
import type { Select } from './select-notes.ts'
import { findStandings } from './standing-notes.ts'
import { findTurnHits, sentencesOf } from './turn-hits.ts'
import { isUsageOfWorkedTools } from './used-tools.ts'

/** Notes that a model may choose from. */
export const MAX_MANIFEST = 200

/** Heads of the newest notes that may be shown (spec R1); bodies are not read. */
export function manifestOf(
  index: SearchIndex,
  layers: readonly Layer[],
  { worked = () => [], isShown = () => false }: Pick<TurnQuery, 'worked' | 'isShown'>,
): IndexedNoteRow[] {
  return layers
    .flatMap(({ key }) => index.notesOf(key))
    .filter(({ status, withheld }) => status === 'active' && withheld === null)
    .filter((row) => !isShown(row) && !isUsageOfWorkedTools(row.tags, worked))
    .sort(compareNotes)
    .slice(0, MAX_MANIFEST)
}

/** By the model where there is one; by words where it could not be asked. */
export async function chooseTurnHits(
  index: SearchIndex,
  dependencies: RecallDependencies,
  { parse, query }: { readonly parse: QueryParser; readonly query: TurnQuery },
): Promise<TurnChoice> {
  const { select } = dependencies
  const chosen = select ? await selectTurnHits(index, { ...dependencies, select }, query) : null
  if (chosen && chosen.reason === null) return { hits: chosen.hits, problems: [] }
  const hits = await findTurnHits(index, dependencies, parse, query)
  return { hits, problems: chosen ? [`words chose the notes: ${chosen.reason}`] : [] }
}

/** `reason`: why the model chose nothing; null when it was asked, or the message is none to ask about. */
async function selectTurnHits(
  index: SearchIndex,
  dependencies: RecallDependencies & { readonly select: Select },
  query: TurnQuery,
): Promise<{ readonly hits: readonly TurnHit[]; readonly reason: string | null }> {
  const { select } = dependencies
  if (sentencesOf(query.prompt).length === 0) return { hits: [], reason: null }
  const { prompt, worked, signal } = query
  const manifest = manifestOf(index, dependencies.layers(), query)
  const { rows, reason } = await select({ prompt, worked: worked?.() ?? [], manifest, signal })
  const notes = (await Promise.all(rows.map((row) => readNote(dependencies, row)))).filter(isUsable)
  const standings = await findStandings(index, dependencies, notes, prompt)
  const hits = notes
    .filter((note) => standings.get(note)?.state === 'stands')
    .slice(0, query.limit)
    .map((note) => ({ note, layer: layerNameOf(note.layer), score: null, coverage: null }))
  return { hits, reason }
}

function isUsable(note: RecallNote | null): note is RecallNote {
  return note !== null && note.status === 'active' && note.withheld === null
}
