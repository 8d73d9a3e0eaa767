/**
 * The grams of one run of characters in a question: 帮我写单元测试 asks for 写单, 单元, 元测, 测试. Grams at the edge of
 * function words weigh less, because a word may begin or end with such a character (目的). Grams of function words alone
 * find nothing, but of two rows that answer, the one that is phrased like the question stands first.
 */
import { gramsOf } from '../store/search-index/analyse.ts'
import { functionCharacters, stopPhrases } from './stop-words.ts'

/** A gram that touches a function word: half of it belongs to another word. */
const EDGE: Pull = { weight: 0.5, emphasis: 0.5 }
const FUNCTION_WORD: Pull = { weight: 0.25, emphasis: 0 }
const CONTENT: Pull = { weight: 1, emphasis: 1 }
/** A single character that stands alone between function words. */
const SINGLE: Pull = { weight: 0.25, emphasis: 1 }

interface Pull {
  /** How much it counts in the score of a row. */
  readonly weight: number
  /** How much its absence counts in coverage; 0 = it only orders rows. */
  readonly emphasis: number
}

export interface RunGram extends Pull {
  readonly text: string
  /** Place of its first character in the run. */
  readonly at: number
}

/** Nothing when the run holds function words only. */
export function runGrams(characters: readonly string[]): RunGram[] {
  const content = contentOf(characters)
  if (!content.includes(true)) return []
  const [only] = characters
  if (characters.length === 1 && only !== undefined) return [{ text: only, at: 0, ...CONTENT }]
  const grams = gramsOf(characters)
    .slice(0, -1)
    .map((text, at) => ({ text, at, ...pullOf(Number(content[at]) + Number(content[at + 1])) }))
  const alone = characters.flatMap((text, at) => {
    const isAlone = content[at] && !content[at - 1] && !content[at + 1]
    return isAlone ? [{ text, at, ...SINGLE }] : []
  })
  return [...grams, ...alone]
}

function pullOf(contentCharacters: number): Pull {
  if (contentCharacters === 2) return CONTENT
  return contentCharacters === 1 ? EDGE : FUNCTION_WORD
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
