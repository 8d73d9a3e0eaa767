/**
 * Whether one note says already what another says: sentence by sentence, in one place of the known note, with the same
 * polarity, the same bounds and conditions, the same values in the same order.
 */
import { isBoundAlike, leavesOut } from './bindings.ts'
import { contentOf, holds, isSaidBy, isSpelledBy, meansSame, type Place } from './match-words.ts'
import type { Clause, Sentence, Token } from './sentences.ts'
import { confirmingWords, lookingWords, type Mark } from './word-tables.ts'

/** Why a sentence is not covered. */
export type Gap = 'words' | 'values' | 'names' | 'polarity' | 'bounds' | 'order' | 'subject'

export interface Match {
  readonly gaps: ReadonlySet<Gap>
  /** Share of what is said that stands in the known place. */
  readonly share: number
  /** Share of the known place that is said again. */
  readonly knownShare: number
  readonly missing: readonly Token[]
  readonly beyond: readonly Token[]
  readonly matched: number
}

/**
 * The best match of each sentence that says anything; where a long sentence stands in several places, of its clauses. They
 * must follow each other there as they do here.
 */
export function matchSentences(
  said: readonly Sentence[],
  known: readonly Sentence[],
  subject: readonly Token[],
): Match[] {
  const confirms = said.some(({ text }) => confirmingWords.test(text))
  const places = placesOf(known)
  const all = placeOf(said)
  const bestOf = (clauses: readonly Clause[]) =>
    places.map((place) => matchPlace(clauses, place, { subject, all })).reduce<Match | null>(better, null)
  return said.flatMap((sentence) => {
    const clauses = (confirms ? withoutLooks(sentence.clauses) : sentence.clauses).filter(saysSomething)
    const whole = clauses.length === 0 ? null : bestOf(clauses)
    if (whole === null || whole.gaps.size === 0 || clauses.length === 1) return whole ?? []
    const each = clauses.flatMap((clause) => bestOf([clause]) ?? [])
    return each.every(({ gaps, matched }) => gaps.size === 0 && matched > 1) ? each : whole
  })
}

function saysSomething({ tokens }: Clause): boolean {
  return contentOf(tokens).length > 0
}

function better(one: Match | null, other: Match): Match {
  return one && !isBetter(other, one) ? one : other
}

function isBetter(one: Match, other: Match): boolean {
  if (one.gaps.size === 0 || other.gaps.size === 0) return one.gaps.size < other.gaps.size
  return one.share - other.share > 0.001 || (one.share === other.share && one.knownShare > other.knownShare)
}

function placeOf(sentences: readonly Sentence[]): Place {
  return {
    sentences,
    clauses: sentences.flatMap(({ clauses }) => clauses),
    text: sentences.map(({ text }) => text).join(' '),
  }
}

/** A sentence by itself, or two that follow each other. */
function placesOf(known: readonly Sentence[]): Place[] {
  return known.flatMap((sentence, at) => {
    const next = known[at + 1]
    return next ? [placeOf([sentence]), placeOf([sentence, next])] : [placeOf([sentence])]
  })
}

/** "Checked again on May 8 with the hardware team": who looked, and when, adds nothing to what is confirmed. */
function withoutLooks(clauses: readonly Clause[]): readonly Clause[] {
  const rest = clauses.filter(({ text, tokens }) => {
    const values = tokens.filter(({ quantity }) => quantity && quantity.kind !== 'date')
    return !lookingWords.test(text) || values.length > 0
  })
  return (rest.length > 0 ? rest : clauses).map((clause) =>
    endingWords.test(clause.text)
      ? clause
      : { ...clause, tokens: clause.tokens.filter(({ quantity }) => quantity?.kind !== 'date') },
  )
}

/** A date that ends or begins something is no date of a look. */
const endingWords =
  /\b(?:until|till|by|from|since|due|before|after|ends?|starts?|expires?)\b|直到|到|至|为止|截止|开始|起|前|后/u

interface Wanted {
  readonly token: Token
  readonly clause: Clause
  /** Clauses of the known place that hold it. */
  readonly in: readonly Clause[]
}

interface Around {
  /** What the known note is called. */
  readonly subject: readonly Token[]
  /** Everything that is said. */
  readonly all: Place
}

function matchPlace(said: readonly Clause[], known: Place, { subject, all }: Around): Match {
  const knownTokens = known.clauses.flatMap(({ tokens }) => tokens)
  const missing: Token[] = []
  const weak: Token[] = []
  const wanted: Wanted[] = []
  let matched = 0
  for (const clause of said)
    for (const token of contentOf(clause.tokens)) {
      const found = known.clauses.filter((each) => holds(each, token))
      const isNamed = () => !token.quantity && subject.some((other) => meansSame(other, token))
      if (found.length > 0) wanted.push({ token, clause, in: found })
      else if (isNamed() || isSpelledBy(token, knownTokens, known)) matched++
      else (token.isWeak ? weak : missing).push(token)
    }
  matched += wanted.length
  const aligned = alignedClauses(wanted)
  const knownContent = contentOf(aligned.flatMap(({ tokens }) => tokens))
  const beyond = knownContent.filter((token) => !isSaidBy(token, all.clauses))
  // A weak word may be the opposite of what stands there in its place: starts at, ends at.
  if (beyond.some((token) => !token.quantity && !token.isWeak && token.kind !== 'name')) missing.push(...weak)
  const gaps = new Set<Gap>()
  for (const { kind } of missing) gaps.add(kind === 'value' ? 'values' : kind === 'name' ? 'names' : 'words')
  if (!samePolarity(said, aligned, wanted)) gaps.add('polarity')
  if (!sameMarks(said, aligned)) gaps.add('bounds')
  if (!said.every((clause) => isBoundAlike(clause, holdersOf(clause, wanted, known)))) gaps.add('order')
  if (leavesOut(all, known, aligned)) gaps.add('subject')
  const total = matched + missing.length
  return {
    gaps,
    share: total === 0 ? 0 : matched / total,
    knownShare: knownContent.length === 0 ? 0 : 1 - beyond.length / knownContent.length,
    missing,
    beyond,
    matched,
  }
}

/**
 * What one denies the other denies. A clause that only names the topic ("In articles, please do not …") is not denied
 * by itself, so what is affirmed may stand in a denied clause that is denied here too; what is denied may not be affirmed
 * there, unless this note affirms it elsewhere as well.
 */
function samePolarity(said: readonly Clause[], aligned: readonly Clause[], wanted: readonly Wanted[]): boolean {
  const affirmed = said.filter(({ isDenied }) => !isDenied)
  const deniedHere = new Set(wanted.filter(({ clause }) => clause.isDenied).flatMap((each) => each.in))
  return wanted.every(({ token, clause, in: found }) => {
    const there = found.filter((each) => aligned.includes(each))
    if (there.some(({ isDenied }) => isDenied === clause.isDenied)) return true
    return clause.isDenied ? affirmed.some((each) => holds(each, token)) : there.some((each) => deniedHere.has(each))
  })
}

/** Where the words of one clause stand, in the order of the known note. */
function holdersOf(clause: Clause, wanted: readonly Wanted[], known: Place): Clause[] {
  const own = wanted.filter((each) => each.clause === clause)
  // What the other clauses say too is the topic that they share.
  const alone = own.filter(
    ({ token }) => !wanted.some((each) => each.clause !== clause && meansSame(each.token, token)),
  )
  const holders = alignedClauses(alone.length > 0 ? alone : own)
  return known.clauses.filter((each) => holders.includes(each))
}

/** The fewest clauses that hold what is wanted: a word that also stands elsewhere brings nothing from there. */
function alignedClauses(wanted: readonly { readonly in: readonly Clause[] }[]): Clause[] {
  const aligned: Clause[] = []
  let open = wanted
  while (open.length > 0) {
    const counts = new Map<Clause, number>()
    for (const each of open) for (const clause of each.in) counts.set(clause, (counts.get(clause) ?? 0) + 1)
    const [best] = [...counts].reduce((one, other) => (other[1] > one[1] ? other : one))
    aligned.push(best)
    open = open.filter((each) => !each.in.includes(best))
  }
  return aligned
}

function sameMarks(said: readonly Clause[], known: readonly Clause[]): boolean {
  const marksIn = (clauses: readonly Clause[]) => [...new Set<Mark>(clauses.flatMap(({ marks }) => marks))].sort()
  return marksIn(said).join() === marksIn(known).join()
}
