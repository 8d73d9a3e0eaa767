/** A question and the time in it (spec R5): what is searched for, when it was, and whether it asks to go on. Pure. */
import type { IndexQuery, IndexTerm } from '../store/search-index/search-index.ts'
import { type AskedTime, askedTime, isAskedTime, withoutAsking, withoutTimes } from './asked-time.ts'
import { asksToContinue, continuingFactor } from './asks-to-continue.ts'
import { isEmptyQuery, MAX_QUERY_LENGTH, type QueryParser } from './parse-query.ts'
import { withoutRelativeTimes } from './relative-times.ts'

/** What was said or written at the time that the question names counts double. */
const ASKED_TIME_FACTOR = 2

export interface Question {
  /** What is searched for: the question without the words that ask to go on. */
  readonly text: string
  /** The time that it names. */
  readonly asked: AskedTime | null
  readonly continues: boolean
  /** What is searched for, without the times. */
  readonly beside: string
}

export function readQuestion(given: string, nowMs: number): Question {
  const question = given.slice(0, MAX_QUERY_LENGTH)
  const continuing = asksToContinue(question)
  const text = continuing?.rest ?? question
  const asked = askedTime(question, nowMs)
  return { text, asked, continues: continuing !== null, beside: asked ? withoutTimes(text) : text }
}

/**
 * What must hold a word that can be searched for; null where the question is of no time. "昨晚" alone is a word like any
 * other: to be of its time, a question must ask something.
 */
export function subjectOf({ asked, continues, beside }: Question): string | null {
  if (!continues && (asked === null || !/\p{L}/u.test(beside))) return null
  return withoutAsking(beside)
}

/** A note has its date and does not say "last week" (spec W10): such words order notes, and no note lacks them. */
export function queryForNotes({ text, asked }: Question, parse: QueryParser): IndexQuery {
  const query = parse(text)
  const rest = parse(asked ? withoutRelativeTimes(text) : text)
  if (isEmptyQuery(rest)) return query
  const asking = new Set([...rest.words, ...rest.grams].map((term) => term.text))
  const ordering = (terms: readonly IndexTerm[]) =>
    terms.map((term) => (asking.has(term.text) ? term : { ...term, emphasis: 0 }))
  return { ...query, words: ordering(query.words), grams: ordering(query.grams) }
}

/** How much the time of a text (ISO 8601, null = undated) counts for this question. 1 = not at all. */
export function timeFactor({ asked, continues }: Question, time: string | null, nowMs: number): number {
  if (asked && isAskedTime(asked, time)) return ASKED_TIME_FACTOR
  return continues ? continuingFactor(time, nowMs) : 1
}
