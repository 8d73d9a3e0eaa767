/**
 * Port to what the deferred pipeline (spec W14) took out of each conversation, and how far its passes came. Words here are
 * masked. Losing it costs model calls, never a memory. Drivers: `sqlite-session-memories` and `memory-session-memories`.
 */

/** What one conversation gave. */
export interface RawMemory {
  /** Markdown for the pass over the notes. */
  readonly rawMemory: string
  /** A few sentences. */
  readonly summary: string
  readonly slug: string
}

export interface ReadFailure {
  /** In a row. */
  readonly tries: number
  /** Milliseconds; not before then. */
  readonly retryAt: number
  readonly problem: string
}

export interface SessionRead {
  readonly session: string
  /** Layer key of its project, or `global`. */
  readonly layer: string
  /** Messages it had when it was read; 0 when it never was. One that has more now is read again, but for a closed one. */
  readonly messages: number
  /** Null: it gave nothing, which is a success. */
  readonly memory: RawMemory | null
  /** Grows with every reading that gave something or nothing: what a pass has seen lies at or below its watermark. */
  readonly sequence: number
  /** Milliseconds of that reading. */
  readonly at: number
  readonly failure: ReadFailure | null
}

/** The pass over the notes of one layer. */
export interface Pass {
  readonly layer: string
  /** Watermark: memories up to here are in the notes. Moves only when a pass succeeded. */
  readonly sequence: number
  /** What the notes were then (opaque to this port): the difference to it is what changed since. */
  readonly base: string | null
  /** What the model decided and is not carried out yet (opaque too): finished before anything else is begun. */
  readonly plan: string | null
  /** Milliseconds of the last success; null before the first. */
  readonly succeededAt: number | null
  readonly failure: ReadFailure | null
}

/** Messages of a session that is closed: no conversation has more. It is never read again. */
export const CLOSED = Number.MAX_SAFE_INTEGER
/** What stands where a problem had words in it that are forgotten. */
export const FORGOTTEN_PROBLEM = 'what it said was forgotten'

export interface SessionMemories {
  /** Null for a session that was never tried. */
  read(session: string): SessionRead | null
  /**
   * Records a reading that succeeded: replaces the last one, clears its failure, gives it the next sequence. False for one
   * that was closed: nothing is recorded of it any more.
   */
  putRead(read: Pick<SessionRead, 'session' | 'layer' | 'messages' | 'memory' | 'at'>): boolean
  /** What an earlier reading gave stays, and a closed one stays as it is. */
  putFailure(session: string, layer: string, failure: ReadFailure): void
  /** Those of the layer that gave something, beyond this sequence, in its order; `omitted`: how many more there are. */
  memoriesAfter(layer: string, sequence: number, limit: number): { memories: SessionRead[]; omitted: number }
  /** Layers that hold memories beyond the watermark of their pass, the one that waits longest first. */
  waitingLayers(): string[]
  counts(): { memories: number; nothing: number; failed: number }
  /**
   * Forgets what the session gave, and what a pass of its layer decided and did not carry out yet: it may rest on that.
   * Gives the layer when the session had given something.
   */
  remove(session: string): string | null
  /**
   * A note was forgotten that these sessions proved: what they gave goes, each is closed, also one that was never read,
   * and every plan that is not carried out goes, since it may hold the words of any note.
   */
  forgetWords(sessions: readonly string[]): void
  pass(layer: string): Pass | null
  passes(): Pass[]
  putPass(pass: Pass): void
}
