/**
 * Numbers, dates, times and measures in a text, in one notation: 3 pm = 15:00 = 下午三点, 5 min = five minutes = 五分钟,
 * 1,000 = 1k, 2026-03-01 = March 1, 2026 = 2026年3月1日. Pure; expects text that `foldText` made.
 */
import { chineseNumber, chineseNumerals, numberWord, numberWords } from './number-words.ts'
import { unitOf, unitWords } from './units.ts'

export interface Quantity {
  readonly start: number
  readonly end: number
  /** What sort of value: two values can only be compared within one kind. */
  readonly kind: string
  /** Parts of the value. A date without a year says less than one with it. */
  readonly value: string
}

interface Rule {
  readonly pattern: RegExp
  readonly read: (match: Readonly<Record<string, string | undefined>>) => Omit<Quantity, 'start' | 'end'> | null
}

const monthNames = 'january february march april may june july august september october november december'.split(' ')
const monthWord = `(?:${monthNames.map((name) => `${name}|${name.slice(0, 3)}`).join('|')}|sept)\\.?`
const digits = '\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d+(?:\\.\\d+)?'
const spelled = `(?:${numberWords})(?:[ -](?:${numberWords}))*`
const chinese = `[${chineseNumerals}]+(?:点[${chineseNumerals}]+)?`
const number = `(?<n>${digits}|${spelled}|${chinese})`
const ordinalWords = 'second third fourth fifth sixth seventh eighth ninth tenth'.split(' ')
const ordinals = ordinalWords.join('|')
/** Words that count things: 两个, 三条. They stay in the text. */
const counters = '[个条人次份台张页行家班岁号楼层位名句字类种件本只支组项步级批期轮套间场门座栋棵株桶箱盒瓶杯袋倍成档]'
const small = `\\d{1,2}|[${chineseNumerals}]{1,3}`
const before = '(?<![a-z0-9_.$/-])'
const after = '(?![a-z0-9_])'
const partOfDay = '凌晨|清晨|清早|早上|早晨|上午|中午|下午|午后|傍晚|晚上|夜里|半夜|早|晚'

/** In order of precedence: of two that overlap the earlier rule counts. */
const rules: readonly Rule[] = [
  rule(`${before}(?<name>v?\\d+(?:\\.\\d+){2,})${after}`, ({ name }) => ({ kind: 'version', value: bare(name) })),
  rule(`${before}(?<y>\\d{4})[-/](?<m>\\d{1,2})(?:[-/](?<d>\\d{1,2}))?${after}`, date),
  rule(`(?:(?<y>\\d{4})\\s*年\\s*)?(?<m>${small})\\s*月\\s*(?<d>${small})\\s*[日号]`, date),
  rule(`(?<y>\\d{4})\\s*年\\s*(?<m>${small})\\s*月(?:份)?`, date),
  rule(`(?<![个几每\\d])(?<m>${small})\\s*月(?:份|底|初)?(?![内间])`, date),
  rule(`(?<y>(?:19|20)\\d{2})\\s*年`, date),
  rule(
    `${before}(?<m>${monthWord})\\s+(?<d>\\d{1,2})(?:st|nd|rd|th)?(?![:\\d])(?:,?\\s+(?<y>(?:19|20)\\d{2}))?${after}`,
    date,
  ),
  rule(
    `${before}(?<d>\\d{1,2})(?:st|nd|rd|th)?(?:\\s+of)?\\s+(?<m>${monthWord})(?:,?\\s+(?<y>(?:19|20)\\d{2}))?${after}`,
    date,
  ),
  rule(`${before}(?<m>${monthWord}),?\\s+(?<y>(?:19|20)\\d{2})${after}`, date),
  rule(`${before}(?<m>${monthNames.filter((name) => name !== 'may' && name !== 'march').join('|')})${after}`, date),
  rule(`${before}(?<h>\\d{1,2})(?:[:.](?<min>\\d{2}))?\\s*(?<half>a\\.?m\\.?|p\\.?m\\.?)(?![a-z])`, clock),
  rule(`(?:(?<part>${partOfDay})\\s*)?(?<![\\d.:])(?<h>\\d{1,2}):(?<min>\\d{2})(?::\\d{2})?(?![\\d:])`, clock),
  rule(
    `(?:(?<part>${partOfDay})\\s*)?(?<![\\d.第])(?<h>${small})\\s*(?:点钟|点(?!击|评|数|子|餐|名|[${chineseNumerals}]\\d)|时(?![间长区机]))(?<min>半|一刻|三刻|(?:${small})分?)?`,
    clock,
  ),
  rule(`${before}(?<h>\\d{1,2}|${numberWords})\\s+o'?clock(?:\\s+in the (?<part>morning|afternoon|evening))?`, clock),
  rule(`${before}half past (?<h>\\d{1,2}|${numberWords})`, ({ h }) => clock({ h, min: '半' })),
  rule(`${before}(?<h>\\d{1,2}|${numberWords}) in the (?<part>morning|afternoon|evening)`, clock),
  rule(`${before}(?:noon|midday)${after}|正午|中午`, () => ({ kind: 'time', value: '12:00' })),
  rule(`${before}midnight${after}|午夜|零点`, () => ({ kind: 'time', value: '00:00' })),
  rule(`${number}\\s*(?:%|percent${after}|per cent${after})`, ({ n }) => ({ kind: 'percent', value: plain(n) })),
  rule(`百分之(?<n>${digits}|[${chineseNumerals}]+)`, ({ n }) => ({ kind: 'percent', value: plain(n) })),
  rule(`(?<!\\d |per |an? |each |every |of a )\\b(?<n>${ordinals})(?= [a-z])`, ({ n = '' }) => ({
    kind: 'number',
    value: String(ordinalWords.indexOf(n) + 2),
  })),
  rule(`${before}twice${after}|[两二](?:次|遍)`, () => ({ kind: 'number', value: '2' })),
  rule(`半个?(?:小时|钟头)|${before}half an hour${after}`, () => ({ kind: 'seconds', value: '1800' })),
  rule(`半年|${before}half a year${after}`, () => ({ kind: 'months', value: '6' })),
  rule(
    `${before}(?:a|an)\\s+(?<unit>minute|hour|day|week|fortnight|month|year)${after}(?<!(?:once|twice|times) an? \\w+)`,
    ({ unit = '' }) => measure('1', unit),
  ),
  rule(`${before}${number}[\\s-]*(?:个|多)?(?<unit>${unitWords})${after}`, ({ n, unit = '' }) =>
    measure(plain(n), unit),
  ),
  rule(`${before}(?:no\\.?|number|#|第)\\s*${number}`, ({ n }) => ({ kind: 'number', value: plain(n) })),
  rule(`${before}(?<n>\\d+)(?:st|nd|rd|th)${after}`, ({ n }) => ({ kind: 'number', value: plain(n) })),
  rule(`${before}(?<n>${digits})\\s*(?<scale>k|m|万|千|亿|百万)(?![a-z0-9_])`, ({ n, scale = '' }) => ({
    kind: 'number',
    value: String(Number(plain(n)) * (scales[scale] ?? 1)),
  })),
  rule(`(?<n>[${chineseNumerals}]+)(?=${counters})`, ({ n }) =>
    n === '一' ? null : { kind: 'number', value: plain(n) },
  ),
  rule(`${before}(?<n>${digits}|${spelled})${after}`, ({ n }) =>
    n === 'one' ? null : { kind: 'number', value: plain(n) },
  ),
]

const scales: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, 千: 1e3, 万: 1e4, 百万: 1e6, 亿: 1e8 }

function rule(source: string, read: Rule['read']): Rule {
  return { pattern: new RegExp(source, 'giu'), read }
}

/** Most clauses hold no number at all, and thirty rules cost more than one look. */
const mayHold = new RegExp(
  `[\\d${chineseNumerals}半正午]|${numberWords}|${ordinals}|noon|midday|midnight|twice|half|\\ban? (?:minute|hour|day|week|fortnight|month|year)|${monthNames.join('|')}`,
  'iu',
)

/** In the order of the text; none overlaps another. */
export function findQuantities(text: string): Quantity[] {
  const found: Quantity[] = []
  if (!mayHold.test(text)) return found
  for (const { pattern, read } of rules)
    for (const match of text.matchAll(pattern)) {
      const [start, end] = [match.index, match.index + match[0].length]
      if (found.some((other) => start < other.end && other.start < end)) continue
      const value = read(lowered(match.groups ?? {}))
      if (value !== null) found.push({ ...value, start, end })
    }
  return found.sort((one, other) => one.start - other.start)
}

function lowered(groups: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, text?.toLowerCase()]))
}

function bare(version = ''): string {
  return version.replace(/^v/, '')
}

/** A number in digits, whatever it was written in. */
function plain(written = ''): string {
  const text = written.replaceAll(',', '')
  if (/^[\d.]+$/.test(text)) return String(Number(text))
  const value = chineseNumber(text) ?? numberWord(text)
  return value === null ? text : String(value)
}

function date({ y, m, d }: Readonly<Record<string, string | undefined>>): Omit<Quantity, 'start' | 'end'> | null {
  const month = m === undefined ? '' : monthNumber(m)
  const day = d === undefined ? '' : plain(d)
  if (month !== '' && !(Number(month) >= 1 && Number(month) <= 12)) return null
  if (day !== '' && !(Number(day) >= 1 && Number(day) <= 31)) return null
  return { kind: 'date', value: [y ?? '', month, day].join('-') }
}

function monthNumber(text: string): string {
  const at = monthNames.findIndex((name) => name.startsWith(text.slice(0, 3)))
  return at === -1 ? plain(text) : String(at + 1)
}

function clock({
  h,
  min,
  half,
  part,
}: Readonly<Record<string, string | undefined>>): Omit<Quantity, 'start' | 'end'> | null {
  const given = Number(plain(h))
  const minutes = min === undefined ? 0 : ({ 半: 30, 一刻: 15, 三刻: 45 }[min] ?? Number(plain(min.replace(/分$/, ''))))
  if (!(given <= 24 && minutes < 60)) return null
  const isLater = half?.startsWith('p') || /^(?:下午|午后|傍晚|晚上|晚|afternoon|evening)$/.test(part ?? '')
  const isNoon = part === '中午' && given < 11
  const isMidnight = (half?.startsWith('a') || /^(?:凌晨|半夜)$/.test(part ?? '')) && given === 12
  const hour = isMidnight ? 0 : (isLater || isNoon) && given < 12 ? given + 12 : given % 24
  return { kind: 'time', value: `${String(hour).padStart(2, '0')}:${String(minutes).padStart(2, '0')}` }
}

function measure(amount: string, word: string): Omit<Quantity, 'start' | 'end'> | null {
  const unit = unitOf(word)
  if (unit === null || Number.isNaN(Number(amount))) return null
  return { kind: unit.kind, value: String(Number((Number(amount) * unit.factor).toPrecision(12))) }
}

/** Whether `known` says at least what `said` says. */
export function saysValue(known: Omit<Quantity, 'start' | 'end'>, said: Omit<Quantity, 'start' | 'end'>): boolean {
  if (known.kind !== said.kind) return false
  if (known.kind !== 'date') return known.value === said.value
  const [knownParts, saidParts] = [known.value.split('-'), said.value.split('-')]
  return saidParts.every((part, at) => part === '' || part === knownParts[at])
}
