/** How much of a note a new version may drop without saying what goes (spec W1, By paragraph). */
import { codePoints } from '../util/index.ts'

/** Shorter notes hold one point, and a new version of it may well be shorter. */
const LONG_BODY_CHARACTERS = 600
const MAX_LOSS = 0.2

export function losesTooMuch(before: string, after: string): boolean {
  const characters = codePoints(before.trim())
  return characters >= LONG_BODY_CHARACTERS && codePoints(after.trim()) < characters * (1 - MAX_LOSS)
}
