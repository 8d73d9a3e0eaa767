/**
 * A dialect is how one agent expects memory to look (spec I12). What must stay true: it wraps and never chooses. Notes,
 * their order and the words of rules are the same in all, so each is charged what the widest of them takes.
 */
import type { Language } from '../../domain/index.ts'

/** UTF-8 bytes of the guidance of any dialect in any language (spec I1). */
export const MAX_GUIDANCE_BYTES = 1_000

export interface Dialect {
  readonly name: string
  /** Of its template; figures are told apart by it. */
  readonly version: number
  readonly language: Language
  /** How to read, how to doubt, how to mark use; what to save. */
  readonly guidance: string
}
