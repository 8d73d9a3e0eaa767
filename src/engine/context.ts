/** `memory.context`: the start block of one place, in the dialect of one agent. */
import type { Block, ContextInput } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import { dialectNames, FACTS_VIEW, readStartBlock } from '../inject/index.ts'
import { listOnce } from '../store/notes/layer-reader.ts'
import { comparedContext } from './compare-context.ts'
import type { Core } from './core.ts'
import { factsBlock } from './facts.ts'
import { keptContext, sessionIdOf, withoutPieces } from './kept-context.ts'
import type { Place } from './place.ts'

/** Throws AGENT_UNKNOWN, INPUT_INVALID; with `compare` also SESSION_NOT_FOUND, TRANSCRIPT_UNREADABLE. */
export async function contextOf(core: Core, place: Place, input: ContextInput): Promise<Block> {
  const { agent = 'plain', explain, session, renew = false, compare } = input
  const { files, isToolWritten, options } = core
  const known = [...new Set([...dialectNames, ...Object.keys(options.readers)])]
  if (!known.includes(agent))
    throw new MemoryError('AGENT_UNKNOWN', `No dialect is called ${JSON.stringify(agent)}`, {
      hint: `Known: ${known.join(', ')}.`,
      data: { agent, known },
    })
  const resolution = place.resolution()
  const projectName = resolution.kind === 'known' ? resolution.project.name : null
  const { config } = options.loaded
  const make = (agent: string) =>
    agent === FACTS_VIEW
      ? factsBlock(core, place, { similarity: null, explain })
      : readStartBlock({
          agent,
          home: core.home.directory,
          files,
          listingOf: listOnce(files),
          layers: place.layers(),
          isToolWritten,
          config,
          projectName,
          here: place.here(),
          explain,
        })
  if (compare !== undefined) return comparedContext(core, place, { compare, agent: input.agent, agents: known, make })
  if (session !== undefined)
    return keptContext(core, place, {
      session: sessionIdOf(session, agent, known),
      agent,
      renew,
      make: () => make(agent),
    })
  if (renew)
    throw new MemoryError('INPUT_INVALID', 'Only the block of a session can be made anew', {
      hint: 'Name the session, or leave `renew` out: without one nothing is kept.',
      data: { field: 'renew' },
    })
  return withoutPieces(await make(agent))
}
