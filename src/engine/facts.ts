/** The facts view of one place (`memory.context({ agent: 'facts' })`), for a message ordered by nearness to it too. */
import { type Block, type ContextInput, type RecallHit, type StartBlock, scoreFrom } from '../domain/index.ts'
import { throwIfCancelled } from '../errors.ts'
import { type FactsOptions, readFacts } from '../inject/index.ts'
import { listOnce } from '../store/notes/layer-reader.ts'
import type { Core } from './core.ts'
import { withoutPieces } from './kept-context.ts'
import type { Place } from './place.ts'
import { prepare } from './prepare.ts'

/** Notes that are looked at for nearness; a block shows about as many. */
const MAX_NEAR = 50

export async function factsOf(
  core: Core,
  place: Place,
  { prompt, explain, signal }: ContextInput & { readonly prompt: string },
): Promise<Block> {
  throwIfCancelled(signal)
  const { similarity, problems } = await nearnessTo(core, place, { prompt, signal })
  const block = await factsBlock(core, place, { similarity, explain })
  return withoutPieces({ ...block, problems: [...block.problems, ...problems] })
}

/** `similarity`: of notes to a question, by id; null where none was asked. */
export function factsBlock(
  { files, isToolWritten, options, home }: Core,
  place: Place,
  asked: Pick<FactsOptions, 'similarity' | 'explain'>,
): Promise<StartBlock> {
  return readFacts({
    home: home.directory,
    files,
    listingOf: listOnce(files),
    layers: place.layers(),
    isToolWritten,
    config: options.loaded.config,
    here: place.here(),
    ...asked,
  })
}

async function nearnessTo(
  core: Core,
  place: Place,
  { prompt, signal }: { readonly prompt: string; readonly signal: AbortSignal | undefined },
): Promise<{ readonly similarity: ReadonlyMap<string, number>; readonly problems: readonly string[] }> {
  const stale = await prepare(core, place, 'notes')
  const recall = stale === null ? core.recall : core.recallByScan(stale)
  const { results, searched, reason } = await recall.recall({ query: prompt, limit: MAX_NEAR, explain: true, signal })
  const problems = searched === 'scan' ? [`the index could not be used (${reason}); files were scanned`] : []
  return { similarity: new Map(results.map((hit) => [hit.id, similarityOf(hit)])), problems }
}

/** What the note holds of the question, 0..1, before age, confidence and trust have their say: 1 is all of it, once. */
function similarityOf({ explain }: RecallHit): number {
  const steps = explain?.steps ?? []
  const end = steps.findIndex(({ part }) => part === 'recency')
  return Math.min(1, scoreFrom(steps.slice(0, Math.max(end, 0))))
}
