/** How old a note is, in words, and the warning that an old one carries (spec I4). */

const DAY_MS = 86_400_000

/** Whole calendar days (local) between two times; 0 for the same day and for times in the future. */
export function daysBetween(thenMs: number, nowMs: number): number {
  const startOfDay = (ms: number) => {
    const date = new Date(ms)
    return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())
  }
  return Math.max(0, Math.round((startOfDay(nowMs) - startOfDay(thenMs)) / DAY_MS))
}

/** `today`, `yesterday`, `12 days ago`; `undated` when the time is unknown. Models are bad at date arithmetic. */
export function ageOf(updated: string | null, nowMs: number): string {
  const thenMs = updated === null ? Number.NaN : Date.parse(updated)
  if (Number.isNaN(thenMs)) return 'undated'
  const days = daysBetween(thenMs, nowMs)
  if (days === 0) return 'today'
  return days === 1 ? 'yesterday' : `${days} days ago`
}

/** At most 40 tokens; null for a note of today. An undated note is treated as old. */
export function freshnessWarning(updated: string | null, nowMs: number): string | null {
  const age = ageOf(updated, nowMs)
  if (age === 'today') return null
  const written = age === 'undated' ? 'of unknown age' : `written ${age}`
  return `This note was ${written}. It records one point in time: check paths, code and state before you assert it.`
}
