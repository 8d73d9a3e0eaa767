import { monotonicFactory } from 'ulid'
import type { Clock, IdSource } from '../domain/index.ts'

/** ULIDs that grow within this process, timed by the given clock. */
export function createIdSource(clock: Clock): IdSource {
  // Made when first asked: it loads a source of randomness, and a hook seldom needs an id.
  let next: ReturnType<typeof monotonicFactory> | null = null
  return {
    next() {
      next ??= monotonicFactory()
      return next(clock.now())
    },
  }
}

export const systemClock: Clock = { now: () => Date.now() }

/** 26 characters of Crockford base 32. */
export function isUlid(text: string): boolean {
  return /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i.test(text)
}
