/** Times that count from today: "last week", 三天前, "on Friday". Ranges are UTC days, weeks begin on Monday. Pure. */
import type { TimeRange } from './asked-dates.ts'

const DAY_MS = 86_400_000

type Unit = 'week' | 'month' | 'year'

/** Days since the beginning of a unit of the calendar, so many units ago; weeks begin on Monday. */
type DaysSince = (unit: Unit, back: number) => number

interface Relative {
  readonly pattern: RegExp
  /** Days before today at which the range begins and ends (inclusive). */
  readonly days: (amount: number, since: DaysSince) => readonly [from: number, to: number]
}

const counts = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')
const englishCount = String.raw`(\d{1,3}|an?|${counts.slice(1).join('|')})`
const chineseCount = '(\\d{1,3}|[一两二三四五六七八九]?十[一二三四五六七八九]?|[一两二三四五六七八九])'

/** "3 days ago", 3天前, and all days since: "the last 3 days", "the past week", 最近三天. */
function counted(english: string, chinese: string, size: number, slack: number): Relative[] {
  const past = `\\b(?:(?:last|past) ${englishCount}|past) ${english}s?\\b|(?:最近|过去)的?${chineseCount}\\s*${chinese}`
  const ago = `\\b${englishCount} ${english}s? ago\\b|${chineseCount}\\s*${chinese}(?:以)?前`
  return [
    { pattern: new RegExp(past, 'i'), days: (amount) => [amount * size + slack, 0] },
    { pattern: new RegExp(ago, 'i'), days: (amount) => [amount * size + slack, amount * size - slack] },
  ]
}

/** The unit as in the calendar, and as many days: on a Sunday "last week" may be the one that ends today. */
function unitBefore(unit: Unit, back: number, [from, to]: readonly [number, number]): Relative['days'] {
  return (_, since) => [Math.max(from, since(unit, back)), Math.min(to, since(unit, back - 1) + 1)]
}

/** Some slack at both ends of longer spans: nobody means them exactly. */
const relatives: readonly Relative[] = [
  { pattern: /大前天/, days: () => [3, 3] },
  { pattern: /\bthe day before yesterday\b|(?<!大)前天/i, days: () => [2, 2] },
  { pattern: /(?<!before )\byesterday\b|\blast night\b|昨天|昨日|昨晚/i, days: () => [1, 1] },
  { pattern: /\btoday\b|\bthis (?:morning|afternoon)\b|今天|今日|今早|今晚/i, days: () => [0, 0] },
  { pattern: /\bthis week\b|(?:这|本)个?(?:周|星期|礼拜)末?(?![一二三四五六日天])/i, days: () => [7, 0] },
  {
    pattern: /\blast week(?:end)?\b|(?<![早晚上])上个?(?:周|星期|礼拜)末?(?![一二三四五六日天])/i,
    days: unitBefore('week', 1, [14, 6]),
  },
  {
    pattern: /\b(?:the )?week before last\b|上上个?(?:周|星期|礼拜)末?(?![一二三四五六日天])/i,
    days: unitBefore('week', 2, [21, 13]),
  },
  { pattern: /\bthis month\b|(?:这个|本)月/i, days: () => [31, 0] },
  { pattern: /\blast month\b|(?<![早晚上])上个?月/i, days: unitBefore('month', 1, [62, 28]) },
  { pattern: /\b(?:the )?month before last\b|上上个?月/i, days: unitBefore('month', 2, [93, 59]) },
  { pattern: /\bthis year\b|今年/i, days: (_, since) => [since('year', 0), 0] },
  { pattern: /\blast year\b|去年/i, days: unitBefore('year', 1, [730, 330]) },
  { pattern: /\b(?:the )?year before last\b|前年/i, days: unitBefore('year', 2, [1_100, 695]) },
  ...counted('day', '天', 1, 1),
  ...counted('week', '个?(?:周|星期|礼拜)', 7, 4),
  ...counted('month', '个月', 30, 16),
  ...counted('year', '年', 365, 183),
]

export function* relativeRanges(question: string, nowMs: number): Generator<TimeRange> {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS
  for (const { pattern, days } of relatives) {
    const match = pattern.exec(question)
    if (!match) continue
    const [from, to] = days(countOf(match[1] ?? match[2] ?? ''), daysSinceFrom(today))
    yield { fromMs: today - from * DAY_MS, toMs: today - to * DAY_MS + DAY_MS }
  }
  for (const daysAgo of weekdaysIn(question, new Date(today).getUTCDay()))
    yield { fromMs: today - daysAgo * DAY_MS, toMs: today - daysAgo * DAY_MS + DAY_MS }
}

function daysSinceFrom(today: number): DaysSince {
  const date = new Date(today)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  const begins: Readonly<Record<Unit, (back: number) => number>> = {
    week: (back) => today - (((date.getUTCDay() + 6) % 7) + 7 * back) * DAY_MS,
    month: (back) => Date.UTC(year, month - back),
    year: (back) => Date.UTC(year - back, 0),
  }
  return (unit, back) => (today - begins[unit](back)) / DAY_MS
}

function countOf(word: string): number {
  if (/^\d/.test(word)) return Number(word)
  if (word === '' || /^an?$/i.test(word)) return 1
  const english = counts.indexOf(word.toLowerCase())
  if (english >= 0) return english
  const [tens, ones] = word.includes('十') ? word.split('十') : ['', word]
  const digit = (sign = '') => (sign === '两' ? 2 : '一二三四五六七八九'.indexOf(sign) + 1)
  return word.includes('十') ? (tens ? digit(tens) : 1) * 10 + (ones ? digit(ones) : 0) : digit(ones)
}

const weekdays = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ')
const weekdayWord = new RegExp(`\\b(?:last |this |on )(${weekdays.join('|')})\\b`, 'gi')
const chineseWeekday = /(?<![每一下]个?)(?:((?<![早晚])上)|这|本)?个?(?:周|星期|礼拜)([一二三四五六日天])(?!次|个)/g

/** How many days ago the named weekdays were: the last one before today; 上周五 the one of the week before. */
function* weekdaysIn(question: string, today: number): Generator<number> {
  const since = (day: number) => (today - day + 7) % 7 || 7
  for (const [, name = ''] of question.matchAll(weekdayWord)) yield since(weekdays.indexOf(name.toLowerCase()))
  for (const [, before, sign = ''] of question.matchAll(chineseWeekday)) {
    const day = '日一二三四五六'.indexOf(sign === '天' ? '日' : sign)
    yield before === undefined ? since(day) : ((today + 6) % 7) + 7 - ((day + 6) % 7)
  }
}

/** The question without the times that count from today. */
export function withoutRelativeTimes(question: string): string {
  const times = [weekdayWord, chineseWeekday, ...relatives.map(({ pattern }) => pattern)]
  return times.reduce((text, pattern) => text.replace(pattern, ' '), question)
}
