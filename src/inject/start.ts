/** The start block of a place: read, judged and composed. Both composition roots call this, so their blocks are one. */
import type { Block, Config } from '../domain/index.ts'
import type { Here } from '../store/notes/precedence.ts'
import { createStartBlock } from './start-block.ts'
import { loadStartNotes, type StartNotesOptions } from './start-notes.ts'

export interface StartOptions extends StartNotesOptions {
  readonly config: Pick<Config, 'inject' | 'profile'>
  readonly projectName: string | null
  readonly here: Here
  readonly explain?: boolean
}

/** Never throws for what lies in the files. */
export async function readStartBlock(options: StartOptions): Promise<Block> {
  const { config, projectName, here, explain } = options
  const { startBytes: maxBytes, startTokens: maxTokens } = config.inject
  const loaded = await loadStartNotes(options)
  return createStartBlock({ ...loaded, projectName, here, maxBytes, maxTokens, profile: config.profile, explain })
}
