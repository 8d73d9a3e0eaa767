/**
 * Notes for one user message, unasked, so the floor is strict (spec I3, R7). A message of several sentences is several
 * questions: each is put alone, because a pasted log would drown what the person wrote.
 */

import { layerNameOf } from '../domain/index.ts'
import type { SearchIndex } from '../store/search-index/search-index.ts'
import { isAboveTurnFloor } from './floor.ts'
import { placeOf } from './named-notes.ts'
import type { QueryParser } from './parse-query.ts'
import type { RecallDependencies, RecallNote, TurnHit, TurnQuery } from './recall.ts'
import { type FoundNote, findNotes } from './recall-notes.ts'
import { findStandings } from './standing-notes.ts'
import { isEnoughToSearch } from './turn-gates.ts'
import { isUsageOfWorkedTools } from './used-tools.ts'

const DEFAULT_LIMIT = 5
/** Notes that are ranked for one sentence. */
const CANDIDATES = 30
/** Sentences that are looked at: the first ones and the last ones of a long message. */
const MAX_SENTENCES = 8
/** UTF-16 units of one sentence; a longer line is data more often than words. */
const MAX_SENTENCE_LENGTH = 600
/** Each further question is another chance of a false hit, so the floor rises. */
const SEVERAL_MARGIN = 0.06

export async function findTurnHits(
  index: SearchIndex,
  dependencies: RecallDependencies,
  parse: QueryParser,
  { prompt, limit = DEFAULT_LIMIT, worked = () => [], signal }: TurnQuery,
): Promise<TurnHit[]> {
  const sentences = sentencesOf(prompt)
  const margin = sentences.length > 1 ? SEVERAL_MARGIN : 0
  const best = new Map<string, FoundNote>()
  // Only a few notes are about tools, and looking what was used costs more than they do.
  const isLeftOut = ({ tags }: Pick<RecallNote, 'tags'>) => tags.length > 0 && isUsageOfWorkedTools(tags, worked)
  for (const sentence of sentences) {
    const query = parse(sentence)
    const layers = dependencies.layers()
    const accepts = (hit: FoundNote | Parameters<typeof isAboveTurnFloor>[1]) => isAboveTurnFloor(query, hit, margin)
    const { found } = await findNotes(index, dependencies, {
      text: sentence,
      query,
      layers,
      limit,
      candidates: CANDIDATES,
      accepts,
      isLeftOut,
      signal,
    })
    for (const each of found) {
      const key = placeOf(each.note)
      const known = best.get(key)
      if (!known || known.coverage < each.coverage) best.set(key, each)
    }
  }
  const found = [...best.values()]
  const standings = await findStandings(
    index,
    dependencies,
    found.map(({ note }) => note),
    prompt,
  )
  return found
    .filter(({ note }) => standings.get(note)?.state === 'stands')
    .sort((left, right) => right.coverage - left.coverage || right.parts.final - left.parts.final)
    .slice(0, limit)
    .map(({ note, layer, parts, coverage }) => ({
      note,
      layer: layerNameOf(layer.key),
      score: parts.final,
      coverage,
    }))
}

/** Sentences that are worth a search. */
export function sentencesOf(prompt: string): string[] {
  const sentences = prompt
    .slice(0, 200_000)
    .split(/(?<=[.!?])\s+|[。！？!?；\n\r]+/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length <= MAX_SENTENCE_LENGTH && isEnoughToSearch(sentence))
  if (sentences.length <= MAX_SENTENCES) return sentences
  const half = MAX_SENTENCES / 2
  return [...sentences.slice(0, half), ...sentences.slice(-half)]
}
