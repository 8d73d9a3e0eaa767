/** Injected effects that make results repeatable. */

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
}

export interface IdSource {
  /** A ULID, monotonic within the process. */
  next(): string
}

/** UTC ISO 8601 without milliseconds, as stored in notes: `2026-11-29T20:24:00Z`. */
export function isoSeconds(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`
}
