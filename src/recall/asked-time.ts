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
    if (isMonth(whole, name, year))
      yield { month: monthOf(name), year: year === undefined ? yearAfter(question) : Number(year) }
  }
  for (const [, year, month = ''] of question.matchAll(chineseMonth))
    yield { month: chineseMonthNumber(month) - 1, year: year === undefined ? null : Number(year) }
}

function isMonth(whole: string, name: string, year: string | undefined): boolean {
  return year !== undefined || /^[A-Z]/.test(whole) || !/^(?:may|mar|march|dec|sep|jan|jun)$/i.test(name)
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

/** Words that ask what there was at a time, and name nothing of it. */
const whatHappened =
  /\b(?:happen(?:ed|s|ing)?|work(?:ed|ing)? on|talk(?:ed|ing)? about|discuss(?:ed|ing)?|been up to|news?)\b|发生|讨论|聊|说|做|干|忙|弄|谈|事情|事儿?/gi

/** The question without the times that it names. */
export function withoutTimes(question: string): string {
  const months = question.replace(namedMonth, (whole, name: string, year?: string) =>
    isMonth(whole, name, year) ? ' ' : whole,
  )
  const times = [
    isoDate,
    chineseMonth,
    bareYear,
    weekdayWord,
    chineseWeekday,
    ...relatives.map(({ pattern }) => pattern),
  ]
  return times.reduce((text, pattern) => text.replace(pattern, ' '), months).trim()
}

export function withoutAsking(question: string): string {
  return question.replace(whatHappened, ' ')
}

interface Relative {
  readonly pattern: RegExp
  /** Days before today at which the range begins and ends (inclusive). */
  readonly days: (amount: number) => readonly [from: number, to: number]
}

const counts = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')
const englishCount = String.raw`(\d{1,3}|an?|${counts.slice(1).join('|')})`
const chineseCount = '(\\d{1,3}|[一两二三四五六七八九]?十[一二三四五六七八九]?|[一两二三四五六七八九])'

function ago(english: string, chinese: string): RegExp {
  return new RegExp(`\\b${englishCount} ${english}s? ago\\b|${chineseCount}\\s*${chinese}(?:以)?前`, 'i')
}

/** A day of slack at both ends of longer spans: nobody means them exactly. */
const relatives: readonly Relative[] = [
  { pattern: /大前天/, days: () => [3, 3] },
  { pattern: /\bthe day before yesterday\b|(?<!大)前天/i, days: () => [2, 2] },
  { pattern: /(?<!before )\byesterday\b|\blast night\b|昨天|昨日|昨晚/i, days: () => [1, 1] },
  { pattern: /\btoday\b|\bthis (?:morning|afternoon)\b|今天|今日|今早|今晚/i, days: () => [0, 0] },
  { pattern: /\bthis week\b|(?:这|本)个?(?:周|星期|礼拜)(?![一二三四五六日天])/i, days: () => [7, 0] },
  { pattern: /\blast week\b|(?<![早晚])上个?(?:周|星期|礼拜)(?![一二三四五六日天])/i, days: () => [14, 6] },
  { pattern: /\bthis month\b|(?:这个|本)月/i, days: () => [31, 0] },
  { pattern: /\blast month\b|(?<![早晚])上个?月/i, days: () => [62, 28] },
  { pattern: /\blast year\b|去年/i, days: () => [730, 330] },
  { pattern: /前年/, days: () => [1_100, 695] },
  { pattern: ago('day', '天'), days: (amount) => [amount + 1, amount - 1] },
  { pattern: ago('week', '个?(?:周|星期|礼拜)'), days: (amount) => [amount * 7 + 4, amount * 7 - 4] },
  { pattern: ago('month', '个月'), days: (amount) => [amount * 30 + 16, amount * 30 - 16] },
  { pattern: ago('year', '年'), days: (amount) => [amount * 365 + 183, amount * 365 - 183] },
]

function* relativeRanges(question: string, nowMs: number): Generator<{ fromMs: number; toMs: number }> {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS
  for (const { pattern, days } of relatives) {
    const match = pattern.exec(question)
    if (!match) continue
    const [from, to] = days(countOf(match[1] ?? match[2] ?? ''))
    yield { fromMs: today - from * DAY_MS, toMs: today - to * DAY_MS + DAY_MS }
  }
  for (const daysAgo of weekdaysIn(question, new Date(today).getUTCDay()))
    yield { fromMs: today - daysAgo * DAY_MS, toMs: today - daysAgo * DAY_MS + DAY_MS }
}

function countOf(word: string): number {
  if (/^\d/.test(word)) return Number(word)
  if (/^an?$/i.test(word)) return 1
  const english = counts.indexOf(word.toLowerCase())
  if (english >= 0) return english
  const [tens, ones] = word.includes('十') ? word.split('十') : ['', word]
  const digit = (sign = '') => (sign === '两' ? 2 : chineseDigits.indexOf(sign) + 1)
  return word.includes('十') ? (tens ? digit(tens) : 1) * 10 + (ones ? digit(ones) : 0) : digit(ones)
}

const weekdays = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ')
const weekdayWord = new RegExp(`\\b(?:last |this |on )(${weekdays.join('|')})\\b`, 'gi')
const chineseWeekday = /(?<![每一])((?<![早晚])上)?个?(?:周|星期|礼拜)([一二三四五六日天])(?!次|个)/g

/** How many days ago the named weekdays were: the last one before today; 上周五 the one of the week before. */
function* weekdaysIn(question: string, today: number): Generator<number> {
  const since = (day: number) => (today - day + 7) % 7 || 7
  for (const [, name = ''] of question.matchAll(weekdayWord)) yield since(weekdays.indexOf(name.toLowerCase()))
  for (const [, before, sign = ''] of question.matchAll(chineseWeekday)) {
    const day = '日一二三四五六'.indexOf(sign === '天' ? '日' : sign)
    yield before === undefined ? since(day) : ((today + 6) % 7) + 7 - ((day + 6) % 7)
  }
}

function monthRange(year: number, month: number): { fromMs: number; toMs: number } {
  return { fromMs: Date.UTC(year, month), toMs: Date.UTC(year, month + 1) }
}

function yearRange(year: number): { fromMs: number; toMs: number } {
  return { fromMs: Date.UTC(year, 0), toMs: Date.UTC(year + 1, 0) }
}
