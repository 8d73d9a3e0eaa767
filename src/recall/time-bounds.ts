/**
 * When `since` begins and `until` ends (spec R9), exactly: ISO 8601 dates and times, a month, a year, an age (`7d`, 3周),
 * or a span by its name (last week, 上周). Days are UTC, weeks begin on Monday.
 */
import { MemoryError } from '../errors.ts'

const DAY_MS = 86_400_000
const UNIT_DAYS: Readonly<Record<string, number>> = { d: 1, 天: 1, 日: 1, w: 7, 周: 7, 星期: 7 }
const HOUR_MS = 3_600_000

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
    toMs: until === undefined ? null : spanOf('until', until, nowMs).toMs,
  }
}

function spanOf(field: 'since' | 'until', text: string, nowMs: number): Span {
  const words = text.trim().toLowerCase()
  const span = isoSpan(words) ?? age(words, nowMs) ?? named(words, nowMs)
  if (span && Number.isFinite(span.fromMs) && Number.isFinite(span.toMs)) return span
  throw new MemoryError('INPUT_INVALID', `${JSON.stringify(text.slice(0, 40))} names no time`, {
    hint: 'Say 2026-05-01, 2026-05, 7d, 3w, 2m, 1y, yesterday, last week, 上周 or 上个月.',
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

function age(text: string, nowMs: number): Span | null {
  const match = /^(\d{1,4})\s*(h|小时|d|天|日|w|周|星期|m|个?月|y|年)(?:\s*(?:ago|前))?$/.exec(text)
  if (!match) return null
  const [, digits = '', unit = ''] = match
  const amount = Number(digits)
  const days = UNIT_DAYS[unit]
  const date = new Date(nowMs)
  if (days !== undefined) date.setTime(nowMs - amount * days * DAY_MS)
  else if (/^(?:h|小时)$/.test(unit)) date.setTime(nowMs - amount * HOUR_MS)
  else if (/^(?:y|年)$/.test(unit)) date.setUTCFullYear(date.getUTCFullYear() - amount)
  else date.setUTCMonth(date.getUTCMonth() - amount)
  return { fromMs: date.getTime(), toMs: date.getTime() }
}

/** Units from the one of now: 0 this, -1 the last. */
const names: readonly (readonly [pattern: RegExp, unit: 'day' | 'week' | 'month' | 'year', back: number])[] = [
  [/^(?:today|今天|今日)$/, 'day', 0],
  [/^(?:yesterday|昨天|昨日)$/, 'day', 1],
  [/^(?:the day before yesterday|前天)$/, 'day', 2],
  [/^(?:this week|本周|这周|这个?星期)$/, 'week', 0],
  [/^(?:last week|上周|上个?星期)$/, 'week', 1],
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
