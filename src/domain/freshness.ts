/** How old a note is, in words, and the warning that an old one carries (spec I4). */
import type { Config } from './config.ts'
import type { Language } from './language.ts'
import { folderOfLayer } from './layer.ts'
import type { NoteType } from './note.ts'

const DAY_MS = 86_400_000

/** Whole calendar days (local) between two times; 0 for the same day and for times in the future. */
function daysBetween(thenMs: number, nowMs: number): number {
  const startOfDay = (ms: number) => {
    const date = new Date(ms)
    return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())
  }
  return Math.max(0, Math.round((startOfDay(nowMs) - startOfDay(thenMs)) / DAY_MS))
}

/** `today`, `yesterday`, `12 days ago`; `undated` when the time is unknown. Models are bad at date arithmetic. */
export function ageOf(updated: string | null, nowMs: number): string {
  return ageWords.en(daysSince(updated, nowMs))
}

const ageWords: Readonly<Record<Language, (days: number | null) => string>> = {
  en: (days) => (days === null ? 'undated' : days === 0 ? 'today' : days === 1 ? 'yesterday' : `${days} days ago`),
  zh: (days) => (days === null ? '日期不详' : days === 0 ? '今天' : days === 1 ? '昨天' : `${days} 天前`),
}

/** Null when nothing says. */
function daysSince(updated: string | null, nowMs: number): number | null {
  const thenMs = updated === null ? Number.NaN : Date.parse(updated)
  return Number.isNaN(thenMs) ? null : daysBetween(thenMs, nowMs)
}

export function isOfToday(updated: string | null, nowMs: number): boolean {
  return daysSince(updated, nowMs) === 0
}

export interface WarningOptions {
  /** Days from which on a note is warned about; default 1. */
  readonly fromDays?: number
  /** Default English. */
  readonly language?: Language
}

const warnings: Readonly<Record<Language, (days: number | null) => string>> = {
  en: (days) =>
    `This note ${days === null ? 'is of unknown age' : `was written ${ageWords.en(days)}`}. It records one point in time: check paths, code and state before you assert it.`,
  zh: (days) =>
    `这条笔记${days === null ? '日期不详' : `写于${days > 1 ? ' ' : ''}${ageWords.zh(days)}`}，只记下当时的情况：先核对路径、代码和现状，再下断言。`,
}

/** At most 40 tokens; null for a note that is younger than `fromDays`. An undated note is treated as old. */
export function freshnessWarning(
  updated: string | null,
  nowMs: number,
  { fromDays = 1, language = 'en' }: WarningOptions = {},
): string | null {
  const days = daysSince(updated, nowMs)
  return days !== null && days < fromDays ? null : warnings[language](days)
}

/** Days from which on a note is warned about: of its project and type, of its project, of its type, of all. */
export function warnFromDays(
  { fromDays, byType, byProject }: Config['freshness'],
  note: { readonly layer: string; readonly type: NoteType },
): number {
  const folder = folderOfLayer(note.layer)
  const own = folder !== null && Object.hasOwn(byProject, folder) ? byProject[folder] : undefined
  const ofProject = typeof own === 'number' ? own : own?.[note.type]
  return ofProject ?? byType[note.type] ?? fromDays
}
