/** The text of a note with everything blanked that looks like an anchor and is none: places keep their numbers. */

/** Longest body that is searched: what a turn block can show of a note, and more. */
const MAX_SEARCHED_LENGTH = 6_000
/** What is longer and has no blank in it is data; patterns that go back and forth in it would cost time. */
const longWords = /[\w./\\:@+~=-]{256,}/g

const urls = /\b(?:[a-z][a-z0-9+.-]*:\/\/|www\.|mailto:)[^\s<>"'`)\]}，。；）】」]+/gi
const emails = /[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\b/gi
const sshAddresses = /\b[\w.-]+@[\w.-]+:[\w./~-]+/g
/** 2026-03-01, 2026/03/01, 01/03/2026, 1.3.2026, with a time behind it or not. */
const dates =
  /(?<![\w/.-])(?:\d{4}([-/.])\d{1,2}\1\d{1,2}(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?|\d{1,2}([/.])\d{1,2}\2(?:19|20)\d{2}|\d{4}-\d{2})(?![\w/-]|\.\w)/g
const times = /(?<![\w:.])\d{1,2}:\d{2}(?::\d{2})?(?![\w:])(?:\s?[ap]m\b)?/gi

export function proseOf(body: string): string {
  const text = body.slice(0, MAX_SEARCHED_LENGTH)
  return [longWords, urls, emails, sshAddresses, dates, times].reduce(
    (left, pattern) => left.replace(pattern, blank),
    text,
  )
}

export function blank(found: string): string {
  return ' '.repeat(found.length)
}

export interface Span {
  /** Without the ticks. */
  readonly text: string
  /** Where the text begins. */
  readonly at: number
}

/** What stands between ticks, on one line. */
export function tickedSpans(prose: string): Span[] {
  return [...prose.matchAll(/(?<!`)`([^`\n]{1,300})`(?!`)/g)].map((match) => ({
    text: match[1] ?? '',
    at: match.index + 1,
  }))
}
