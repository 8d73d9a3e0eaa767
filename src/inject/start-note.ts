/**
 * What the start block knows of one note, and in which order notes stand. The order is total, so that the same store
 * gives the same bytes on any day.
 */
import type { NoteType, ReadableLayer, Voice } from '../domain/index.ts'
import { compareUnits } from '../util/index.ts'

export interface StartNote {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly type: NoteType
  readonly voice: Voice
  readonly pinned: boolean
  readonly layer: ReadableLayer
  /** UTC ISO 8601 or null. */
  readonly updated: string | null
  /** Globs this note is narrowed to; empty means everywhere in its layer. */
  readonly appliesTo: readonly string[]
  /** Whole body, given for pinned notes only. */
  readonly body: string | null
}

const voiceRank: Readonly<Record<Voice, number>> = { rule: 0, fact: 1, quoted: 2 }

/** Rules before facts before quoted words; newest first; then id. */
export function byValue(left: StartNote, right: StartNote): number {
  return (
    voiceRank[left.voice] - voiceRank[right.voice] ||
    compareUnits(right.updated ?? '', left.updated ?? '') ||
    compareUnits(left.id, right.id)
  )
}
