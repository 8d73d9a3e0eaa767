/** Takes from a sentence what is not part of the memory: greetings, fillers, the request to remember itself. */
import { allVetoes, phraseTable } from './compile-tables.ts'
import { splitClauses } from './split-sentences.ts'

/** Fillers stand in a row ("ok wait, no,"); more rounds than this are no fillers any more. */
const MAX_ROUNDS = 8

export function trimSentence(text: string): string {
  let rest = withoutIntro(text.trim())
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = rest
    for (const pattern of phraseTable.leading) rest = replaceUnlessAll(rest, pattern)
    for (const pattern of phraseTable.trailing) rest = replaceUnlessAll(rest, pattern)
    if (rest === before) break
  }
  return dropNoise(rest)
}

/** "Note it even though …: what to keep": the words before the colon say how, not what. A doubt that stands there stays. */
function withoutIntro(text: string): string {
  const intro = phraseTable.keepIntro.exec(text)?.[0]
  if (intro === undefined) return text
  const rest = text.slice(intro.length)
  return hedge?.pattern.test(intro) && !hedge.pattern.test(rest) ? text : rest
}

const hedge = allVetoes.find(({ id }) => id === 'hedge')

function replaceUnlessAll(text: string, pattern: RegExp): string {
  const replaced = text.replace(pattern, '').trim()
  return /[\p{L}\p{N}]/u.test(replaced) ? replaced : text
}

function dropNoise(text: string): string {
  const clauses = splitClauses(text)
  const kept = clauses.filter(
    (clause) => !phraseTable.noiseClause.some((noise) => noise.test(clause.replace(/[，,；;\s]+$/u, ''))),
  )
  return kept.length === clauses.length || kept.length === 0 ? text : kept.join('').trim()
}
