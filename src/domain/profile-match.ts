/**
 * What became of the entries of a profile text that was edited as a whole: each edited entry is the note with which it
 * shares the longest stretch of text, else a new one. Pure.
 */
import { profileEntry } from './profile.ts'

export interface ProfileMatch {
  /** Entries of notes whose words changed. */
  readonly changed: readonly { readonly id: string; readonly text: string }[]
  readonly added: readonly string[]
  /** Ids of notes that have no entry any more. */
  readonly left: readonly string[]
}

/** Two entries are the same note when they share at least this part of the shorter one, in one stretch. */
const MIN_SHARED = 0.4
/** UTF-16 units of an entry that are compared; a profile is far smaller. */
const MAX_COMPARED_UNITS = 4_000

export function matchProfile(
  edited: readonly string[],
  notes: readonly { readonly id: string; readonly text: string }[],
): ProfileMatch {
  const entries = edited.map(profileEntry)
  const standing = notes.map(({ id, text }) => ({ id, text: profileEntry(text) }))
  const owner = new Map<number, { readonly id: string; readonly text: string }>()
  const free = new Map(standing.map((note) => [note.id, note]))
  for (const [entry, note] of bestPairs(entries, standing)) {
    if (owner.has(entry) || !free.has(note.id)) continue
    owner.set(entry, note)
    free.delete(note.id)
  }
  return {
    changed: entries.flatMap((text, index) => {
      const note = owner.get(index)
      return note && note.text !== text ? [{ id: note.id, text }] : []
    }),
    added: entries.filter((_, index) => !owner.has(index)),
    left: [...free.keys()],
  }
}

/** Pairs that may be one note, most in common first; equal ones before all others. */
function bestPairs<Standing extends { readonly text: string }>(
  entries: readonly string[],
  notes: readonly Standing[],
): [number, Standing][] {
  const pairs = entries.flatMap((entry, index) =>
    notes.map((note) => {
      const shared = entry === note.text ? Number.POSITIVE_INFINITY : longestShared(entry, note.text)
      return { index, note, shared, isEnough: shared >= Math.min(entry.length, note.text.length) * MIN_SHARED }
    }),
  )
  return pairs
    .filter(({ isEnough, shared }) => isEnough && shared > 0)
    .sort((one, other) => (other.shared === one.shared ? 0 : other.shared > one.shared ? 1 : -1))
    .map(({ index, note }) => [index, note])
}

/** Length of the longest stretch that stands in both texts. */
function longestShared(one: string, other: string): number {
  const [left, right] = [one.slice(0, MAX_COMPARED_UNITS), other.slice(0, MAX_COMPARED_UNITS)]
  let longest = 0
  let above = new Uint16Array(right.length + 1)
  for (let row = 0; row < left.length; row++) {
    const current = new Uint16Array(right.length + 1)
    for (let column = 0; column < right.length; column++) {
      if (left.charCodeAt(row) !== right.charCodeAt(column)) continue
      const length = (above[column] ?? 0) + 1
      current[column + 1] = length
      if (length > longest) longest = length
    }
    above = current
  }
  return longest
}
