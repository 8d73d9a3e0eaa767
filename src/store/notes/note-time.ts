/** Times in front matter: many spellings in, one out. */
import { isoSeconds } from '../../domain/index.ts'

const TIME =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?[ ]?(?:([Zz])|([+-])(\d\d):?(\d\d)?)?)?$/

/** UTC ISO 8601 with seconds, or null when `text` is no date that exists. A time without a zone is UTC. */
export function isoTime(text: string): string | null {
  const match = TIME.exec(text.trim())
  if (!match) return null
  const part = (index: number): number => Number(match[index] ?? 0)
  const [year, month, day, hour, minute, second] = [part(1), part(2), part(3), part(4), part(5), part(6)]
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null
  if (hour > 23 || minute > 59 || second > 60 || part(9) > 23 || part(10) > 59) return null
  const offsetMinutes = (match[8] === '-' ? -1 : 1) * (part(9) * 60 + part(10))
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute - offsetMinutes, Math.min(second, 59))
  const utcYear = date.getUTCFullYear()
  return utcYear < 0 || utcYear > 9_999 ? null : isoSeconds(date.getTime())
}

function daysIn(year: number, month: number): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month, 0)
  return date.getUTCDate()
}
