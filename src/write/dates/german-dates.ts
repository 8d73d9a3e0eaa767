/** The commonest German expressions. `morgen` alone is also a greeting and a noun, so only its small form counts. */
import { type Anchor, formatDay, formatMonth, formatWeek, lastOfMonth, mondayOf, shiftMonth } from './calendar.ts'
import { type DateRule, MAX_COUNT, shiftBy, type TimeUnit } from './date-rule.ts'

const numbers = ['null', 'ein', 'zwei', 'drei', 'vier', 'fünf', 'sechs', 'sieben', 'acht', 'neun', 'zehn']
const weekdays = ['montag', 'dienstag', 'mittwoch', 'donnerstag', 'freitag', 'samstag', 'sonntag']
const onlyIn =
  /(?<!\p{L})(?:der|die|das|und|ist|sind|wir|ich|nicht|bis|ab|am|im|seit|kommt|muss|mit|von|für|zum|zur|wird|haben|hat|war)(?!\p{L})/iu
const words = (pattern: string) => `(?<![\\p{L}\\p{N}_@#/\\\\$-])(?:${pattern})(?![\\p{L}\\p{N}_@/\\\\$(-])`
const which = '(?<which>nächste|kommende|letzte|vergangene|vorige|diese)[nrsm]?'
const count = `(?<count>\\d{1,3}|eine[rmn]?|${numbers.slice(1).join('|')})`
const unit = '(?<unit>tag|woche|monat|jahr)e?n?'

const step = (word = '') => (/^(?:letzte|vergangene|vorige)/i.test(word) ? -1 : /^diese/i.test(word) ? 0 : 1)
const toUnit = (name = ''): TimeUnit =>
  /^w/i.test(name) ? 'week' : /^m/i.test(name) ? 'month' : /^j/i.test(name) ? 'year' : 'day'
const offset = (days: number) => (_: unknown, anchor: Anchor) => formatDay(anchor.day + days)

function weekday(word: string | undefined, name = '', anchor: Anchor): string {
  const day = mondayOf(anchor.day, Math.max(0, step(word))) + weekdays.indexOf(name.toLowerCase())
  return formatDay(step(word) === -1 && day >= anchor.day ? day - 7 : day)
}

function counted(direction: 1 | -1) {
  return (groups: Readonly<Record<string, string | undefined>>, anchor: Anchor): string | null => {
    const word = groups.count?.toLowerCase() ?? ''
    const amount = /^\d+$/.test(word) ? Number(word) : word.startsWith('eine') ? 1 : numbers.indexOf(word)
    return amount < 1 || amount > MAX_COUNT ? null : shiftBy(anchor, direction * amount, toUnit(groups.unit))
  }
}

const rules: readonly DateRule[] = [
  { id: 'de-today', pattern: words('heute'), resolve: offset(0) },
  {
    id: 'de-tomorrow',
    pattern: words('(?<word>morgen)'),
    resolve: ({ word }, anchor) => (word === 'morgen' ? formatDay(anchor.day + 1) : null),
  },
  { id: 'de-after-tomorrow', pattern: words('übermorgen'), resolve: offset(2) },
  { id: 'de-yesterday', pattern: words('gestern'), resolve: offset(-1) },
  { id: 'de-before-yesterday', pattern: words('vorgestern'), resolve: offset(-2) },
  {
    id: 'de-weekday',
    pattern: words(`${which} (?<weekday>${weekdays.join('|')})`),
    resolve: (groups, anchor) => weekday(groups.which, groups.weekday, anchor),
  },
  {
    id: 'de-week-weekday',
    pattern: words(`${which} woche (?<weekday>${weekdays.join('|')})`),
    resolve: (groups, anchor) =>
      formatDay(mondayOf(anchor.day, step(groups.which)) + weekdays.indexOf(groups.weekday?.toLowerCase() ?? '')),
  },
  {
    id: 'de-period',
    pattern: words(`${which} (?<unit>woche|monat|jahr)`),
    resolve: (groups, anchor) => {
      const by = step(groups.which)
      if (toUnit(groups.unit) === 'week') return formatWeek(mondayOf(anchor.day, by))
      return toUnit(groups.unit) === 'month' ? formatMonth(shiftMonth(anchor, by)) : String(anchor.year + by)
    },
  },
  { id: 'de-in', pattern: words(`in ${count} ${unit}`), resolve: counted(1), notWhenRecurring: true },
  { id: 'de-ago', pattern: words(`vor ${count} ${unit}`), resolve: counted(-1), notWhenRecurring: true },
  {
    id: 'de-month-end',
    pattern: words('(?:ende (?:des|dieses) monats|monatsende)'),
    resolve: (_, anchor) => formatDay(lastOfMonth(shiftMonth(anchor, 0))),
    notWhenRecurring: true,
  },
]

export const germanDates: readonly DateRule[] = rules.map((rule) => ({ ...rule, onlyIn }))
