/**
 * When `since` begins and `until` ends (spec R9), exactly: ISO 8601 dates and times, a month, a year, an age (`7d`, 3周),
 * or a span by its name (last week, 上周). Days are UTC, weeks begin on Monday.
 */
import { MemoryError } from '../errors.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** Times are compared as ISO 8601, which has four digits for a year. */
const LAST_MS = Date.UTC(10_000, 0) - 1

interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** Half-open, milliseconds; null = no bound. Throws INPUT_INVALID for words that name no time. */
export function timeBounds(
  { since, until }: { readonly since?: string; readonly until?: string },
  nowMs: number,
): { readonly fromMs: number | null; readonly toMs: number | null } {
  return {
    fromMs: since === undefined ? null : spanOf('since', since, nowMs).fromMs,
    toMs: until === undefined ? null : Math.min(LAST_MS, spanOf('until', until, nowMs).toMs),
  }
}

function spanOf(field: 'since' | 'until', text: string, nowMs: number): Span {
  const words = text.trim().toLowerCase()
  const span = isoSpan(words) ?? age(words, nowMs) ?? named(words, nowMs)
  if (span && Number.isFinite(span.fromMs) && Number.isFinite(span.toMs)) return span
  throw new MemoryError('INPUT_INVALID', `${JSON.stringify(text.slice(0, 40))} names no time`, {
    hint: 'Say 2026-05-01, 2026-05, 7d, 3 weeks ago, 2m, 1y, yesterday, last week, 上周 or 上个月.',
    data: { field },
  })
}

function isoSpan(text: string): Span | null {
  const match = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(t[\d:.]+(?:z|[+-]\d\d:?\d\d)?)?)?)?$/.exec(text)
  if (!match) return null
  const [, year = '', month, day, time] = match
  if (time !== undefined) {
    const at = Date.parse(/z$|[+-]\d\d:?\d\d$/.test(time) ? text.toUpperCase() : `${text.toUpperCase()}Z`)
    return { fromMs: at, toMs: at }
  }
  const [y, m] = [Number(year), month === undefined ? 0 : Number(month) - 1]
  if (day === undefined && month === undefined) return { fromMs: Date.UTC(y, 0), toMs: Date.UTC(y + 1, 0) }
  if (m < 0 || m > 11) return null
  if (day === undefined) return { fromMs: Date.UTC(y, m), toMs: Date.UTC(y, m + 1) }
  const fromMs = Date.UTC(y, m, Number(day))
  return new Date(fromMs).getUTCDate() === Number(day) ? { fromMs, toMs: fromMs + DAY_MS } : null
}

const ages: readonly (readonly [unit: RegExp, before: (date: Date, amount: number) => number])[] = [
  [/^(?:h|hours?|个?小时)$/, (date, amount) => date.getTime() - amount * HOUR_MS],
  [/^(?:d|days?|天|日)$/, (date, amount) => date.getTime() - amount * DAY_MS],
  [/^(?:w|weeks?|个?(?:周|星期|礼拜))$/, (date, amount) => date.getTime() - amount * 7 * DAY_MS],
  [/^(?:m|months?|个?月)$/, (date, amount) => date.setUTCMonth(date.getUTCMonth() - amount)],
  [/^(?:y|years?|年)$/, (date, amount) => date.setUTCFullYear(date.getUTCFullYear() - amount)],
]

function age(text: string, nowMs: number): Span | null {
  const [, digits = '', unit = ''] = /^(\d{1,4})\s*(.+?)(?:\s*(?:ago|以?前))?$/.exec(text) ?? []
  const [, before] = ages.find(([pattern]) => pattern.test(unit)) ?? []
  if (!before) return null
  const fromMs = before(new Date(nowMs), Number(digits))
  return { fromMs, toMs: fromMs }
}

/** Units from the one of now: 0 this, -1 the last. */
const names: readonly (readonly [pattern: RegExp, unit: 'day' | 'week' | 'month' | 'year', back: number])[] = [
  [/^(?:today|今天|今日)$/, 'day', 0],
  [/^(?:yesterday|昨天|昨日)$/, 'day', 1],
  [/^(?:the day before yesterday|前天)$/, 'day', 2],
  [/^(?:this week|(?:本|这)个?(?:周|星期|礼拜))$/, 'week', 0],
  [/^(?:last week|上个?(?:周|星期|礼拜))$/, 'week', 1],
  [/^(?:this month|本月|这个月)$/, 'month', 0],
  [/^(?:last month|上个?月)$/, 'month', 1],
  [/^(?:this year|今年)$/, 'year', 0],
  [/^(?:last year|去年)$/, 'year', 1],
]

function named(text: string, nowMs: number): Span | null {
  const [, unit, back = 0] = names.find(([pattern]) => pattern.test(text)) ?? []
  const now = new Date(nowMs)
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS
  const monday = today - ((now.getUTCDay() + 6) % 7) * DAY_MS
  switch (unit) {
    case 'day':
      return { fromMs: today - back * DAY_MS, toMs: today - (back - 1) * DAY_MS }
    case 'week':
      return { fromMs: monday - back * 7 * DAY_MS, toMs: monday - (back - 1) * 7 * DAY_MS }
    case 'month':
      return { fromMs: Date.UTC(year, month - back), toMs: Date.UTC(year, month - back + 1) }
    case 'year':
      return { fromMs: Date.UTC(year - back, 0), toMs: Date.UTC(year - back + 1, 0) }
    default:
      return null
  }
}
