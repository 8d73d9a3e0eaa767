/**
 * Port to machine state that is not memory: cursors, leases, first-seen times, keys of notes, notes that went missing,
 * trust and use of notes, work that waits. Losing it costs statistics and repeated reading, never a memory (tombstones are a file of their own). Drivers:
 * `sqlite-state-store` (state.db) and `memory-state-store`.
 */
import type { CallLedger, TrustStep } from '../../domain/index.ts'
import type { CandidateStore } from './candidate-store.ts'
import type { ExtractionCursors } from './extraction-cursors.ts'
import type { JobQueue } from './job-queue.ts'
import type { NoteUses } from './note-uses.ts'
import type { SessionMemories } from './session-memories.ts'

/** How far a transcript was read. */
export interface Cursor {
  readonly transcript: string
  readonly agent: string
  /** Byte offset after the last row read. */
  readonly offset: number
  /** SHA-256 of the first 1,024 bytes: another file at the same path starts anew. */
  readonly head: string
  /** Milliseconds of the last read. */
  readonly readAt: number
}

/**
 * What a tombstone will need when the note's file is gone: keyed hashes, no words. Kept from the last reading of the
 * file on, because a removal by hand leaves nothing to read.
 */
export interface NoteKeys {
  readonly layer: string
  readonly file: string
  /** Hash of the bytes that these keys were made from. */
  readonly hash: string
  readonly id: string
  readonly nameKey: string
  readonly textKey: string
  readonly evidenceKeys: readonly string[]
}

export interface MissingNote extends NoteKeys {
  /** Milliseconds of the first look that missed it. */
  readonly missedAt: number
}

/** A lease that a crashed clock left in the future must not block for ever: it counts while |now - renewed| < ttl. */
export function isLeaseAlive(lease: { renewedAt: number; ttlMs: number }, now: number): boolean {
  return Math.abs(now - lease.renewedAt) < lease.ttlMs
}

/** Steps kept for one note: its trust rests on the newest sessions that had something to say. */
export const MAX_TRUST_STEPS = 200

export interface StateStore {
  /** What the deferred pipeline took out of conversations. */
  readonly sessionMemories: SessionMemories
  /** Tentative statements. */
  readonly candidates: CandidateStore
  /** Which notes were cited or opened, and in how many sessions. */
  readonly uses: NoteUses
  readonly queue: JobQueue
  readonly extractions: ExtractionCursors
  /** What models were asked, and what it cost. */
  readonly ledger: CallLedger
  cursor(transcript: string): Cursor | null
  putCursor(cursor: Cursor): void
  cursors(): Cursor[]
  /** Takes or renews a lease; false while another owner's lease is alive. `ttlMs` after the last renewal it is lost. */
  acquireLease(name: string, owner: string, now: number, ttlMs: number): boolean
  releaseLease(name: string, owner: string): void
  leaseOwner(name: string, now: number): string | null
  /** Time (ms) at which this content of a file was first seen; records `now` when it is new. */
  firstSeen(layer: string, file: string, hash: string, now: number): number
  /** The same without recording: null when never seen. */
  peekFirstSeen(layer: string, file: string, hash: string): number | null
  /** Replaces the keys of these files, in one transaction. */
  putNoteKeys(keys: readonly NoteKeys[]): void
  /** File to hash of the bytes, of all files of the layer that have keys. */
  keyedFiles(layer: string): Map<string, string>
  noteKeys(layer: string, file: string): NoteKeys | null
  removeNoteKeys(layer: string, files: readonly string[]): void
  /** In the order of files. */
  missing(layer: string): MissingNote[]
  /** In one transaction. A file that is missing already keeps its first `missedAt`. */
  putMissing(notes: readonly MissingNote[]): void
  removeMissing(layer: string, file: string): void
  /**
   * Records one step. Of two for the same note and session the worse signal and the later time stay. Beyond
   * MAX_TRUST_STEPS the oldest steps of the note go.
   */
  putTrustStep(step: TrustStep): void
  /** Steps of these notes, newest first, then by session. */
  trustSteps(notes: readonly string[]): TrustStep[]
  removeTrust(notes: readonly string[]): void
  /** Another text whenever anything may have been written since, by whomever. */
  generation(): string
  close(): void
}
