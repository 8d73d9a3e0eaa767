/**
 * Civil calendar arithmetic on day numbers (days since 1970-01-01), so that no time zone of the machine can shift a
 * day. An anchor is the calendar day that a message's own time stamp names, at its own offset.
 */
export interface Anchor {
  /** Day number. */
  readonly day: number
  readonly year: number
  /** 1-12 */
  readonly month: number
  /** Minutes since midnight; null when the stamp is a bare date. */
  readonly minutes: number | null
}

const dayMs = 86_400_000

/** ISO 8601 date, with or without time and offset. Null for anything else, impossible dates included. */
export function parseAnchor(time: string | null): Anchor | null {
  const parts = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})[\d:.]*(?:Z|[+-]\d{2}:?\d{2})?)?$/i.exec(
    time?.trim() ?? '',
  )
  if (!parts) return null
  const [year, month, date] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  if (month < 1 || month > 12 || date < 1 || date > daysInMonth(year, month)) return null
  const minutes = parts[4] === undefined ? null : Number(parts[4]) * 60 + Number(parts[5])
  return { day: dayNumber(year, month, date), year, month, minutes }
}

export function dayNumber(year: number, month: number, date: number): number {
  return Math.floor(Date.UTC(year, month - 1, date) / dayMs)
}

export function civil(day: number): { year: number; month: number; date: number } {
  const at = new Date(day * dayMs)
  return { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, date: at.getUTCDate() }
}

export function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}

/** ISO weekday, Monday is 1, Sunday is 7. */
export function weekdayOf(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1
}

/** Monday of the ISO week that lies `weeks` weeks from the week of `day`. */
export function mondayOf(day: number, weeks = 0): number {
  return day - weekdayOf(day) + 1 + weeks * 7
}

/** The month `count` months from the anchor's month. */
export function shiftMonth(anchor: Anchor, count: number): { year: number; month: number } {
  const index = anchor.year * 12 + anchor.month - 1 + count
  return { year: Math.floor(index / 12), month: (((index % 12) + 12) % 12) + 1 }
}

/** The quarter `count` quarters from the anchor's quarter. */
export function shiftQuarter(anchor: Anchor, count: number): { year: number; quarter: number } {
  const index = anchor.year * 4 + Math.floor((anchor.month - 1) / 3) + count
  return { year: Math.floor(index / 4), quarter: (((index % 4) + 4) % 4) + 1 }
}

const two = (value: number) => String(value).padStart(2, '0')
const four = (value: number) => String(value).padStart(4, '0')

export function formatDay(day: number): string {
  const { year, month, date } = civil(day)
  return `${four(year)}-${two(month)}-${two(date)}`
}

/** ISO 8601 interval, both ends included. */
export function formatSpan(first: number, last: number): string {
  return `${formatDay(first)}/${formatDay(last)}`
}

export function formatWeek(monday: number): string {
  return formatSpan(monday, monday + 6)
}

export function formatMonth({ year, month }: { year: number; month: number }): string {
  return `${four(year)}-${two(month)}`
}

export function formatQuarter({ year, quarter }: { year: number; quarter: number }): string {
  return `${four(year)}-Q${quarter}`
}

export function lastOfMonth({ year, month }: { year: number; month: number }): number {
  return dayNumber(year, month, daysInMonth(year, month))
}

export function lastOfQuarter({ year, quarter }: { year: number; quarter: number }): number {
  return lastOfMonth({ year, month: quarter * 3 })
}

/** A day of a month, or null where that month has no such day. */
export function dayOfMonth({ year, month }: { year: number; month: number }, date: number): number | null {
  return date >= 1 && date <= daysInMonth(year, month) ? dayNumber(year, month, date) : null
}

/** The next day with this number in its month, the anchor's own day included; null for 0 or 32. */
export function nextDate(anchor: Anchor, date: number): number | null {
  if (date < 1 || date > 31) return null
  for (let months = 0; months < 12; months++) {
    const day = dayOfMonth(shiftMonth(anchor, months), date)
    if (day !== null && day >= anchor.day) return day
  }
  return null
}

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** `Tue 2026-03-03`, the day that a time stamp names at its own offset; null when it names none. */
export function calendarDay(time: string | null): string | null {
  const anchor = parseAnchor(time)
  return anchor && `${weekdays[weekdayOf(anchor.day) - 1]} ${formatDay(anchor.day)}`
}
