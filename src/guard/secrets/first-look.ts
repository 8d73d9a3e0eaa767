/**
 * Cheap first looks for rules whose pattern is costly to run for the first time. Each is true for every text that its
 * rule finds something in; a look that says yes too often only costs time. Linear, and without the flag `i`, which is
 * what makes a first run dear.
 */

/** Signs that a token or key consists of; the class of the rules that use `holdsKey`. */
const keyRuns = /[A-Za-z0-9_./+=~:%$!@#^*-]{8,}/g

/**
 * A run of key signs of this length with letters and digits, or with sixteen digits (what `isKeyLike` asks for), from
 * the first of the words on: the name of a key stands before it. `words` is not global.
 */
export function holdsKey(text: string, words: RegExp, minLength: number): boolean {
  const from = text.search(words)
  if (from === -1) return false
  for (const [run] of text.slice(from).matchAll(keyRuns)) {
    if (run.length < minLength || !/\d/.test(run)) continue
    if (/[A-Za-z]/.test(run) || /\d{16}/.test(run)) return true
  }
  return false
}

/** A quote right before a value without spaces. */
export const holdsQuotedValue = (text: string): boolean => /["'`][^"'`\s]{6}/.test(text)

/** `://user:password@host`, with the longest of each. */
export const holdsAddressWithUser = (text: string): boolean => /:\/\/\S{1,304}@/.test(text)

/** Digits, maybe in groups that one space or hyphen parts: cards have thirteen or more. */
export const holdsCardNumber = (text: string): boolean => /\d(?:[ -]?\d){12}/.test(text)

export const holdsLongNumber = (text: string): boolean => /\d{17}/.test(text)

/** Two letters and two digits, as account numbers of banks begin. */
export const holdsIbanStart = (text: string): boolean => /[A-Z]{2}\d{2} ?[A-Z0-9]{4}/.test(text)

/** `pass`, `pw` or `psw` with a sign or a word after it that states a value. */
export const statesShortPassword = (text: string): boolean =>
  /(?:[pP][wW]|[pP][aA][sS][sS]|[pP][sS][wW])["'`*_]{0,4}(?:\s{0,4}[:=：＝→-]|\s{1,4}[A-Za-z]{2,7}[\s:：])/.test(text)
