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

/** The time that an id of ours carries, in milliseconds; null for what is no such id. */
export function ulidMs(id: string): number | null {
  if (!isUlid(id)) return null
  return [...id.toUpperCase().slice(0, TIME_SIGNS)].reduce(
    (ms, sign) => ms * ALPHABET.length + ALPHABET.indexOf(sign),
    0,
  )
}

/** Crockford base 32; the first signs are the time. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const TIME_SIGNS = 10
