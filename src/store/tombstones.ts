/**
 * Tombstones (spec G1): what was forgotten does not come back by itself. Append-only JSON lines with keyed hashes
 * only: no text, no name, no path; without the home's secret key they say nothing. Lifting is a line too.
 *
 * Blocked is a candidate (1) whose text is tombstoned, unless it brings evidence that no tombstone covers, and
 * (2) whose evidence (at least one) is covered by tombstones as a whole, whatever its text. So new evidence may give
 * the note again. A lifted tombstone covers nothing.
 */
import { join } from 'node:path'
import { type Clock, homeFiles, type IdSource, isoSeconds } from '../domain/index.ts'
import { comparableName, keyedHash, normaliseForComparison } from '../util/index.ts'
import { createFileView } from './file-view.ts'
import { appendJsonLine, readJsonLines } from './json-lines.ts'
import { createSecretKey } from './secret-key.ts'

export interface Tombstone {
  readonly op: 'forget' | 'lift'
  /** Of a `lift`: the id of the tombstone that it lifts. */
  readonly id: string
  readonly noteId: string
  readonly nameKey: string
  readonly textKey: string
  readonly evidenceKeys: readonly string[]
  /** UTC ISO 8601. */
  readonly time: string
}

export interface NewTombstone {
  readonly noteId: string
  readonly nameKey: string
  readonly textKey: string
  readonly evidenceKeys: readonly string[]
  /**
   * The latest moment that the note's evidence names, UTC ISO 8601. A tombstone is never older than what it covers, so
   * that a clock that ran behind does not make old words look new.
   */
  readonly saidUntil?: string | null
  /** Conversations that its evidence names, where they are known. They are not written down. */
  readonly sessions?: readonly string[]
}

export interface Tombstones {
  /** Keyed hash of the normalised text (NFKC, lower case, white space collapsed). */
  textKey(text: string): string
  /** Keyed hash of the name, compared as names are. */
  nameKey(name: string): string
  /** Keyed hash of an evidence hash (SHA-256 hex of the masked message). */
  evidenceKey(hash: string): string
  /** Whether a candidate is blocked, by the rule at the top of this file. */
  has(candidate: { readonly textKey: string; readonly evidenceKeys: readonly string[] }): boolean
  /** Durable when it resolves. */
  add(tombstone: NewTombstone): Promise<Tombstone>
  /** False when no standing tombstone has this id. */
  lift(id: string): Promise<boolean>
  /** Standing tombstones set at or after `ms`, oldest first. */
  since(ms: number): readonly Tombstone[]
  /** Lines that could not be read; reported by `doctor`. */
  badLines(): number
}

export interface TombstonesOptions {
  readonly home: string
  readonly clock: Clock
  readonly ids: IdSource
}

/** Reading creates nothing; the file and the secret key are made by the first `add`. */
export function createTombstones(options: TombstonesOptions): Tombstones {
  const file = join(options.home, homeFiles.tombstones)
  const key = createSecretKey(options.home)
  const standing = createFileView(file, readStanding, NOTHING_STANDS)
  const append = (line: Tombstone) => {
    key.persist()
    appendJsonLine(file, line)
    return line
  }
  return {
    textKey: (text) => keyedHash(key.bytes(), `text:${normaliseForComparison(text)}`),
    nameKey: (name) => keyedHash(key.bytes(), `name:${comparableName(name)}`),
    evidenceKey: (hash) => keyedHash(key.bytes(), `evidence:${hash}`),
    has: (candidate) => isBlocked([...standing().tombstones.values()], candidate),
    since: (ms) =>
      [...standing().tombstones.values()].filter((each) => Date.parse(each.time) >= Math.floor(ms / 1_000) * 1_000),
    badLines: () => standing().bad,
    async add({ saidUntil, sessions: _, ...tombstone }) {
      const saidMs = Date.parse(saidUntil ?? '')
      const time = isoSeconds(Number.isNaN(saidMs) ? options.clock.now() : Math.max(options.clock.now(), saidMs))
      return append({ op: 'forget', id: options.ids.next(), ...tombstone, time })
    },
    async lift(id) {
      const found = standing().tombstones.get(id)
      if (!found) return false
      append({ ...found, op: 'lift', time: isoSeconds(options.clock.now()) })
      return true
    },
  }
}

function isBlocked(
  standing: readonly Tombstone[],
  candidate: { readonly textKey: string; readonly evidenceKeys: readonly string[] },
): boolean {
  const covered = new Set(standing.flatMap((each) => each.evidenceKeys))
  const isCovered = candidate.evidenceKeys.every((key) => covered.has(key))
  if (!isCovered) return false
  return candidate.evidenceKeys.length > 0 || standing.some((each) => each.textKey === candidate.textKey)
}

interface Standing {
  readonly tombstones: ReadonlyMap<string, Tombstone>
  readonly bad: number
}

const NOTHING_STANDS: Standing = { tombstones: new Map(), bad: 0 }

function readStanding(file: string): Standing {
  const lines = readJsonLines(file)
  const tombstones = new Map<string, Tombstone>()
  let bad = lines.bad.length
  for (const { value } of lines.records) {
    const tombstone = tombstoneFrom(value)
    if (!tombstone) bad++
    else if (tombstone.op === 'lift') tombstones.delete(tombstone.id)
    else tombstones.set(tombstone.id, tombstone)
  }
  return { tombstones, bad }
}

function tombstoneFrom(value: Readonly<Record<string, unknown>>): Tombstone | null {
  const { op, id, noteId, nameKey, textKey, evidenceKeys, time } = value
  if ((op !== 'forget' && op !== 'lift') || typeof id !== 'string' || typeof noteId !== 'string') return null
  if (typeof nameKey !== 'string' || typeof textKey !== 'string' || typeof time !== 'string') return null
  if (!Array.isArray(evidenceKeys)) return null
  const keys = evidenceKeys.filter((key): key is string => typeof key === 'string')
  return { op, id, noteId, nameKey, textKey, evidenceKeys: keys, time }
}
