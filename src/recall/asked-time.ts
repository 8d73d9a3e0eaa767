/**
 * Which time a question asks about (spec R5): "in May", "last week", 上周, 2023年5月. What was said or written then is
 * lifted, never filtered: people remember months wrongly. Ranges are UTC days; a named month without a year is that month
 * of any year.
 */
const DAY_MS = 86_400_000

export interface AskedTime {
  /** Half-open, milliseconds. */
  readonly ranges: readonly { readonly fromMs: number; readonly toMs: number }[]
  /** Months of any year, 0..11. */
  readonly months: readonly number[]
}

const monthNames = 'january february march april may june july august september october november december'.split(' ')
const monthPattern = monthNames.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join('|')
// "may" and "march" are words too: as months they are written with a capital, or stand beside a number.
const namedMonth = new RegExp(`\\b(${monthPattern})\\b\\.?(?:\\s+(?:\\d{1,2},?\\s+)?((?:19|20)\\d\\d))?`, 'gi')
const bareYear = /(?:^|[^\d-])((?:19|20)\d\d)(?![\d-])(?!\s*年\s*\d)/g
const isoDate = /\b((?:19|20)\d\d)-(\d\d)(?:-(\d\d))?\b/g
const chineseMonth = /(?:((?:19|20)\d\d)年)?(十[一二]?|[一二三四五六七八九]|1[0-2]|0?[1-9])月(?!\d)/g
const chineseDigits = '一二三四五六七八九十'

/** Null when the question names no time. Never throws. */
export function askedTime(question: string, nowMs: number): AskedTime | null {
  const ranges = [...isoRanges(question), ...relativeRanges(question, nowMs)]
  const months: number[] = []
  for (const { month, year } of monthsIn(question)) {
    if (year === null) months.push(month)
    else ranges.push(monthRange(year, month))
  }
  if (ranges.length === 0) {
    for (const [, year] of question.matchAll(bareYear)) ranges.push(yearRange(Number(year)))
  }
  return ranges.length + months.length === 0 ? null : { ranges, months }
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

function* monthsIn(question: string): Generator<{ month: number; year: number | null }> {
  for (const { 0: whole, 1: name = '', 2: year } of question.matchAll(namedMonth)) {
    const isWord = /^(?:may|mar|march|dec|sep|jan|jun)$/i.test(name) && !/^[A-Z]/.test(whole)
    if (!isWord || year !== undefined)
      yield { month: monthOf(name), year: year === undefined ? yearAfter(question) : Number(year) }
  }
  for (const [, year, month = ''] of question.matchAll(chineseMonth))
    yield { month: chineseMonthNumber(month) - 1, year: year === undefined ? null : Number(year) }
}

/** "the May trip of 2023": one year in the question belongs to its month. */
function yearAfter(question: string): number | null {
  const years = [...question.matchAll(bareYear)].map(([, year]) => Number(year))
  return years.length === 1 ? (years[0] ?? null) : null
}

function monthOf(name: string): number {
  return monthNames.findIndex((each) => each.startsWith(name.toLowerCase().slice(0, 3)))
}

function chineseMonthNumber(text: string): number {
  if (/^\d/.test(text)) return Number(text)
  return [...text].reduce((sum, character) => sum + chineseDigits.indexOf(character) + 1, 0)
}

function* isoRanges(question: string): Generator<{ fromMs: number; toMs: number }> {
  for (const [, year, month, day] of question.matchAll(isoDate)) {
    if (day === undefined) yield monthRange(Number(year), Number(month) - 1)
    else {
      const fromMs = Date.UTC(Number(year), Number(month) - 1, Number(day))
      yield { fromMs, toMs: fromMs + DAY_MS }
    }
  }
}

interface Relative {
  readonly pattern: RegExp
  /** Days before today at which the range begins and ends (inclusive). */
  readonly days: (amount: number) => readonly [from: number, to: number]
}

/** A day of slack at both ends of longer spans: nobody means them exactly. */
const relatives: readonly Relative[] = [
  { pattern: /\bthe day before yesterday\b|前天/i, days: () => [2, 2] },
  { pattern: /(?<!before )\byesterday\b|昨天|昨日|昨晚/i, days: () => [1, 1] },
  { pattern: /\btoday\b|今天|今日/i, days: () => [0, 0] },
  { pattern: /\bthis week\b|这周|本周|这个星期|这星期/i, days: () => [7, 0] },
  { pattern: /\blast week\b|上周|上星期|上个星期/i, days: () => [14, 6] },
  { pattern: /\bthis month\b|这个月|本月/i, days: () => [31, 0] },
  { pattern: /\blast month\b|上个月|上月/i, days: () => [62, 28] },
  { pattern: /\blast year\b|去年/i, days: () => [730, 330] },
  { pattern: /\b(\d{1,3}) days? ago\b|(\d{1,3})\s*天前/i, days: (amount) => [amount + 1, amount - 1] },
  {
    pattern: /\b(\d{1,2}) weeks? ago\b|(\d{1,2})\s*(?:周|个?星期)前/i,
    days: (amount) => [amount * 7 + 4, amount * 7 - 4],
  },
  { pattern: /\b(\d{1,2}) months? ago\b|(\d{1,2})\s*个月前/i, days: (amount) => [amount * 30 + 16, amount * 30 - 16] },
]

function* relativeRanges(question: string, nowMs: number): Generator<{ fromMs: number; toMs: number }> {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS
  for (const { pattern, days } of relatives) {
    const match = pattern.exec(question)
    if (!match) continue
    const [from, to] = days(Number(match[1] ?? match[2] ?? 0))
    yield { fromMs: today - from * DAY_MS, toMs: today - to * DAY_MS + DAY_MS }
  }
}

function monthRange(year: number, month: number): { fromMs: number; toMs: number } {
  return { fromMs: Date.UTC(year, month), toMs: Date.UTC(year, month + 1) }
}

function yearRange(year: number): { fromMs: number; toMs: number } {
  return { fromMs: Date.UTC(year, 0), toMs: Date.UTC(year + 1, 0) }
}
