/** `memory.context`: the start block of one place, in the dialect of one agent. */
import type { Block, ContextInput } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import { dialectNames, readStartBlock } from '../inject/index.ts'
import { listOnce } from '../store/notes/layer-reader.ts'
import type { Core } from './core.ts'
import type { Place } from './place.ts'
import { shownBlock } from './shown.ts'

/** Throws AGENT_UNKNOWN. */
export async function contextOf(core: Core, place: Place, { agent = 'plain', explain }: ContextInput): Promise<Block> {
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
  const block = await readStartBlock({
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
  return shownBlock(block)
}
