/** What one write brings (spec W1). */
import type { Evidence } from './evidence.ts'
import type { WritableLayer } from './layer.ts'
import type { NoteType } from './note.ts'

/** One memory as it is given. */
export interface NewMemory {
  /** The memory, Markdown. */
  readonly text: string
  readonly type?: NoteType
  /** A given name is never merged into another; it makes a new version of the note that has it. */
  readonly name?: string
  readonly description?: string
  readonly layer?: WritableLayer
  readonly pin?: boolean
  readonly tags?: readonly string[]
  readonly supersedes?: readonly string[]
  readonly expires?: string
  readonly appliesTo?: readonly string[]
}

/** Who writes, and how. */
export interface WriteOptions {
  readonly evidence?: readonly Evidence[]
  /** Who writes. Default `person`. */
  readonly author?: WriteAuthor
  /** Name of the agent, when `author` is `agent` or `extractor`. */
  readonly agent?: string
  /** When it was said (UTC ISO 8601); relative dates become absolute from it. Default: now. */
  readonly time?: string
  /** Judge everything, change nothing. */
  readonly dryRun?: boolean
  readonly signal?: AbortSignal
}

export interface RememberInput extends NewMemory, WriteOptions {}

export type WriteAuthor = 'person' | 'agent' | 'extractor' | 'import'

export interface MoveInput extends Pick<WriteOptions, 'author' | 'agent'> {
  readonly reference: string
  readonly layer: WritableLayer
  readonly signal?: AbortSignal
}
