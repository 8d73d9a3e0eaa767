/** What is put before the model: one start block a session, at most one turn block a user message (spec I1, I2). */

/** One entry of a block with the reason it is there, for `context --explain`. */
export interface BlockEntry {
  readonly id: string
  readonly name: string
  readonly layer: string
  readonly section: 'profile' | 'rules' | 'facts' | 'quoted' | 'index' | 'recalled'
  readonly bytes: number
  readonly why: string
}

export interface Block {
  /** The text as the agent sees it; empty when there is nothing to say. */
  readonly text: string
  /** UTF-8 bytes of `text`. */
  readonly bytes: number
  /** Estimated tokens of `text`. */
  readonly tokens: number
  readonly entries: readonly BlockEntry[]
  /** Notes that did not fit. */
  readonly omitted: number
  /** Sentences about what could not be read; never part of `text`. */
  readonly problems: readonly string[]
}

/** One of our blocks that a conversation still shows, as the agent's own log holds it. */
export interface ShownBlock {
  readonly kind: 'start' | 'turn'
  readonly text: string
  /** ISO 8601 as the agent wrote it, or null. */
  readonly time: string | null
}

export const EMPTY_BLOCK: Block = { text: '', bytes: 0, tokens: 0, entries: [], omitted: 0, problems: [] }
