/**
 * What a note claims, so that two notes can be seen to contradict each other: a claim has a key (the same thing and the
 * same attribute) and a value. Precision first: only what has the same words but for one number, one "not", or the value
 * of an attribute that has one value at a time. Two attributes, two services or two conditions have two keys.
 */
import { attributeClaims } from './attributes.ts'
import { clausesOf, sentencesOf, type Token, tokensOf, weightOf, wordKey } from './statement.ts'

export interface Claim {
  readonly kind: 'value' | 'number' | 'polarity'
  /** Equal for the same attribute of the same thing. */
  readonly key: string
  readonly value: string
  /** The words it stands in. */
  readonly quote: string
}

/** Words beside the value that a claim needs, so that it is about something. */
const LEAST_WEIGHT = 2
/** Tokens behind a number: its unit. What is longer goes on about something else. */
const MAX_UNIT_TOKENS = 3

export function claimsOf(text: string): Claim[] {
  const claims = sentencesOf(text).flatMap((sentence) => [
    ...attributeClaims(sentence),
    ...polarityClaims(sentence),
    ...clausesOf(sentence).flatMap(numberClaims),
  ])
  const seen = new Set<string>()
  return claims.filter(({ key, value }) => {
    const isNew = !seen.has(`${key}\n${value}`)
    seen.add(`${key}\n${value}`)
    return isNew
  })
}

function polarityClaims(sentence: string): Claim[] {
  const tokens = tokensOf(sentence)
  if (weightOf(tokens) < LEAST_WEIGHT) return []
  const negations = tokens.filter(({ kind }) => kind === 'not').length
  const key = `polarity ${wordKey(tokens)}`
  return [{ kind: 'polarity', key, value: negations % 2 === 0 ? 'yes' : 'no', quote: sentence }]
}

/** Says which thing a number is of rather than how much: "server 2", 3 号线, 第 2 章. */
const identifierAfter = /^(?:号|班|组|期|楼|层|册|章|节|届|轮|年级|区|单元|房)/u

function numberClaims(clause: string): Claim[] {
  const tokens = tokensOf(clause)
  return tokens.flatMap((token, at): Claim[] => {
    if (token.kind !== 'value' || !isPredicated(clause, token.text, tokens, at)) return []
    const others = tokens.filter((_, other) => other !== at)
    if (weightOf(others) < LEAST_WEIGHT) return []
    const polarity = others.some(({ kind }) => kind === 'not') ? 'not ' : ''
    return [{ kind: 'number', key: `number ${polarity}${wordKey(others)}`, value: token.text, quote: clause.trim() }]
  })
}

/** What a number that is a value stands behind, in English; a number behind a noun alone is its name. */
const predicating =
  /\b(?:is|are|was|were|be|at|to|for|until|till|by|after|before|than|under|over|every|limit|limited|allows?|accepts?|writes?|keeps?|uses?|runs?|port|has|have|takes?|costs?|ends?|starts?|on|in|up|most|least|about|from|within|of|every|per|=)\s*$|[=:]\s*$/i

/** How much or how long, with no need of a word before it. */
const unit =
  /^\s*(?:times|ms|s|seconds?|minutes?|hours?|days?|weeks?|months?|years?|percent|[kmgt]i?b|bytes|euros?|dollars?|columns?|rows?|lines?|requests?)\b|^\s*[%€$]/i

function isPredicated(clause: string, value: string, tokens: readonly Token[], at: number): boolean {
  const after = tokens.slice(at + 1)
  if (after.length > MAX_UNIT_TOKENS || after.some(({ kind }) => kind !== 'word')) return false
  const [head = '', tail = ''] = splitAt(clause, value)
  if (identifierAfter.test(tail.trimStart()) || /第\s*$/u.test(head)) return false
  if (/\b(?:is|are|was|were|=)\b|[是为在用由]/iu.test(tail)) return false
  // Chinese puts the verb before the number without a sign of it.
  if (/\p{Script=Han}\s*$/u.test(head) || /\p{Script=Han}/u.test(tail.slice(0, 4))) return true
  if (unit.test(tail)) return true
  return predicating.test(head) && /\S\s+\S/.test(head.trim())
}

function splitAt(clause: string, value: string): [string, string] {
  const digits = /\d+/.exec(value)?.[0] ?? value
  const at = clause.lastIndexOf(digits)
  if (at < 0) return [clause, '']
  const end = /^[\d.,:/-]*/.exec(clause.slice(at))?.[0].length ?? 0
  return [clause.slice(0, at).replace(/v$/i, ''), clause.slice(at + end)]
}
