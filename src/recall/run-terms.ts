/**
 * The grams of one run of characters in a question: 帮我写单元测试 asks for 写单, 单元, 元测, 测试. Grams of function
 * words are left out, grams at their edge weigh little, because a word may begin or end with such a character (目的).
 */
import { gramsOf } from '../store/search-index/analyse.ts'
import { functionCharacters, stopPhrases } from './stop-words.ts'

/** A gram that touches a function word: half of it belongs to another word. */
const EDGE_WEIGHT = 0.25
/** A single character that stands alone between function words. */
const SINGLE_WEIGHT = 0.25

export interface RunGram {
  readonly text: string
  readonly weight: number
  /** Place of its first character in the run. */
  readonly at: number
}

export function runGrams(characters: readonly string[]): RunGram[] {
  const content = contentOf(characters)
  const [only] = characters
  if (characters.length === 1 && only !== undefined) return content[0] ? [{ text: only, weight: 1, at: 0 }] : []
  const grams = gramsOf(characters)
    .slice(0, -1)
    .flatMap((text, at) => {
      const known = Number(content[at]) + Number(content[at + 1])
      return known === 0 ? [] : [{ text, weight: known === 2 ? 1 : EDGE_WEIGHT, at }]
    })
  const alone = characters.flatMap((text, at) => {
    const isAlone = content[at] && !content[at - 1] && !content[at + 1]
    return isAlone ? [{ text, weight: SINGLE_WEIGHT, at }] : []
  })
  return [...grams, ...alone]
}

/** For each character whether it belongs to a word that says something. */
function contentOf(characters: readonly string[]): boolean[] {
  const content = characters.map((character) => !functionCharacters.has(character))
  for (let at = 0; at < characters.length; at++) {
    const rest = characters.slice(at, at + 8).join('')
    const phrase = stopPhrases.find((each) => rest.startsWith(each))
    if (phrase === undefined) continue
    const size = [...phrase].length
    content.fill(false, at, at + size)
    at += size - 1
  }
  return content
}
