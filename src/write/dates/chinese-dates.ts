/**
 * Chinese (simplified, traditional) and the Japanese expressions that share its signs. Words are not separated, so
 * look-behinds keep look-alikes apart: 马上周五, 线上周报, 以前天天, 聪明天真.
 */
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
} from './calendar.ts'
import { type DateRule, MAX_COUNT, shiftBy, type TimeUnit } from './date-rule.ts'

const digits = '零一二三四五六七八九'
const number = '\\d{1,3}|[一二两兩三四五六七八九十]{1,3}'
const which =
  '(?<which>上上|下下|(?<![线線晚早碰赶趕遇路网網跟]|(?<![老小])[马馬])上|(?<![以地])下|这|這|(?<![日基根])本)'

/** 1 to 99 in signs, or digits; 0 for what is no number. */
function toCount(text = ''): number {
  if (/^\d+$/.test(text)) return Number(text)
  const value = (sign: string) => (/[两兩]/.test(sign) ? 2 : digits.indexOf(sign))
  const parts = /^(.?)十(.?)$/.exec(text)
  if (!parts) return text.length === 1 ? Math.max(0, value(text)) : 0
  return (parts[1] ? value(parts[1]) : 1) * 10 + (parts[2] ? value(parts[2]) : 0)
}

function step(word = ''): number {
  const steps: Readonly<Record<string, number>> = {
    上上: -2,
    上: -1,
    下: 1,
    下下: 2,
    先々: -2,
    先: -1,
    来: 1,
    再来: 2,
    去: -1,
    明: 1,
  }
  return steps[word] ?? 0
}

function weekdayNumber(sign = ''): number {
  if (/^\d$/.test(sign)) return Number(sign)
  const index = '一二三四五六日'.indexOf(sign === '天' ? '日' : sign)
  return index === -1 ? '月火水木金土日'.indexOf(sign) + 1 : index + 1
}

function week(anchor: Anchor, weeks: number, sign: string | undefined): string {
  const monday = mondayOf(anchor.day, weeks)
  if (sign === undefined) return formatWeek(monday)
  return sign === '末' ? formatSpan(monday + 5, monday + 6) : formatDay(monday + weekdayNumber(sign) - 1)
}

interface MonthPart {
  readonly end?: string | undefined
  readonly part?: string | undefined
  readonly date?: string | undefined
}

function month(anchor: Anchor, count: number, { end, part, date }: MonthPart): string | null {
  const at = shiftMonth(anchor, count)
  if (end) return formatDay(lastOfMonth(at))
  if (part) return `${formatMonth(at)} ${part}`
  if (date === undefined) return formatMonth(at)
  const day = dayOfMonth(at, toCount(date))
  return day === null ? null : formatDay(day)
}

function half(unit: string | undefined, anchor: Anchor, direction: 1 | -1): string | null {
  if (unit === '年') return shiftBy(anchor, direction * 6, 'month')
  return /月/.test(unit ?? '') ? shiftBy(anchor, direction * 15, 'day') : null
}

function counted(groups: Readonly<Record<string, string | undefined>>, anchor: Anchor): string | null {
  const direction = /前/.test(groups.direction ?? '') ? -1 : 1
  if (groups.count === '半') return half(groups.unit, anchor, direction)
  const units: readonly [RegExp, TimeUnit][] = [
    [/[天日]/, 'day'],
    [/周|週|星期|礼拜|禮拜/, 'week'],
    [/月/, 'month'],
  ]
  const unit = units.find(([pattern]) => pattern.test(groups.unit ?? ''))?.[1] ?? 'year'
  const amount = toCount(groups.count)
  return amount < 1 || amount > MAX_COUNT ? null : shiftBy(anchor, direction * amount, unit)
}

const offset =
  (days: number, suffix = '') =>
  (_: unknown, anchor: Anchor) =>
    `${formatDay(anchor.day + days)}${suffix}`

const days: readonly DateRule[] = [
  { id: 'zh-today', pattern: '今天|(?<!如)今日(?!子|头条|頭條)|今儿个?|本日|きょう', resolve: offset(0) },
  {
    id: 'zh-tomorrow',
    pattern: '(?<![聪聰透文光黎照证證])明天(?!真)|明日(?!方舟|香)|明儿个?|あした',
    resolve: offset(1),
  },
  { id: 'zh-yesterday', pattern: '昨天|昨日|昨儿个?|きのう', resolve: offset(-1) },
  {
    id: 'zh-after-tomorrow',
    pattern: '(?<![以之然最今往先大])[后後]天(?![气氣天性空])|明後日|あさって',
    resolve: offset(2),
  },
  { id: 'zh-in-three-days', pattern: '大[后後]天', resolve: offset(3) },
  {
    id: 'zh-before-yesterday',
    pattern: '(?<![以之年月日周週天大空])前天(?![气氣天空])|一昨日|おととい',
    resolve: offset(-2),
  },
  { id: 'zh-three-days-ago', pattern: '大前天', resolve: offset(-3) },
  { id: 'zh-this-evening', pattern: '今晚上?|今夜', resolve: offset(0, ' 晚上') },
  { id: 'zh-this-morning', pattern: '今早上?|今晨|今朝', resolve: offset(0, ' 早上') },
  { id: 'zh-tomorrow-morning', pattern: '明早上?|明晨', resolve: offset(1, ' 早上') },
  { id: 'zh-tomorrow-evening', pattern: '明晚上?', resolve: offset(1, ' 晚上') },
  { id: 'zh-last-night', pattern: '昨晚上?|昨夜', resolve: offset(-1, ' 晚上') },
]

const weeks: readonly DateRule[] = [
  {
    id: 'zh-week',
    pattern: `${which}一?[个個]?(?:[周週]|星期|(?:礼|禮)拜)(?![期刊边邊围圍密折岁歲年])(?:(?<weekday>[二三四五六末]|一(?![起定样樣些直共般])|日(?![程报報常志期记記])|天(?![气氣])|[1-7](?!\\d))(?![个個次件点點]))?`,
    resolve: (groups, anchor) => week(anchor, step(groups.which), groups.weekday),
  },
  {
    id: 'ja-week',
    pattern: '(?<which>先々|再来|先|来|今)週(?:の?(?<weekday>[月火水木金土日])曜日?|(?<end>末))?',
    resolve: (groups, anchor) => week(anchor, step(groups.which), groups.end ?? groups.weekday),
  },
  {
    id: 'zh-due-weekday',
    pattern:
      '(?<![每上下这這本个個各逢])(?:[周週]|星期|(?:礼|禮)拜)(?<weekday>[一二三四五六日天])(?=之?前|截止|到期|交稿|交付)',
    resolve: (groups, anchor) => {
      const day = mondayOf(anchor.day) + weekdayNumber(groups.weekday) - 1
      return formatDay(day >= anchor.day ? day : day + 7)
    },
    notWhenRecurring: true,
  },
]

const months: readonly DateRule[] = [
  {
    id: 'zh-month',
    pattern: `${which}一?[个個]?月(?![亮球色光饼餅])(?:份)?(?: ?的? ?(?:(?<end>底|末|最[后後]一[天日])|(?<part>初|中旬|上旬|下旬)|(?<date>${number}) ?[号號日]))?`,
    resolve: (groups, anchor) => month(anchor, step(groups.which), groups),
  },
  {
    id: 'ja-month',
    pattern: '(?<which>先|来|今)月(?:の?(?:(?<end>末)|(?<date>\\d{1,2})日))?',
    resolve: (groups, anchor) => month(anchor, step(groups.which), groups),
  },
  {
    id: 'zh-month-end',
    pattern: '(?<![\\d一二三四五六七八九十每个個月的上下这這本来先今] ?)月[底末](?![一-龥]{0,2}(?:都|必须|必須))',
    resolve: (_, anchor) => month(anchor, 0, { end: '底' }),
    notWhenRecurring: true,
  },
  {
    id: 'zh-due-date',
    pattern: '(?<![\\d月第个個.:-] ?)(?<date>\\d{1,2}) ?[号號](?=之?前|截止|到期|上线|上線|交付|交稿)',
    resolve: (groups, anchor) => {
      const day = nextDate(anchor, Number(groups.date))
      return day === null ? null : formatDay(day)
    },
    notWhenRecurring: true,
  },
]

const yearStep: Readonly<Record<string, number>> = {
  大前: -3,
  前: -2,
  去: -1,
  昨: -1,
  今: 0,
  明: 1,
  来: 1,
  后: 2,
  後: 2,
}
const season = '季度?(?![节節后後军軍])'

const periods: readonly DateRule[] = [
  {
    id: 'zh-year',
    pattern:
      '(?<which>大前|(?<![年月天周週以之大])前|(?<![失过過])去|昨|今|明|(?<=^|[^\\p{L}])来|(?<![年月天周週以之])[后後])年(?![薪轻輕纪紀级級龄齡])(?<end>年?[底末终終]| ?的?最[后後]一[天日])?',
    resolve: ({ which: word = '', end }, anchor) => {
      const year = anchor.year + (yearStep[word] ?? 0)
      return end ? `${year}-12-31` : `${year}年`
    },
  },
  {
    id: 'zh-year-end',
    pattern: '(?<![\\d每今明去前后後来全] ?)年[底末终終](?![奖獎])',
    resolve: (_, anchor) => `${anchor.year}-12-31`,
    notWhenRecurring: true,
  },
  {
    id: 'zh-quarter',
    pattern: `${which}一?[个個]?${season}(?<end>末|底)?`,
    resolve: (groups, anchor) => {
      const at = shiftQuarter(anchor, step(groups.which))
      return groups.end ? formatDay(lastOfQuarter(at)) : formatQuarter(at)
    },
  },
  {
    id: 'zh-half-year',
    pattern: '(?<![年度])(?<half>上|下)半年(?![报報])',
    resolve: ({ half }, anchor) => `${anchor.year}年${half}半年`,
  },
]

const durations: readonly DateRule[] = [
  {
    id: 'zh-counted',
    pattern: `(?<![第\\d.半几幾数數多百月Vv最后後前头頭])(?<count>半|${number}) ?(?<unit>天|(?<![\\d ])日|[个個]?(?:周|週|星期|礼拜|禮拜)|週間|[个個ヶか]月|年) ?(?:之|以)?(?<direction>前|后|後)(?![天年台端])`,
    resolve: counted,
    notWhenRecurring: true,
  },
  {
    id: 'ja-counted',
    pattern: '(?<![\\d月.])(?<count>\\d{1,3}) ?(?<unit>日)(?<direction>前|後)',
    resolve: counted,
    onlyIn: /\p{Script=Hiragana}/u,
    notWhenRecurring: true,
  },
  {
    id: 'zh-some-ago',
    pattern: '(?:几|幾|好几|好幾)天(?:之|以)?前|(?<![以之])前(?:几|幾|两|兩)天|前些天|前阵子|前陣子',
    resolve: offset(0, ' 之前几天'),
  },
  {
    id: 'zh-in-some',
    pattern: '(?:几|幾)天(?:之|以)?[后後]|[过過](?:几|幾|两|兩)天',
    resolve: offset(0, ' 之后几天'),
    notWhenRecurring: true,
  },
  { id: 'zh-these-days', pattern: '[这這](?:几|幾|两|兩)天', resolve: offset(0, ' 前后') },
]

export const chineseDates: readonly DateRule[] = [...days, ...weeks, ...months, ...periods, ...durations]
