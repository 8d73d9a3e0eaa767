/**
 * How a row is scored: BM25 over "is this term in the head, in the body, or not at all", with the length of the row.
 * Every number comes from the rows of the scopes that are searched (how many, how long, how many hold a term), never
 * from FTS5's own statistics: those still count deleted rows of contentless tables, so that an index which lived and
 * a rebuilt one would rank differently.
 */
import { type Atom, MAX_KEPT_ATOMS, MAX_WORD_ATOMS } from './atoms.ts'
import type { JudgedTerm } from './search-index.ts'

/** Where an atom was found in a row: nowhere, in the body only, in the head (name, description). */
export const NOWHERE = 0
export const IN_BODY = 1
export const IN_HEAD = 2
export type Found = typeof NOWHERE | typeof IN_BODY | typeof IN_HEAD

/** The two usual constants of BM25. */
const SATURATION = 1.2
const LENGTH_SHARE = 0.4
/** A term in the head counts as if it stood this often in the body. */
const HEAD_FREQUENCY = 2.5

/**
 * A bigram that stands in no row is more often the seam of two words than a word: it speaks less against a row than an
 * unknown word does.
 */
const UNKNOWN_GRAM = 0.5

/** What is known of the rows in the scopes that are searched. */
export interface ScopeStatistics {
  readonly rows: number
  /** Sum of the lengths of these rows. */
  readonly totalLength: number
}

/** An atom with its weight among these rows. */
export interface WeighedAtom extends Atom {
  /** Its place among the atoms of the query. */
  readonly place: number
  /** Rows that hold it. */
  readonly frequency: number
  readonly idf: number
}

export interface Judgement {
  readonly score: number
  readonly coverage: number
  readonly rarity: number
  readonly matched: number
  readonly full: number
}

/** So few rows do not tell which words are rare: the word that all ten of them share may be the one that is asked for. */
const FEW_ROWS = 30

export function idfOf(rows: number, frequency: number): number {
  return Math.log(1 + (rows - frequency + 0.5) / (frequency + 0.5))
}

/**
 * Gives each atom its rarity. Kept are the rarest known words and grams, which make the score, and the unknown ones,
 * which count in coverage; what is too common to matter in a long query is dropped. Order stays that of the query.
 */
export function weighAtoms(atoms: readonly Atom[], frequencies: readonly number[], rows: number): WeighedAtom[] {
  const weighed = atoms.map((atom, place) => {
    const frequency = frequencies[place] ?? 0
    return { ...atom, place, frequency, idf: idfOf(rows, frequency) }
  })
  const rarest = (kinds: readonly Atom['kind'][], most: number) =>
    weighed
      .filter((atom) => kinds.includes(atom.kind) && atom.frequency > 0)
      .sort((left, right) => right.idf * right.weight - left.idf * left.weight)
      .slice(0, most)
  const spoken = [...rarest(['word'], MAX_WORD_ATOMS), ...rarest(['phrase', 'prefix'], MAX_WORD_ATOMS)]
  const kept = new Set([...spoken, ...rarest(['gram'], MAX_KEPT_ATOMS - spoken.length)])
  return weighed.filter((atom) => atom.frequency === 0 || kept.has(atom))
}

/** Whether a row holds anything that was asked for, and not only what orders rows. */
export function isFound(atoms: readonly WeighedAtom[], found: readonly Found[]): boolean {
  return atoms.some((atom, at) => found[at] && atom.emphasis > 0)
}

/** Score of a row, without coverage. Falls as `length` grows, for the same `found`. */
export function scoreOf(
  atoms: readonly WeighedAtom[],
  found: readonly Found[],
  length: number,
  statistics: ScopeStatistics,
): number {
  const stretch = stretchOf(length, statistics)
  let score = 0
  for (const [at, atom] of atoms.entries()) score += pointsOf(atom, found[at] ?? NOWHERE, stretch)
  return score
}

/** What one term gives: once in the body of a row of mean length, its rarity. */
function pointsOf({ weight, idf }: WeighedAtom, found: Found, stretch: number): number {
  if (found === NOWHERE) return 0
  const frequency = found === IN_HEAD ? HEAD_FREQUENCY : 1
  return (weight * idf * frequency * (SATURATION + 1)) / (frequency + stretch)
}

/** What each atom gives to the score of a row, in the order of the query. */
export function judgeTerms(
  atoms: readonly WeighedAtom[],
  found: readonly Found[],
  length: number,
  statistics: ScopeStatistics,
): JudgedTerm[] {
  const stretch = stretchOf(length, statistics)
  return atoms.map((atom, at) => ({
    kind: atom.kind,
    text: atom.terms.join(' '),
    points: pointsOf(atom, found[at] ?? NOWHERE, stretch),
    isInHead: found[at] === IN_HEAD,
    isAlias: atom.standsFor !== null,
    isAsked: atom.standsFor === null && atom.weight * atom.emphasis >= 1,
    group: atom.group,
  }))
}

function stretchOf(length: number, { rows, totalLength }: ScopeStatistics): number {
  const meanLength = rows > 0 && totalLength > 0 ? totalLength / rows : 1
  return SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / meanLength)
}

/** Everything about one row. */
export function judge(
  atoms: readonly WeighedAtom[],
  found: readonly Found[],
  length: number,
  statistics: ScopeStatistics,
): Judgement {
  const rows = Math.max(statistics.rows, FEW_ROWS)
  let rarity = 0
  for (const [at, atom] of atoms.entries())
    if (found[at] && atom.emphasis > 0) rarity = Math.max(rarity, idfOf(rows, atom.frequency))
  const { coverage, matched, full } = coverageOf(atoms, found)
  return {
    score: scoreOf(atoms, found, length, statistics),
    coverage,
    rarity: Math.min(1, rarity / idfOf(rows, 1)),
    matched,
    full,
  }
}

/** Share of what the query asks for, group by group; an alias covers its share of the word that it stands for. */
function coverageOf(
  atoms: readonly WeighedAtom[],
  found: readonly Found[],
): Pick<Judgement, 'coverage' | 'matched' | 'full'> {
  const groups = new Map<number, { needed: number; got: number; share: number }>()
  for (const [at, atom] of atoms.entries()) {
    if (atom.group === null) continue
    const group = groups.get(atom.group) ?? { needed: 0, got: 0, share: 0 }
    groups.set(atom.group, group)
    const worth =
      atom.weight * atom.idf * atom.emphasis * (atom.kind === 'gram' && atom.frequency === 0 ? UNKNOWN_GRAM : 1)
    if (atom.standsFor === null) group.needed += worth
    if (!found[at]) continue
    if (atom.standsFor === null) group.got += worth
    else group.share += atom.standsFor
  }
  let needed = 0
  let got = 0
  let matched = 0
  for (const group of groups.values()) {
    needed += group.needed
    const part = Math.min(group.needed, group.got + group.share * group.needed)
    got += part
    if (part > 0) matched++
  }
  return { coverage: needed > 0 ? got / needed : 0, matched, full: needed }
}
