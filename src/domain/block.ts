/** What is put before the model: one start block a session, at most one turn block a user message (spec I1, I2). */

import type { LayerName } from './layer.ts'
import type { ProfileUsage } from './profile.ts'
import type { Standing } from './standing.ts'

/** One entry of a block with the reason it is there, for `context --explain`. */
export interface BlockEntry {
  readonly id: string
  readonly name: string
  readonly layer: string
  readonly section: 'profile' | 'rules' | 'facts' | 'quoted' | 'index' | 'recalled'
  readonly bytes: number
  readonly why: string
}

/** A note that does not stand in a block, and why. */
export interface LeftOut {
  readonly id: string
  readonly name: string
  readonly layer: LayerName
  /** `stands` here means: it counts, and the share ran out. */
  readonly standing: Standing
  /** The share that ran out, or null when the note does not count here. */
  readonly share: 'index' | null
}

/** What a start block is made of, part by part (spec S5, I1). */
export interface BlockExplanation {
  readonly sections: readonly {
    /** `frame`: headings, labels, fences and the count. */
    readonly name: 'guidance' | 'profile' | 'index' | 'frame'
    readonly entries: number
    /** UTF-8 bytes used, and how many this part could have. */
    readonly bytes: number
    readonly maxBytes: number
    readonly tokens: number
  }[]
  /** Nearest first; notes that were read. */
  readonly layers: readonly {
    readonly layer: LayerName
    readonly counting: number
    readonly shown: number
    /** Overridden, muted, narrowed to elsewhere or retired. */
    readonly silenced: number
  }[]
  readonly profile: readonly ProfileUsage[]
  /** At most 100; `leftMore` more. */
  readonly left: readonly LeftOut[]
  readonly leftMore: number
  /** Notes of large layers that their index left out: they are found by search. */
  readonly unread: number
}

export interface Block {
  /** The text as the agent sees it; empty when there is nothing to say. */
  readonly text: string
  /** UTF-8 bytes of `text`. */
  readonly bytes: number
  /** Estimated tokens of `text`. */
  readonly tokens: number
  readonly entries: readonly BlockEntry[]
  /** Notes that count here and did not fit. */
  readonly omitted: number
  /** Sentences about what could not be read; never part of `text`. */
  readonly problems: readonly string[]
  /** Given when it was asked for. */
  readonly explanation?: BlockExplanation
}

/** One of our blocks that a conversation still shows, as the agent's own log holds it. */
export interface ShownBlock {
  readonly kind: 'start' | 'turn'
  readonly text: string
  /** ISO 8601 as the agent wrote it, or null. */
  readonly time: string | null
}

export const EMPTY_BLOCK: Block = { text: '', bytes: 0, tokens: 0, entries: [], omitted: 0, problems: [] }
