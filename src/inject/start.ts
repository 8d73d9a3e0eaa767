/** The start block of a place: read, judged and composed. Both composition roots call this, so their blocks are one. */
import type { Config, Language, StartBlock } from '../domain/index.ts'
import { readLanguage } from '../store/language.ts'
import type { Here } from '../store/notes/precedence.ts'
import { isOrdinary } from '../store/notes/value-order.ts'
import { dialectOf } from './dialects/registry.ts'
import { createStartBlock, linesThatFit } from './start-block.ts'
import { loadStartNotes, type StartNotesOptions } from './start-notes.ts'
import type { StartRest } from './start-rest.ts'
import { readStartRest } from './start-rest-files.ts'

export interface StartOptions extends Omit<StartNotesOptions, 'maxLines'> {
  /** Whose dialect; one that has none gets `plain`. */
  readonly agent: string
  readonly config: Pick<Config, 'inject' | 'profile'>
  readonly projectName: string | null
  readonly here: Here
  readonly explain?: boolean
  /** As in `RestFilesOptions`. */
  readonly compacted?: string | null
}

/**
 * Never throws for what lies in the files. Of a large layer as many notes are read as a block can hold; where that was
 * too few (they have very short lines, or hold elsewhere), all that its index lists.
 */
export async function readStartBlock(options: StartOptions): Promise<StartBlock> {
  const rest = readStartRest(options)
  const first = await composeFrom(options, rest, linesThatFit(options.config.inject.startBytes))
  return first.isCertain ? first.block : (await composeFrom(options, rest, Number.POSITIVE_INFINITY)).block
}

/** `isCertain`: what was not read would not have changed the block. */
async function composeFrom(
  options: StartOptions,
  rest: StartRest,
  maxLines: number,
): Promise<{ block: StartBlock; isCertain: boolean }> {
  const { config, projectName, here, explain } = options
  const { startBytes: maxBytes, startTokens: maxTokens } = config.inject
  const { leading, ...loaded } = await loadStartNotes({ ...options, maxLines })
  const dialect = dialectOf(options.agent, languageOf(options))
  const input = { ...loaded, dialect, rest, projectName, here, maxBytes, maxTokens, profile: config.profile, explain }
  const { block, cut, pieces } = createStartBlock(input)
  // There was no room for one of them, so there is none for those behind it either.
  const isCertain = leading.every((notes) => notes.some((note) => isOrdinary(note) && cut.has(note)))
  return { block: { ...block, pieces }, isCertain }
}

/** As the user set it, else as the last refresh saw the user write. */
export function languageOf({
  config,
  home,
}: Pick<StartOptions, 'home'> & { readonly config: Pick<Config, 'inject'> }): Language {
  const { language } = config.inject
  return language === 'auto' ? (readLanguage(home) ?? 'en') : language
}
