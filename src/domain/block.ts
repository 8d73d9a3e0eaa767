/** What is put before the model: one start block a session, at most one turn block a user message (spec I1, I2). */

import type { Language } from './language.ts'
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
  readonly dialect: { readonly name: string; readonly version: number; readonly language: Language }
  readonly sections: readonly {
    /** `rest`: last session, summary, skills; `frame`: headings, labels, fences and the count. */
    readonly name: 'guidance' | 'profile' | 'index' | 'rest' | 'frame'
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
  /** Lines of what stands beside the notes; a line that a shown note says in the same words is not shown twice. */
  readonly rest: Readonly<Record<'session' | 'summary' | 'skills', { readonly shown: number; readonly total: number }>>
  /** At most 100; `leftMore` more. */
  readonly left: readonly LeftOut[]
  readonly leftMore: number
  /** Notes of large layers that their index left out: they are found by search. */
  readonly unread: number
}

/**
 * Why a message called up nothing (spec I3): switched off, no words of a user, no bytes left in this conversation, or fewer
 * than two words, four characters of a script without spaces, or one of each.
 */
export const turnGates = ['off', 'no message', 'no budget', 'few words'] as const
export type TurnGate = (typeof turnGates)[number]

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
  /** Of a turn block: the gate that was closed, so that nothing was searched. With `few words` there may still be news. */
  readonly closed?: TurnGate
  /** Given when it was asked for. */
  readonly explanation?: BlockExplanation
  /** Given when the block is kept for a conversation. */
  readonly kept?: KeptFor
  /** Given when it was asked for: this block beside an earlier one. */
  readonly comparison?: BlockComparison
}

/** Where two start blocks part, and which notes made them part. */
export interface BlockComparison {
  readonly with: {
    /** A block that is kept for a session, one that a transcript shows, or one in any other file. */
    readonly kind: 'session' | 'transcript' | 'file'
    /** Session id or path. */
    readonly name: string
    /** When it was made, where that is known. */
    readonly made: string | null
  }
  readonly isEqual: boolean
  /** Null when they are equal. `byte` counts UTF-8 bytes before it, `line` from 1; null for the end of a block. */
  readonly first: {
    readonly byte: number
    readonly line: number
    readonly earlier: string | null
    readonly now: string | null
  } | null
  readonly earlier: { readonly bytes: number; readonly tokens: number }
  readonly now: { readonly bytes: number; readonly tokens: number }
  /** Tokens of the block now from the first difference on: a provider reads them, and all behind the block, anew. */
  readonly tokensAnew: number
  /** Notes that made them part, in the order of the lines; at most 50, `causesMore` more. */
  readonly causes: readonly BlockCause[]
  readonly causesMore: number
  /** Whether words that belong to no note part: guidance, headings, the count. */
  readonly isFrameChanged: boolean
  /** Lines that went (numbered as they stood then) and came; at most 100, `linesMore` more. */
  readonly lines: readonly { readonly change: 'went' | 'came'; readonly line: number; readonly text: string }[]
  readonly linesMore: number
}

export interface BlockCause {
  /** Null where only its name is known. */
  readonly id: string | null
  readonly name: string
  /**
   * `added`: it stands there now; `changed`: it reads otherwise; `moved`: the same line at another place; `forgotten`;
   * `left out`: it is there, but other notes took its room or it does not count here; `gone`: no note is called so.
   */
  readonly change: 'added' | 'changed' | 'moved' | 'forgotten' | 'left out' | 'gone'
}

/** Of a start block that is kept for one conversation: it is given again byte for byte (spec I1). */
export interface KeptFor {
  /** `<agent>:<native id>` */
  readonly session: string
  /** When the block was made, UTC ISO 8601. */
  readonly made: string
  /** Made by this call; false: it was kept and is given again. */
  readonly isNew: boolean
  /** Lines whose words were forgotten since it was made; a fixed marker stands in their place. */
  readonly forgotten: number
  /** Conversations whose blocks were dropped to make room for this one. */
  readonly dropped: readonly string[]
}

/** Whole lines of a start block, as they stand in it, and what they must go with. */
export interface BlockPiece {
  readonly text: string
  /** The note whose words these are. */
  readonly note: PieceNote | null
  /** The conversation whose words these are, `<agent>:<native id>`. */
  readonly session: string | null
}

export interface PieceNote {
  readonly name: string
  /** Null: known by its name only, as in a line of the summary. */
  readonly version: {
    readonly id: string
    /** Layer key. */
    readonly layer: string
    /** Path below the folder of the layer. */
    readonly file: string
    readonly hash: string
  } | null
}

/** A start block with the lines that can be forgotten. */
export interface StartBlock extends Block {
  readonly pieces: readonly BlockPiece[]
}

/** One of our blocks that a conversation still shows, as the agent's own log holds it. */
export interface ShownBlock {
  readonly kind: 'start' | 'turn'
  readonly text: string
  /** ISO 8601 as the agent wrote it, or null. */
  readonly time: string | null
}

export const EMPTY_BLOCK: Block = { text: '', bytes: 0, tokens: 0, entries: [], omitted: 0, problems: [] }
