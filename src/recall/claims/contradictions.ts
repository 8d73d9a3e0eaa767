/** Pairs of notes that cannot both hold: the same key, two values. */
import { type Claim, claimsOf } from './claims.ts'

export interface Stated {
  readonly id: string
  readonly name: string
  readonly text: string
  /** UTC ISO 8601 */
  readonly updated: string | null
  /** Ids or names of notes that it replaced. */
  readonly supersedes: readonly string[]
}

export interface Contradiction<Note> {
  readonly newer: Note
  readonly older: Note
  readonly kind: Claim['kind']
  readonly newerQuote: string
  readonly olderQuote: string
}

/** One for each pair of notes, newest first. `notes`: those that count; their order decides between equal dates. */
export function findContradictions<Note extends Stated>(notes: readonly Note[]): Contradiction<Note>[] {
  const byKey = new Map<string, { note: Note; claim: Claim }[]>()
  const found = new Map<string, Contradiction<Note>>()
  const ordered = [...notes].sort((one, other) => ((one.updated ?? '') < (other.updated ?? '') ? -1 : 1))
  for (const note of ordered)
    for (const claim of claimsOf(note.text)) {
      const known = byKey.get(claim.key) ?? []
      byKey.set(claim.key, [...known, { note, claim }])
      for (const earlier of known) {
        if (!isContrary(earlier, { note, claim })) continue
        const pair = `${earlier.note.id}\n${note.id}`
        if (found.has(pair)) continue
        const quotes = { newerQuote: claim.quote, olderQuote: earlier.claim.quote }
        found.set(pair, { newer: note, older: earlier.note, kind: claim.kind, ...quotes })
      }
    }
  return [...found.values()].reverse()
}

interface Said<Note> {
  readonly note: Note
  readonly claim: Claim
}

function isContrary<Note extends Stated>(older: Said<Note>, newer: Said<Note>): boolean {
  if (older.note.id === newer.note.id || older.claim.value === newer.claim.value) return false
  if (replaces(newer.note, older.note) || replaces(older.note, newer.note)) return false
  if (newer.claim.kind !== 'value') return true
  // "Ana" and "Ana and Bo": the one is said in the other.
  const [one, other] = [older.claim.value, newer.claim.value].map((value) => new Set(value.split(' ')))
  return !(one && other) || !(isWithin(one, other) || isWithin(other, one))
}

function isWithin(part: ReadonlySet<string>, whole: ReadonlySet<string>): boolean {
  return [...part].every((word) => whole.has(word))
}

function replaces(note: Stated, other: Stated): boolean {
  return note.supersedes.some((reference) => reference === other.id || reference === other.name)
}
