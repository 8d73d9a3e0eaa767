/**
 * Dates that a question names: "May 2023", "12 June", 2023年5月3日, 2026-02-03, a year alone. Pure; never throws.
 */
const DAY_MS = 86_400_000

/** Half-open, milliseconds. */
export interface TimeRange {
  readonly fromMs: number
  readonly toMs: number
}

export interface AskedDate {
  /** Where it stands in the question. */
  readonly start: number
  readonly end: number
  readonly year: number | null
  /** 0..11; null: the year alone. */
  readonly month: number | null
  /** Of a date in digits. */
  readonly day: number | null
  /** Of a month that is named with a day; its range is the month, for people remember days wrongly. */
  readonly namedDay: number | null
}

const monthNames = 'january february march april may june july august september october november december'.split(' ')
const monthPattern = monthNames.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join('|')
const dayPattern = '(\\d{1,2})(?:st|nd|rd|th)?'
const yearPattern = '(?:19|20)\\d\\d'
/** "May I use tabs": it asks for leave. */
const asksLeave = '(?!(?<=(?:^|[.?!]\\s+))may (?:i|we|you|he|she|it|they|this|that|the|an?)\\b)'
const namedMonth = new RegExp(
  `(?:\\b${dayPattern}(?: of)? )?\\b${asksLeave}(${monthPattern})\\b\\.?(?:\\s+${dayPattern}\\b(?!:))?(?:,?\\s+(${yearPattern})\\b)?`,
  'gi',
)
const isoDate = /\b((?:19|20)\d\d)([-/])(\d\d)(?:\2(\d\d))?\b/g
const chineseMonth =
  /(?:((?:19|20)\d\d)年)?(十[一二]?|[一二三四五六七八九]|1[0-2]|0?[1-9])月(?:(\d{1,2})[日号]|(?!\d))/g
const bareYear = /(?<![\d-])((?:19|20)\d\d)(?![\d-])年?/g
const chineseDigits = '一二三四五六七八九十'

/** In the order of the question; none stands inside another one. */
export function datesIn(question: string): AskedDate[] {
  const found = [...isoDates(question), ...englishMonths(question), ...chineseMonths(question)]
  const isTaken = (at: number) => found.some(({ start, end }) => at >= start && at < end)
  const years = [...question.matchAll(bareYear)].filter(({ index }) => !isTaken(index))
  const bare = years.map((match) => ({
    ...placeOf(match),
    year: Number(match[1]),
    month: null,
    day: null,
    namedDay: null,
  }))
  // "the May trip of 2023": one year in the question belongs to its months.
  const named = new Set([...found.filter((date) => date.day === null), ...bare].flatMap((date) => date.year ?? []))
  const [only = null] = named.size === 1 ? named : []
  return [...found.map((date) => ({ ...date, year: date.year ?? only })), ...bare].sort(
    (one, other) => one.start - other.start,
  )
}

/** Null: a month of no year. */
export function rangeOf({ year, month, day }: Pick<AskedDate, 'year' | 'month' | 'day'>): TimeRange | null {
  if (year === null) return null
  if (month === null) return { fromMs: Date.UTC(year, 0), toMs: Date.UTC(year + 1, 0) }
  if (day === null) return { fromMs: Date.UTC(year, month), toMs: Date.UTC(year, month + 1) }
  const fromMs = Date.UTC(year, month, day)
  return { fromMs, toMs: fromMs + DAY_MS }
}

function placeOf({ 0: whole, index }: RegExpExecArray): Pick<AskedDate, 'start' | 'end'> {
  return { start: index, end: index + whole.length }
}

function isoDates(question: string): AskedDate[] {
  return [...question.matchAll(isoDate)].map((match) => ({
    ...placeOf(match),
    year: Number(match[1]),
    month: Number(match[3]) - 1,
    day: numberOf(match[4]),
    namedDay: null,
  }))
}

function englishMonths(question: string): AskedDate[] {
  return [...question.matchAll(namedMonth)].flatMap((match) => {
    const { 1: before, 2: name = '', 3: behind, 4: year } = match
    const month = monthNames.findIndex((each) => each.startsWith(name.toLowerCase().slice(0, 3)))
    return isMonth(name, year)
      ? [{ ...placeOf(match), year: numberOf(year), month, day: null, namedDay: numberOf(behind ?? before) }]
      : []
  })
}

/** "may" and "march" are words too: as months they are written with a capital, or stand beside a year. */
function isMonth(name: string, year: string | undefined): boolean {
  return year !== undefined || /^[A-Z]/.test(name) || !/^(?:may|mar|march|dec|sep|jan|jun)$/i.test(name)
}

function chineseMonths(question: string): AskedDate[] {
  return [...question.matchAll(chineseMonth)].map((match) => {
    const { 1: year, 2: text = '', 3: namedDay } = match
    const number = /^\d/.test(text)
      ? Number(text)
      : [...text].reduce((sum, character) => sum + chineseDigits.indexOf(character) + 1, 0)
    return { ...placeOf(match), year: numberOf(year), month: number - 1, day: null, namedDay: numberOf(namedDay) }
  })
}

function numberOf(text: string | undefined): number | null {
  return text === undefined ? null : Number(text)
}
