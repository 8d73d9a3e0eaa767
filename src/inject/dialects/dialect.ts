/**
 * A dialect is how one agent expects memory to look (spec I12). What must stay true: it wraps and never chooses. Notes,
 * their order and the words of rules are the same in all, so each is charged what the widest of them takes.
 */
import type { Language, ProfileUsage } from '../../domain/index.ts'
import type { Words } from './words.ts'

/** UTF-8 bytes of the guidance of any dialect in any language (spec I1). */
export const MAX_GUIDANCE_BYTES = 1_000
/** Tokens of the same. */
export const MAX_GUIDANCE_TOKENS = 300

/** Of a line between two entries, its line break included. */
export const MAX_BETWEEN_BYTES = 3

export interface Dialect {
  readonly name: string
  /** Of its template; figures are told apart by it. */
  readonly version: number
  readonly language: Language
  /** How to read, how to doubt, how to mark use; what to save. */
  readonly guidance: string
  readonly words: Words
  /** The last session, the summary and the skills stand before the notes, not behind them. */
  readonly restFirst: boolean
  /** The line over the entries of one store of the profile. */
  storeHeading(usage: ProfileUsage): string
  /** A line between two entries of a store; null where there is none. */
  readonly betweenEntries: string | null
}
