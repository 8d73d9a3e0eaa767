/**
 * When a match is worth showing (spec R7). The measure is coverage: which share of what was asked, weighed by rarity,
 * the row holds. Measured on LoCoMo and MemDaily questions put to foreign stores; README.md has the figures.
 */
import type { IndexQuery } from '../store/search-index/search-index.ts'
import type { Candidate } from './candidates.ts'

/** Of grams many are seams between words, so the same answer covers less of them: about three quarters. */
interface Floor {
  readonly words: number
  readonly grams: number
}

/** Nothing below it is put before a model unasked. */
const TURN_FLOOR: Floor = { words: 0.36, grams: 0.28 }
/** What a person or agent asked for is shown below it, but marked. */
const WEAK_FLOOR: Floor = { words: 0.2, grams: 0.14 }
/** A matched term at least this rare is reason to show a weak hit: between a word of one row (1) and of all (0). */
const RARE = 0.5

export type Judged = Pick<Candidate<unknown>, 'coverage' | 'rarity' | 'matched' | 'meant'>

/** How many terms of the question itself are words, how many grams. */
function floorFor(query: IndexQuery, floor: Floor): number {
  const own = (terms: IndexQuery['words']) => terms.filter((term) => term.standsFor === undefined)
  const words = own(query.words).length + query.prefixes.length
  const grams = own(query.grams).reduce((sum, term) => sum + term.weight * (term.emphasis ?? 1), 0) / 2
  return words + grams === 0 ? floor.words : (floor.words * words + floor.grams * grams) / (words + grams)
}

/** `strong`: worth showing; `weak`: below the floor, but a rare word matched, or it means the same; `noise`: neither. */
export function judgeAsked(query: IndexQuery, hit: Judged): 'strong' | 'weak' | 'noise' {
  if (hit.coverage >= floorFor(query, WEAK_FLOOR)) return 'strong'
  return hit.rarity >= RARE || hit.meant === true ? 'weak' : 'noise'
}

/** Whether a hit may be shown unasked. `margin` raises the floor where one message is several questions. */
export function isAboveTurnFloor(query: IndexQuery, hit: Judged, margin: number): boolean {
  return hit.coverage >= floorFor(query, TURN_FLOOR) + margin
}
