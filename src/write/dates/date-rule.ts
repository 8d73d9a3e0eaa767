/** What one row of a date table is: an expression and what it means at an anchor. */
import { type Anchor, formatDay, formatMonth, shiftMonth } from './calendar.ts'

export interface DateRule {
  readonly id: string
  /** Source of a regular expression, flags `giu`; named groups go to `resolve`. */
  readonly pattern: string
  /** The absolute form, or null when these words name no date after all. */
  readonly resolve: (groups: Readonly<Record<string, string | undefined>>, anchor: Anchor) => string | null
  /** True when the words name no single day in a sentence about what happens again and again (`every`, 每). */
  readonly notWhenRecurring?: boolean
  /** Only in texts that this matches (languages that share words with others). */
  readonly onlyIn?: RegExp
}

export type TimeUnit = 'day' | 'week' | 'month' | 'year'

/** A point `count` units from the anchor: a day for days and weeks, a month or a year for the coarse ones. */
export function shiftBy(anchor: Anchor, count: number, unit: TimeUnit): string {
  if (unit === 'day') return formatDay(anchor.day + count)
  if (unit === 'week') return formatDay(anchor.day + count * 7)
  if (unit === 'month') return formatMonth(shiftMonth(anchor, count))
  return String(anchor.year + count)
}

/** More than this is no date that a person means. */
export const MAX_COUNT = 400
