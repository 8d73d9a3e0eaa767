/** An answer on disk while its notes are being written: masked, with what it cost and how far it reads. */

import { redact } from '../../guard/index.ts'
import type { Spend } from '../../models/index.ts'
import type { OfferedNote } from './answer.ts'

export interface KeptAnswer {
  /** Place of the last message that it is about. */
  readonly upTo: number
  readonly notes: readonly OfferedNote[]
  readonly spend: Spend
}

export function writeKept({ upTo, notes, spend }: KeptAnswer): string {
  return JSON.stringify({ upTo, notes: notes.map(masked), spend })
}

/** Null for what `writeKept` did not write: then the model is asked again. */
export function readKept(text: string | null): KeptAnswer | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    return isKept(value) ? value : null
  } catch {
    // Of another version, or damaged.
    return null
  }
}

export function masked(note: OfferedNote): OfferedNote {
  const mask = (words: string) => redact(words).text
  return {
    type: note.type,
    name: mask(note.name),
    description: mask(note.description),
    text: mask(note.text),
    quotes: note.quotes.map(({ message, words }) => ({ message, words: mask(words) })),
    replaces: note.replaces,
  }
}

/** Its notes were checked before they were written down. */
function isKept(value: unknown): value is KeptAnswer {
  if (typeof value !== 'object' || value === null) return false
  return (
    'upTo' in value &&
    typeof value.upTo === 'number' &&
    'notes' in value &&
    Array.isArray(value.notes) &&
    'spend' in value
  )
}
