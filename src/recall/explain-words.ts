/** Which words of the question a text holds, as the person wrote them. */
import type { FoundWord } from '../domain/index.ts'
import { foldText, isSingle, piecesOf } from '../store/search-index/analyse.ts'
import type { JudgedTerm } from '../store/search-index/search-index.ts'

/** Words that are named; the question itself is bounded too. */
const MAX_WORDS = 40

export function explainWords(
  question: string,
  terms: readonly JudgedTerm[],
): { found: FoundWord[]; missing: string[] } {
  const written = writtenWords(question)
  const word = ({ kind, text }: JudgedTerm) => {
    const own = text.split(' ').map((stem) => written.get(stem) ?? stem)
    if (kind === 'phrase') return `"${own.join(' ')}"`
    return kind === 'prefix' && !isSingle(text) ? `${text}*` : own.join(' ')
  }
  const found = joinGrams(
    terms.filter(({ points }) => points > 0),
    ({ points, isInHead, isAlias }) => ({ points, where: isInHead ? 'title' : 'text', alias: isAlias }),
    word,
  )
  const said = new Set(terms.flatMap(({ points, group }) => (points > 0 && group !== null ? [group] : [])))
  const held = new Set(terms.flatMap(({ kind, points, text }) => (kind === 'gram' && points > 0 ? [...text] : [])))
  const missing = joinGrams(
    terms.filter((term) => term.points === 0 && term.isAsked && !(term.group !== null && said.has(term.group))),
    () => ({ points: 0, where: 'text', alias: false }),
    word,
  )
  return {
    found: found.sort((one, other) => other.points - one.points).slice(0, MAX_WORDS),
    missing: missing
      .map((each) => each.word)
      // A seam between two words that were found is no word.
      .filter((each) => ![...each].every((character) => held.has(character)))
      .slice(0, MAX_WORDS),
  }
}

/** Stems and how the question writes them. */
function writtenWords(question: string): Map<string, string> {
  const written = new Map<string, string>()
  for (const piece of piecesOf(foldText(question))) {
    if (piece.kind !== 'word') continue
    for (const [at, stem] of piece.stems.entries()) written.set(stem, piece.parts[at] ?? stem)
    if (piece.joined !== null) written.set(piece.joined, piece.parts.join(''))
  }
  return written
}

/** Bigrams that follow each other are one word again: 单元, 元测, 测试 is 单元测试. */
function joinGrams(
  terms: readonly JudgedTerm[],
  facts: (term: JudgedTerm) => Omit<FoundWord, 'word'>,
  word: (term: JudgedTerm) => string,
): FoundWord[] {
  const words: FoundWord[] = []
  let isRun = false
  for (const term of terms) {
    const now: FoundWord = { word: word(term), ...facts(term) }
    const last = words.at(-1)
    const [first = '', ...rest] = [...now.word]
    const isGram = term.kind === 'gram'
    if (isRun && isGram && last?.where === now.where && last.alias === now.alias && last.word.endsWith(first))
      words[words.length - 1] = { ...last, word: last.word + rest.join(''), points: last.points + now.points }
    else words.push(now)
    isRun = isGram
  }
  return words
}
