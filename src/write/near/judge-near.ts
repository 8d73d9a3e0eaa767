/**
 * What a new note is to a known one (spec W1, near ones first), without a model: it says what is known already (`merge`),
 * it says something else of the same thing (`update`), or it is about another thing (`separate`). Pure. A wrong merge
 * throws a note away, so everything that is not plainly the same is not.
 */
import { comparableName, normaliseForComparison } from '../../util/index.ts'
import { type Gap, type Match, matchSentences } from './compare.ts'
import { createLexicon, type Lexicon } from './lexicon.ts'
import { contentOf, isSaidBy } from './match-words.ts'
import { type Sentence, sentencesOf, type Token } from './sentences.ts'
import { changingWords } from './word-tables.ts'

export interface NearText {
  readonly name: string
  readonly text: string
}

export interface NearVerdict {
  readonly relation: 'merge' | 'update' | 'separate'
  /** True when neither says more than the other. */
  readonly isWhole: boolean
  /** What stood in the way of a merge; empty for one. */
  readonly gaps: readonly Gap[]
}

export type NearJudge = (known: NearText, said: NearText) => NearVerdict

/** The tables are read when the first note is judged. */
export function createNearJudge(): NearJudge {
  let lexicon: Lexicon | null = null
  return (known, said) => {
    lexicon ??= createLexicon()
    return judge(known, said, lexicon)
  }
}

function judge(known: NearText, said: NearText, lexicon: Lexicon): NearVerdict {
  const knownSentences = sentencesOf(known.text, lexicon)
  const saidSentences = sentencesOf(said.text, lexicon)
  if (normaliseForComparison(known.text) === normaliseForComparison(said.text))
    return { relation: 'merge', isWhole: true, gaps: [] }
  const matches = matchSentences(saidSentences, knownSentences, subjectOf(known, lexicon))
  const gaps = [...new Set(matches.flatMap((match) => [...match.gaps]))]
  if (matches.length === 0) return { relation: 'separate', isWhole: false, gaps: ['words'] }
  if (gaps.length === 0) return { relation: 'merge', isWhole: saysNoMore(knownSentences, saidSentences), gaps }
  return { relation: isUpdate(known, said, matches) ? 'update' : 'separate', isWhole: false, gaps }
}

/** What the known note is called tells what it is about. */
function subjectOf({ name }: NearText, lexicon: Lexicon): Token[] {
  return sentencesOf(name, lexicon).flatMap(({ clauses }) => clauses.flatMap(({ tokens }) => tokens))
}

/** Nothing stands in the first that the second does not say. */
function saysNoMore(known: readonly Sentence[], said: readonly Sentence[]): boolean {
  const clauses = said.flatMap((sentence) => sentence.clauses)
  const words = known.flatMap((sentence) => sentence.clauses.flatMap(({ tokens }) => contentOf(tokens)))
  return words.every((token) => isSaidBy(token, clauses))
}

/** Of what is said, at least this share is about what is known: else they are not about one thing. */
const SAME_SUBJECT = 0.5

/** Same subject and same attribute, with another value, another polarity, a condition, or a word of change. */
function isUpdate(known: NearText, said: NearText, matches: readonly Match[]): boolean {
  const gaps = new Set(matches.flatMap((match) => [...match.gaps]))
  const matched = sum(matches, ({ matched: count }) => count)
  const missing = matches.flatMap((match) => match.missing)
  const beyond = matches.flatMap((match) => match.beyond)
  const share = matched / (matched + missing.length)
  // What stands with something else, or is bounded from the other side, is another thing.
  const isOther = gaps.has('subject') || gaps.has('order') || (gaps.has('bounds') && gaps.has('values'))
  if (isOther || matched < 2 || share < SAME_SUBJECT) return false
  const hasCounterpart = ({ quantity }: Token) =>
    beyond.some((other) => quantity && other.quantity?.kind === quantity.kind)
  const isTurned = missing.length === 0
  const isAdded = beyond.length === 0 && Math.min(...matches.map(({ knownShare }) => knownShare)) === 1
  return (
    isTurned ||
    isAdded ||
    missing.every(hasCounterpart) ||
    changingWords.test(said.text.toLowerCase()) ||
    comparableName(known.name) === comparableName(said.name)
  )
}

function sum(matches: readonly Match[], count: (match: Match) => number): number {
  return matches.reduce((total, match) => total + count(match), 0)
}
