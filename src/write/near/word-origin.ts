/** Whose words a text is made of, sentence by sentence, in either language: those of its proof, other words of the user, or somebody else's. */
import { createLexicon, type Lexicon } from './lexicon.ts'
import { contentOf, isSaidBy } from './match-words.ts'
import { type Clause, sentencesOf } from './sentences.ts'

export interface Said {
  /** Messages of the user that are to prove the text. */
  readonly proof: readonly string[]
  /** All messages of the user. */
  readonly user: readonly string[]
  /** What tools, files, the assistant and the system said. */
  readonly others: readonly string[]
}

/** Words with a content of their own. What nobody said, and what the user said elsewhere, is in neither count. */
export interface SentenceOrigin {
  readonly fromProof: number
  /** Said by others, and by the user nowhere. */
  readonly fromOthers: number
}

export type OriginJudge = (text: string, said: Said) => readonly SentenceOrigin[]

/** The tables are read when the first text is judged. */
export function createOriginJudge(): OriginJudge {
  let lexicon: Lexicon | null = null
  return (text, said) => {
    lexicon ??= createLexicon()
    const tables = lexicon
    const clausesOf = (texts: readonly string[]): Clause[] =>
      texts.flatMap((each) => sentencesOf(each, tables).flatMap(({ clauses }) => clauses))
    const [proof, user, others] = [clausesOf(said.proof), clausesOf(said.user), clausesOf(said.others)]
    return sentencesOf(text, tables).map(({ clauses }) => {
      const words = clauses.flatMap(({ tokens }) => contentOf(tokens))
      const unproven = words.filter((word) => !isSaidBy(word, proof))
      const foreign = unproven.filter((word) => !isSaidBy(word, user) && isSaidBy(word, others))
      return { fromProof: words.length - unproven.length, fromOthers: foreign.length }
    })
  }
}
