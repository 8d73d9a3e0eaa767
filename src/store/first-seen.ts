/**
 * How old a file is that says no date (spec I4): as old as its words. A touch, a copy, another line length, other marks or a
 * front matter that is put before them make nothing new; other words do. The state database remembers when words were first
 * seen; where it does not know them, the history of the layer may say when they became what they are.
 */
import type { Note } from '../domain/index.ts'
import { sha256 } from '../util/index.ts'
import type { StateStore } from './state/state-store.ts'

const WORDS = /[\p{L}\p{N}\p{M}]+/gu

/** The same for two texts that differ in nothing but white space, punctuation and marks. */
export function wordsKey({ body }: Pick<Note, 'body'>): string {
  return `words ${sha256(body.normalize('NFC').match(WORDS)?.join(' ') ?? '')}`
}

export interface FirstSeenTools {
  readonly state: Pick<StateStore, 'firstSeen' | 'peekFirstSeen'>
  /** Layer key. */
  readonly layer: string
  readonly nowMs: number
  /** When these words came into the file, milliseconds; null when no history says. */
  readonly lastChange: (note: Note) => Promise<number | null>
}

/** Milliseconds; remembered for these words and for these bytes. */
export async function firstSeenOf(note: Note, { state, layer, nowMs, lastChange }: FirstSeenTools): Promise<number> {
  const { file, hash } = note
  const key = wordsKey(note)
  const known =
    state.peekFirstSeen(layer, file, key) ??
    // What an earlier version of Keepsake remembered.
    state.peekFirstSeen(layer, file, hash)
  const seenMs = known ?? (await lastChange(note)) ?? nowMs
  state.firstSeen(layer, file, hash, seenMs)
  return state.firstSeen(layer, file, key, seenMs)
}
