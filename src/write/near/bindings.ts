/**
 * What belongs to what. The same words may say another thing when they stand with others: "Mina reports to Ravi", 下载限制
 * beside 上传限制, a rule without the case it is for.
 */
import { contentOf, isSaidBy, meansSame, type Place } from './match-words.ts'
import type { Clause, Token } from './sentences.ts'
import { kinWords, plainDoings, restrictingWords } from './word-tables.ts'

/** `said` is one clause with the known clauses that hold its words, in their order. */
export function isBoundAlike(said: Clause, known: readonly Clause[]): boolean {
  const here = contentOf(said.tokens)
  const there = contentOf(known.flatMap(({ tokens }) => tokens))
  return isUnmixed(said, known) && sameRoles(here, there) && keepPlaces(here, there) && isApart(said, here, there)
}

/** Words of one clause that were taken from the middle of two say what neither of them said. */
function isUnmixed(said: Clause, known: readonly Clause[]): boolean {
  const cut = known.filter(({ tokens }) =>
    tokens.some((token) => !token.isLight && !token.isWeak && !isSaidBy(token, [said])),
  )
  return cut.length < 2
}

/** Tokens of one class can stand for each other, and be taken for each other. */
function classOf({ kind, text, quantity, isName, family }: Token): string | null {
  if (quantity) return quantity.kind
  if (family !== undefined) return `family ${family}`
  return isName ? 'name' : kind === 'run' && [...text].length > 1 ? 'run' : null
}

const oppositeRoles: Readonly<Record<string, string>> = {
  from: 'to',
  to: 'from',
  before: 'after',
  after: 'before',
  first: 'next',
  next: 'first',
}

/** From A to B is not from B to A: where both sides say a part, the same thing must have it. */
function sameRoles(here: readonly Token[], there: readonly Token[]): boolean {
  return here.every((token) => {
    const { role } = token
    if (role === undefined) return true
    const inRole = there.filter((other) => other.role === role)
    if (inRole.length > 0)
      return inRole.some((other) => meansSame(other, token)) || !there.some((other) => meansSame(other, token))
    const opposite = oppositeRoles[role]
    return opposite === undefined || !there.some((other) => other.role === opposite && meansSame(other, token))
  })
}

/** In another order each must keep a neighbour, or they changed places. */
function keepPlaces(here: readonly Token[], there: readonly Token[]): boolean {
  const classes = new Set(here.flatMap((token) => classOf(token) ?? []).filter((name) => name !== 'run'))
  return [...classes].every((name) => {
    const places = here.flatMap((token, at) => {
      if (classOf(token) !== name) return []
      const found = placesOf(token, there)
      return found.length === 0 ? [] : [{ at, found }]
    })
    const isKept = places.every(({ at, found }) => found.some((place) => keepsNeighbour(here, at, there, place)))
    return isKept || risingSpan(places.map(({ found }) => found)) !== null
  })
}

function placesOf(token: Token, there: readonly Token[]): number[] {
  return there.flatMap((other, place) => (meansSame(other, token) ? [place] : []))
}

function keepsNeighbour(here: readonly Token[], at: number, there: readonly Token[], place: number): boolean {
  return [-1, 1].some((step) => {
    const [one, other] = [here[at + step], there[place + step]]
    return one !== undefined && other !== undefined && meansSame(other, one)
  })
}

/** The narrowest stretch in which the tokens stand in this order, or null. */
function risingSpan(places: readonly (readonly number[])[]): readonly [number, number] | null {
  let narrowest: readonly [number, number] | null = null
  for (const start of places[0] ?? []) {
    let last = start
    const isRising = places.slice(1).every((found) => {
      // One known word may hold two of these: `Greenhouse/Sensors`.
      const next = found.find((place) => place >= last)
      last = next ?? last
      return next !== undefined
    })
    if (isRising && (narrowest === null || last - start < narrowest[1] - narrowest[0])) narrowest = [start, last]
  }
  return narrowest
}

/** Where the known place holds another of the same class, what is said must stand together there, without the other. */
function isApart(said: Clause, here: readonly Token[], there: readonly Token[]): boolean {
  const classes = new Set(here.flatMap((token) => classOf(token) ?? []))
  const others = there.flatMap((other, place) => {
    const name = classOf(other)
    return name !== null && classes.has(name) && !isSaidBy(other, [said]) ? [place] : []
  })
  if (others.length === 0) return true
  const span = risingSpan(here.map((token) => placesOf(token, there)).filter((found) => found.length > 0))
  return span !== null && others.every((place) => place < span[0] || place > span[1])
}

/**
 * The known place is about something, or about a case, of which nothing is said here: what comes first in its sentence, a
 * part that begins with when or for, whose brother it is.
 */
export function leavesOut(said: Place, known: Place, aligned: readonly Clause[]): boolean {
  const unsaid = (token: Token) => !token.isLight && !token.isWeak && !isSaidBy(token, said.clauses)
  return known.sentences.some(({ clauses }) => {
    if (!clauses.some((clause) => aligned.includes(clause))) return false
    const tokens = contentOf(clauses.flatMap((clause) => clause.tokens))
    const first = tokens.findIndex((token) => isSaidBy(token, said.clauses))
    const isTopic = tokens.slice(0, first).some((token) => unsaid(token) && !plainDoings.has(token.text))
    const isCase = clauses.some(
      (clause) =>
        !aligned.includes(clause) && restrictingWords.test(clause.text) && contentOf(clause.tokens).some(unsaid),
    )
    const isOfOthers = tokens.some((token) => kinWords.has(token.text) && unsaid(token))
    return isTopic || isCase || isOfOthers
  })
}
