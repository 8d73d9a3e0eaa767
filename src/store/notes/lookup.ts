/**
 * One note from what a person or agent typed (spec S3). The strictest way that finds anything decides; a looser way is
 * never tried to break a tie. Nothing is matched by a part of its words.
 */
import { comparableName } from '../../util/index.ts'
import { baseName } from './names.ts'

/** Shorter prefixes of ids match by chance. */
export const MIN_ID_PREFIX = 6

export interface Findable {
  readonly id: string
  /** Path below the layer's folder. */
  readonly file: string
  readonly name: string
}

export type FoundNote<Found> = { readonly match: Found } | { readonly candidates: readonly Found[] }

/** The one note that is meant, every note that could be meant, or null. */
export function findNotes<Found extends Findable>(reference: string, notes: readonly Found[]): FoundNote<Found> | null {
  const wanted = reference.normalize('NFC').trim()
  if (wanted === '') return null
  for (const matches of waysToMatch(wanted)) {
    const [first, ...others] = notes.filter(matches)
    if (first !== undefined) return others.length === 0 ? { match: first } : { candidates: [first, ...others] }
  }
  return null
}

function waysToMatch(wanted: string): ((note: Findable) => boolean)[] {
  const upper = wanted.toUpperCase()
  const isIdPrefix = wanted.length >= MIN_ID_PREFIX && /^[0-9A-HJKMNP-TV-Z]+$/.test(upper)
  const withoutEnding = (file: string): string => file.normalize('NFC').replace(/\.md$/i, '')
  const stem = withoutEnding(wanted.replace(/^\.\//, ''))
  const name = comparableName(wanted)
  return [
    (note) => note.id.toUpperCase() === upper,
    (note) => note.name.normalize('NFC').trim() === wanted,
    (note) => withoutEnding(note.file) === stem,
    (note) => isIdPrefix && note.id.toUpperCase().startsWith(upper),
    (note) => withoutEnding(baseName(note.file)) === stem,
    (note) => comparableName(note.name) === name,
  ]
}
