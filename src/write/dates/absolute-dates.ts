/**
 * Relative dates become absolute (spec W10). The anchor is the message's own calendar day; without one the words stay
 * and are marked `[undated]`, so that nobody resolves them later against the wrong day. Code, links and quoted lone
 * words are not touched, and what was resolved or marked once is left alone: the function is idempotent.
 */
import { type Anchor, parseAnchor } from './calendar.ts'
import { chineseDates } from './chinese-dates.ts'
import type { DateRule } from './date-rule.ts'
import { englishDates } from './english-dates.ts'
import { germanDates } from './german-dates.ts'
import { isProtected, protectedRanges } from './protected-ranges.ts'

export interface AbsoluteDates {
  readonly text: string
  /** The relative expressions that had no anchor, as written, in order. */
  readonly undated: string[]
  /** How many expressions became absolute. */
  readonly changed: number
}

interface FoundDate {
  readonly start: number
  readonly end: number
  readonly rule: DateRule
  readonly groups: Readonly<Record<string, string | undefined>>
}

/** Every Chinese rule names a Chinese or Japanese sign, and making its pattern ready costs far more than looking for one. */
const chineseSign = /[\u3005-\u9fff]/
const chinese: ReadonlySet<DateRule> = new Set(chineseDates)

const rules = [...englishDates, ...chineseDates, ...germanDates].map((rule) => ({
  rule,
  pattern: new RegExp(rule.pattern, 'giu'),
}))

const recurring =
  /\b(?:every|each|always|usually|normally|typically|generally|never|whenever|automatically|once an?|daily|weekly|monthly|yearly|expire|immer|jede[nrsm]?|automatisch)\b|每|总是|總是|一律|都会|都會|自动|自動|通常|一般都|定期|一直|毎/iu
const mark = ' [undated]'
/** Any anchor: tells whether words name a date at all. */
const probe: Anchor = { day: 20_000, year: 2024, month: 10, minutes: 0 }

/** A date that becomes absolute parts what was glued to it, so words may only then stand alone. */
const MAX_PASSES = 4

/**
 * Makes relative dates absolute from the message's own calendar day (its own offset). Days become `2026-06-12`, weeks
 * an ISO interval `2026-06-08/2026-06-14`, months `2026-06`, quarters `2026-Q2`. Never throws.
 */
export function absoluteDates(text: string, time: string | null): AbsoluteDates {
  const anchor = parseAnchor(time)
  if (!anchor) return markUndated(text)
  let [result, changed] = [text, 0]
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const found = findDates(result).filter((each) => each.rule.resolve(each.groups, anchor) !== null)
    if (found.length === 0) break
    result = replaceAll(result, found, (each, before) =>
      spaced(each.rule.resolve(each.groups, anchor) ?? before.slice(each.start, each.end), before, each),
    )
    changed += found.length
  }
  return { text: result, undated: [], changed }
}

function markUndated(text: string): AbsoluteDates {
  const found = findDates(text)
  const words = (each: FoundDate) => text.slice(each.start, each.end)
  return { text: replaceAll(text, found, (each) => words(each) + mark), undated: found.map(words), changed: 0 }
}

function replaceAll(text: string, found: readonly FoundDate[], by: (each: FoundDate, text: string) => string): string {
  const pieces = found.map((each, index) => text.slice(found[index - 1]?.end ?? 0, each.start) + by(each, text))
  return pieces.join('') + text.slice(found.at(-1)?.end ?? 0)
}

/** Relative expressions outside code, leftmost and longest first, without overlaps and without those already marked. */
export function findDates(text: string): FoundDate[] {
  const ranges = protectedRanges(text)
  const isChinese = chineseSign.test(text)
  const all = rules.flatMap(({ rule, pattern }) => {
    if ((chinese.has(rule) && !isChinese) || (rule.onlyIn && !rule.onlyIn.test(text))) return []
    return [...text.matchAll(pattern)].map((match) => ({
      start: match.index,
      end: match.index + match[0].length,
      rule,
      groups: match.groups ?? {},
    }))
  })
  const kept: FoundDate[] = []
  let end = 0
  for (const found of all.sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (found.start < end || isProtected(ranges, found.start, found.end) || !isDate(text, found)) continue
    kept.push(found)
    end = found.end
  }
  return kept
}

function isDate(text: string, { start, end, rule, groups }: FoundDate): boolean {
  if (start === end || text.startsWith(mark, end) || rule.resolve(groups, probe) === null) return false
  return !(rule.notWhenRecurring && recurring.test(sentenceAround(text, start, end)))
}

const sentenceEnd = /[.!?;](?=\s)|[。！？；\n]/g

function sentenceAround(text: string, start: number, end: number): string {
  const before = text.slice(Math.max(0, start - 300), start)
  const after = text.slice(end, end + 300)
  const last = [...before.matchAll(sentenceEnd)].at(-1)
  const next = after.search(new RegExp(sentenceEnd.source))
  return before.slice(last ? last.index + 1 : 0) + text.slice(start, end) + (next === -1 ? after : after.slice(0, next))
}

/** A date in digits stands apart from letters next to it (下周五要 becomes 2026-04-24 要). */
function spaced(resolved: string, text: string, { start, end }: FoundDate): string {
  const touches = (before: string, after: string) => /[\p{L}\p{N}]$/u.test(before) && /^[\p{L}\p{N}]/u.test(after)
  const left = touches(text.slice(0, start).slice(-1), resolved) ? ' ' : ''
  const right = /[\dA-Z]$/.test(resolved) && /^[\p{L}\p{N}]/u.test(text.slice(end)) ? ' ' : ''
  return left + resolved + right
}
