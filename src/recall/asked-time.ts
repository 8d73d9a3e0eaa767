/**
 * Which time a question asks about (spec R5): "in May", "last week", 上周, 2023年5月, "between March and June". What was said
 * or written then is lifted, never filtered: people remember months wrongly. Ranges are UTC days; a named month without a
 * year is that month of any year.
 */
import { type AskedDate, datesIn, rangeOf, type TimeRange } from './asked-dates.ts'
import { relativeRanges, withoutRelativeTimes } from './relative-times.ts'

export interface AskedTime {
  readonly ranges: readonly TimeRange[]
  /** Months of any year, 0..11. */
  readonly months: readonly number[]
  /** Days that are named within these, `MM-DD`. */
  readonly days: readonly string[]
}

/** Null when the question names no time. Never throws. */
export function askedTime(question: string, nowMs: number): AskedTime | null {
  const dates = [...spansOf(question, datesIn(question))]
  const named = dates.filter(({ from }) => from.month !== null || from.day !== null)
  const ranges = [...named.flatMap(rangeBetween), ...relativeRanges(question, nowMs)]
  if (ranges.length === 0) ranges.push(...dates.flatMap(rangeBetween))
  const months = named.flatMap(monthsBetween)
  const days = named.flatMap(({ from, to }) => (from === to ? dayOf(from) : []))
  return ranges.length + months.length === 0 ? null : { ranges, months, days }
}

function dayOf({ month, namedDay }: AskedDate): string[] {
  const padded = (value: number) => String(value).padStart(2, '0')
  return month === null || namedDay === null ? [] : [`${padded(month + 1)}-${padded(namedDay)}`]
}

/** Whether something of this time (ISO 8601, null = undated) is what was asked for. */
export function isAskedTime(asked: AskedTime, time: string | null): boolean {
  const at = time === null ? Number.NaN : Date.parse(time)
  if (Number.isNaN(at)) return false
  return (
    asked.ranges.some(({ fromMs, toMs }) => at >= fromMs && at < toMs) ||
    asked.months.includes(new Date(at).getUTCMonth())
  )
}

/** The same, and of the day where one is named: for what is found by its time alone. */
export function isAskedDay(asked: AskedTime, time: string | null): boolean {
  const isOfDay = asked.days.length === 0 || asked.days.some((day) => time?.slice(5, 10) === day)
  return isOfDay && isAskedTime(asked, time)
}

/** A date, or all the time from one to another. */
interface DateSpan {
  readonly from: AskedDate
  readonly to: AskedDate
}

const joins = /^\s*(?:to|until|till|through|[-–—~～]|到|至)\s*$/i
const joinsBetween = /^\s*(?:and|和|与)\s*$/i

function* spansOf(question: string, dates: readonly AskedDate[]): Generator<DateSpan> {
  for (let at = 0; at < dates.length; at++) {
    const [from, to] = [dates[at], dates[at + 1]]
    if (!from) return
    const isJoined = to !== undefined && isSpan(question, from, to)
    yield isJoined ? { from, to } : { from, to: from }
    if (isJoined) at++
  }
}

function isSpan(question: string, from: AskedDate, to: AskedDate): boolean {
  const middle = question.slice(from.end, to.start)
  if (joins.test(middle)) return true
  const isBetween = /\bbetween\s+$/i.test(question.slice(0, from.start)) || /^\s*之间/.test(question.slice(to.end))
  return isBetween && joinsBetween.test(middle)
}

function rangeBetween({ from, to }: DateSpan): TimeRange[] {
  const [first, last] = [rangeOf(from), rangeOf(to)]
  if (first === null || last === null) return []
  return [{ fromMs: Math.min(first.fromMs, last.fromMs), toMs: Math.max(first.toMs, last.toMs) }]
}

/** Of no year, over the end of a year too. */
function monthsBetween({ from, to }: DateSpan): number[] {
  const { month: first } = from
  if (first === null || to.month === null || (from.year !== null && to.year !== null)) return []
  const count = ((to.month - first + 12) % 12) + 1
  return Array.from({ length: count }, (_, step) => (first + step) % 12)
}

/** Words that ask what there was at a time, and name nothing of it. */
const whatHappened =
  /\b(?:happen(?:ed|s|ing)?|work(?:ed|ing)? on|talk(?:ed|ing)? about|discuss(?:ed|ing)?|been up to|news?)\b|发生|讨论|聊|说|做|干|忙|弄|谈|事情|事儿?/gi

/** The question without the times that it names. */
export function withoutTimes(question: string): string {
  const dates = datesIn(question)
  const kept = [...dates, null].map((date, at) => question.slice(dates[at - 1]?.end ?? 0, date?.start))
  return withoutRelativeTimes(kept.join(' ')).trim()
}

export function withoutAsking(question: string): string {
  return question.replace(whatHappened, ' ')
}
