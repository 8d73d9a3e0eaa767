/** English expressions. Order does not matter: the leftmost, then the longest match wins. */
import {
  type Anchor,
  dayOfMonth,
  formatDay,
  formatMonth,
  formatQuarter,
  formatSpan,
  formatWeek,
  lastOfMonth,
  lastOfQuarter,
  mondayOf,
  nextDate,
  shiftMonth,
  shiftQuarter,
  weekdayOf,
} from './calendar.ts'
import { type DateRule, MAX_COUNT, shiftBy, type TimeUnit } from './date-rule.ts'

const numbers = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
]
const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

const before = String.raw`(?<![\p{Script=Latin}\p{N}_@#/\\$-]|[\p{L}\p{N}]\.)`
const after = String.raw`(?![\p{Script=Latin}\p{N}_@/\\$(-]|\.[\p{L}\p{N}])`
const weekday =
  '(?<weekday>monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tues?|wed|thurs?|thu|fri|sat|sun)'
const fullWeekday = '(?<weekday>monday|tuesday|wednesday|thursday|friday|saturday|sunday)'
const count = `(?<count>\\d{1,3}|an?|${numbers.slice(1).join('|')})`
const unit = '(?<unit>day|week|month|year)s?'
const which = '(?<which>this|next|last|coming|this coming|past|previous)'
const words = (pattern: string) => `${before}(?:${pattern})${after}`

const weekdayNumber = (name = '') => weekdays.indexOf(name.slice(0, 3).toLowerCase()) + 1
const toUnit = (name = ''): TimeUnit =>
  (['week', 'month', 'year'] as const).find((each) => each === name.toLowerCase()) ?? 'day'

function toCount(word = ''): number {
  if (/^an?$/i.test(word)) return 1
  return /^\d+$/.test(word) ? Number(word) : numbers.indexOf(word.toLowerCase())
}

/** -1, 0 or 1 for last, this, next. */
function step(word = ''): number {
  if (/^(?:last|past|previous)$/i.test(word)) return -1
  return /^next$/i.test(word) ? 1 : 0
}

function weekdayBy(word: string | undefined, name: string | undefined, anchor: Anchor): number {
  const number = weekdayNumber(name)
  const inWeek = (weeks: number) => mondayOf(anchor.day, weeks) + number - 1
  if (step(word) === 1) return inWeek(1)
  if (step(word) === -1) return inWeek(0) < anchor.day ? inWeek(0) : inWeek(-1)
  const isStrict = /coming/i.test(word ?? '')
  return inWeek(0) > anchor.day || (!isStrict && inWeek(0) === anchor.day) ? inWeek(0) : inWeek(1)
}

function period(word: string | undefined, name: string | undefined, anchor: Anchor, shift = 0): string {
  const by = step(word) + shift
  switch (name?.toLowerCase()) {
    case 'week':
      return formatWeek(mondayOf(anchor.day, /coming/i.test(word ?? '') ? 1 : by))
    case 'weekend':
      return formatSpan(mondayOf(anchor.day, by) + 5, mondayOf(anchor.day, by) + 6)
    case 'quarter':
      return formatQuarter(shiftQuarter(anchor, by))
    case 'month':
      return formatMonth(shiftMonth(anchor, by))
    default:
      return String(anchor.year + by)
  }
}

function endOf(word: string | undefined, name: string | undefined, anchor: Anchor): string {
  const by = step(word)
  switch (name?.toLowerCase()) {
    case 'week':
      return formatDay(mondayOf(anchor.day, by) + (by === 0 && weekdayOf(anchor.day) > 5 ? 6 : 4))
    case 'quarter':
      return formatDay(lastOfQuarter(shiftQuarter(anchor, by)))
    case 'month':
      return formatDay(lastOfMonth(shiftMonth(anchor, by)))
    default:
      return `${anchor.year + by}-12-31`
  }
}

function atEndOf(groups: Readonly<Record<string, string | undefined>>, anchor: Anchor): string {
  return `${groups.at ? 'on ' : ''}${endOf(groups.which, groups.unit, anchor)}`
}

function counted(
  groups: Readonly<Record<string, string | undefined>>,
  anchor: Anchor,
  direction: 1 | -1,
): string | null {
  const amount = toCount(groups.count)
  return amount < 1 || amount > MAX_COUNT ? null : shiftBy(anchor, direction * amount, toUnit(groups.unit))
}

function hoursAgo(groups: Readonly<Record<string, string | undefined>>, anchor: Anchor): string {
  const minutes = toCount(groups.count) * (/^h/i.test(groups.unit ?? '') ? 60 : 1)
  const left = (anchor.minutes ?? 720) - minutes
  return formatDay(anchor.day + Math.floor(left / 1440))
}

function monthBy(word: string | undefined, name: string | undefined, anchor: Anchor): string {
  const month = months.indexOf(name?.toLowerCase() ?? '') + 1
  const by = step(word)
  const year =
    by === 0
      ? anchor.year
      : by > 0
        ? anchor.year + (month > anchor.month ? 0 : 1)
        : anchor.year - (month < anchor.month ? 0 : 1)
  return formatMonth({ year, month })
}

/** Seasons are named, not placed: the words mean other months south of the equator. */
function season(word: string | undefined, name: string | undefined, anchor: Anchor): string {
  const starts = { spring: 3, summer: 6, autumn: 9, fall: 9, winter: 12 } as const
  const key =
    (['spring', 'summer', 'autumn', 'fall', 'winter'] as const).find((each) => each === name?.toLowerCase()) ?? 'winter'
  const by = step(word)
  const isAhead = starts[key] > anchor.month
  return `${key} ${anchor.year + (by > 0 && !isAhead ? 1 : 0) - (by < 0 && isAhead ? 1 : 0)}`
}

const offset = (days: number) => (_: unknown, anchor: Anchor) => formatDay(anchor.day + days)
const dayWord = { today: 0, tomorrow: 1, yesterday: -1 } as const

export const englishDates: readonly DateRule[] = [
  { id: 'en-today', pattern: words('today'), resolve: offset(0) },
  { id: 'en-tomorrow', pattern: words('tomorrow|tmrw'), resolve: offset(1) },
  { id: 'en-yesterday', pattern: words('yesterday'), resolve: offset(-1) },
  { id: 'en-day-after', pattern: words('(?:the )?day after tomorrow'), resolve: offset(2) },
  { id: 'en-day-before', pattern: words('(?:the )?day before yesterday'), resolve: offset(-2) },
  { id: 'en-tonight', pattern: words('tonight'), resolve: (_, anchor) => `${formatDay(anchor.day)} evening` },
  { id: 'en-last-night', pattern: words('last night'), resolve: (_, anchor) => `${formatDay(anchor.day - 1)} night` },
  {
    id: 'en-part-of-day',
    pattern: words('this (?<part>morning|afternoon|evening)'),
    resolve: ({ part }, anchor) => `${formatDay(anchor.day)} ${part?.toLowerCase()}`,
  },
  {
    id: 'en-weekday',
    pattern: words(`${which} ${weekday}`),
    resolve: (groups, anchor) => formatDay(weekdayBy(groups.which, groups.weekday, anchor)),
  },
  {
    id: 'en-weekday-of-week',
    pattern: words(`(?:on )?${fullWeekday} (?:of )?(?<which>this|next|last) week`),
    resolve: (groups, anchor) =>
      formatDay(mondayOf(anchor.day, step(groups.which)) + weekdayNumber(groups.weekday) - 1),
  },
  {
    id: 'en-week-weekday',
    pattern: words(`(?<which>this|next|last) week(?:,? on|'s|’s)? ${fullWeekday}`),
    resolve: (groups, anchor) =>
      formatDay(mondayOf(anchor.day, step(groups.which)) + weekdayNumber(groups.weekday) - 1),
  },
  {
    id: 'en-due-weekday',
    pattern: `${before}(?<=\\b(?:by|until|till|before|due|due on|due by|is on|are on|starts? on|begins? on|scheduled for|moved to|planned for|set for|freeze on|release on|launch on|demo on|deadline on|exam on|audit on|cutover on|migration on|maintenance on|goes out on|goes live on|go live on|arrives? on|leaves? on|ends? on|opens? on|closes? on|ships? on|launches on|back on) )${fullWeekday}${after}`,
    resolve: (groups, anchor) => formatDay(weekdayBy('this coming', groups.weekday, anchor)),
    notWhenRecurring: true,
  },
  {
    id: 'en-period',
    pattern: words(
      `(?<!the )(?<which>this|next|last|coming|this coming|past|previous) (?<unit>week|weekend|month|quarter|year)`,
    ),
    resolve: (groups, anchor) => period(groups.which, groups.unit, anchor),
  },
  {
    id: 'en-rolling-period',
    pattern: words('the (?<which>next|last|coming|past|previous) (?<unit>week|month|quarter|year)(?! of)'),
    resolve: (groups, anchor) => period(groups.which, groups.unit, anchor),
  },
  {
    id: 'en-period-after-next',
    pattern: words('(?:the )?(?<unit>week|weekend|month|quarter|year) (?:(?<ahead>after next)|before last)'),
    resolve: (groups, anchor) => period(groups.ahead ? 'next' : 'last', groups.unit, anchor, groups.ahead ? 1 : -1),
  },
  {
    id: 'en-month-day',
    pattern: words('(?:on )?(?:the )?(?<date>\\d{1,2})(?:st|nd|rd|th)?,? (?:of )?(?<which>this|next|last) month'),
    resolve: (groups, anchor) => day(dayOfMonth(shiftMonth(anchor, step(groups.which)), Number(groups.date))),
  },
  {
    id: 'en-bare-date',
    pattern: `${before}(?:(?<=\\b(?:by|until|till|before) )|(?<prefix>on) )the (?<date>\\d{1,2})(?:st|nd|rd|th)(?=\\s*(?:$|[.,;:!?)\\n]|(?:and|at|so|because|but|then)\\b))`,
    resolve: (groups, anchor) => {
      const at = day(nextDate(anchor, Number(groups.date)))
      return at && groups.prefix ? `${groups.prefix} ${at}` : at
    },
    notWhenRecurring: true,
  },
  {
    id: 'en-end-of',
    pattern: words(
      "(?:(?<at>at) )?(?:the )?(?:end|last day) of (?<which>this|next|last) (?<unit>week|month|quarter|year)(?:'s|’s)?",
    ),
    resolve: atEndOf,
  },
  {
    id: 'en-end-of-the',
    pattern: words(
      "(?:(?<at>at) )?(?:the )?(?:end|last day) of (?:the )?(?<unit>week|month|quarter|year)(?:'s|’s)?(?! of)",
    ),
    resolve: atEndOf,
    notWhenRecurring: true,
  },
  {
    id: 'en-unit-end',
    pattern: words("(?:the )?(?<unit>month|quarter|year)(?:[ -]|(?:'s|’s) )end"),
    resolve: (groups, anchor) => endOf('this', groups.unit, anchor),
    notWhenRecurring: true,
  },
  {
    id: 'en-ago',
    pattern: words(`${count} ${unit} ago`),
    resolve: (groups, anchor) => counted(groups, anchor, -1),
  },
  {
    id: 'en-hours-ago',
    pattern: words(`${count} (?<unit>hour|minute)s? ago`),
    resolve: hoursAgo,
  },
  {
    id: 'en-in',
    pattern: words(`in ${count} ${unit}(?:['’]s?)?(?: time)?(?! (?:of|a|per)\\b)`),
    resolve: (groups, anchor) => counted(groups, anchor, 1),
    notWhenRecurring: true,
  },
  {
    id: 'en-from-now',
    pattern: words(`${count} ${unit} from (?<from>now|today|tomorrow|yesterday)`),
    resolve: (groups, anchor) => {
      const from = groups.from?.toLowerCase()
      const shift = from === 'tomorrow' || from === 'yesterday' ? dayWord[from] : 0
      return counted(groups, { ...anchor, day: anchor.day + shift }, 1)
    },
  },
  {
    id: 'en-from-weekday',
    pattern: words(`${count} weeks? from (?:(?<which>this|next|last) )?${fullWeekday}`),
    resolve: (groups, anchor) => {
      const weeks = toCount(groups.count)
      return weeks < 1 ? null : formatDay(weekdayBy(groups.which ?? 'this', groups.weekday, anchor) + weeks * 7)
    },
  },
  {
    id: 'en-some-ago',
    pattern: words('(?:a few|a couple of|several) (?<unit>day|week|month|year)s ago|the other day'),
    resolve: (groups, anchor) => `a few ${groups.unit?.toLowerCase() ?? 'day'}s before ${formatDay(anchor.day)}`,
  },
  {
    id: 'en-in-some',
    pattern: words("in (?:a few|a couple of|several) (?<unit>day|week|month|year)s(?:['’] time)?"),
    resolve: (groups, anchor) => `a few ${groups.unit?.toLowerCase()}s after ${formatDay(anchor.day)}`,
    notWhenRecurring: true,
  },
  {
    id: 'en-month-name',
    pattern: words(`(?<which>this|next|last) (?<month>${months.join('|')})`),
    resolve: (groups, anchor) => monthBy(groups.which, groups.month, anchor),
  },
  {
    id: 'en-season',
    pattern: words('(?<which>this|next|last) (?<season>spring|summer|autumn|fall|winter)'),
    resolve: (groups, anchor) => season(groups.which, groups.season, anchor),
  },
]

function day(number: number | null): string | null {
  return number === null ? null : formatDay(number)
}
