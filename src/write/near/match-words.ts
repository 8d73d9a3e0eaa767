/** Whether a place of a known note holds a word that is said: the same word, one of the same meaning, or in other spelling. */
import { saysValue } from './quantities.ts'
import type { Clause, Sentence, Token } from './sentences.ts'

/** Sentences that follow each other. */
export interface Place {
  readonly sentences: readonly Sentence[]
  readonly clauses: readonly Clause[]
  readonly text: string
}

const HAN = /[\u3400-\u9fff]/u

export function contentOf(tokens: readonly Token[]): Token[] {
  return tokens.filter((token) => !token.isLight)
}

export function holds(clause: Clause, token: Token): boolean {
  return (
    clause.tokens.some((known) => meansSame(known, token)) ||
    (token.kind === 'run' && isWithin(token.text, clause.text))
  )
}

export function isSaidBy(token: Token, said: readonly Clause[]): boolean {
  return said.some((clause) => holds(clause, token) || clause.tokens.some((other) => meansSame(token, other)))
}

export function meansSame(known: Token, said: Token): boolean {
  if (known.quantity || said.quantity)
    return known.quantity !== undefined && said.quantity !== undefined && saysValue(known.quantity, said.quantity)
  if (known.text === said.text) return true
  return known.meanings.some((meaning) => said.meanings.includes(meaning)) || isPart(known, said)
}

/** A longer term names what a shorter one does: "commit message" and "commit", 提交信息 and 提交. */
function isPart(known: Token, said: Token): boolean {
  if (known.parts?.includes(said.text)) return true
  if (known.meanings.length === 0 || said.text.length < 2) return false
  return known.text.includes(' ')
    ? known.text.split(' ').includes(said.text)
    : HAN.test(said.text) && known.text.includes(said.text)
}

/** Pieces of an unknown word stand in the known text, and single characters between them. */
function isWithin(run: string, text: string): boolean {
  const characters = [...run]
  let longest = 0
  for (let at = 0; at < characters.length; ) {
    let end = characters.length
    while (end > at && !text.includes(characters.slice(at, end).join(''))) end--
    if (end === at) return false
    longest = Math.max(longest, end - at)
    at = end
  }
  return longest > 1 || characters.length === 1
}

/** Written together here and apart there: `timeout` and `time out`, 用户资料 and 资料. */
export function isSpelledBy(token: Token, known: readonly Token[], place: Place): boolean {
  if (token.quantity) return false
  if (HAN.test(token.text)) return isWithin(token.text, place.text)
  const bare = token.text.replaceAll(' ', '')
  return known.some(
    (one, at) =>
      one.text.replaceAll(' ', '') === bare || one.text.replaceAll(' ', '') + (known[at + 1]?.text ?? '') === bare,
  )
}
