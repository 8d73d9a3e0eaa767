/** From words to what they mean: the longest entry of the tables that begins here, in English stems or Chinese characters. */
import { synonyms } from '../../store/search-index/alias-pairs.ts'
import { porterStem } from '../../store/search-index/porter-stem.ts'
import { meanings } from './meanings.ts'
import { baseForms, chineseLight, chineseNegators, chineseNotNegating, families, weakWords } from './word-tables.ts'

export interface Phrase {
  /** How many words, or characters, it takes. */
  readonly length: number
  readonly meanings: readonly number[]
}

export interface Lexicon {
  /** The longest known phrase of these stems from `at`, or null. */
  phraseAt(stems: readonly string[], at: number): Phrase | null
  /** The longest known Chinese word from `at`, with what it does to a sentence. */
  chineseAt(characters: readonly string[], at: number): (Phrase & { readonly role: ChineseRole }) | null
  /** Meanings of one family exclude each other. */
  familyOf(meaning: number): number | undefined
}

export type ChineseRole = 'word' | 'light' | 'negates'

const HAN = /[\u3400-\u9fff]/
const MAX_CHINESE_WORD = 7

/** British spellings and irregular forms come to one stem. */
export function stemOf(word: string): string {
  const base = baseForms.get(word) ?? word
  return porterStem(
    base
      .replace(/(?<=[a-z]{5})able$/, '')
      .replace(/is(e[ds]?|ing|ation)$/, 'iz$1')
      .replace(/([a-z]{2})our(s|ed|ing|ite)?$/, '$1or$2'),
  )
}

/** Costs a few milliseconds: made when first needed, and kept by whoever asks. */
export function createLexicon(): Lexicon {
  const table = [...meanings, ...synonyms]
  const english = new Map<string, { stems: readonly string[]; meaning: number }[]>()
  const chinese = new Map<string, Set<number>>()
  for (const [meaning, words] of table.entries())
    for (const word of words) {
      if (HAN.test(word)) chinese.set(word, (chinese.get(word) ?? new Set()).add(meaning))
      else {
        const stems = word.split(/[ _-]/).map(stemOf)
        const first = stems[0] ?? ''
        english.set(first, [...(english.get(first) ?? []), { stems, meaning }])
      }
    }
  const roles = new Map<string, ChineseRole>([
    ...[...weakWords].filter((word) => HAN.test(word)).map((word) => [word, 'word'] as const),
    ...chineseLight.map((word) => [word, 'light'] as const),
    ...chineseNotNegating.map((word) => [word, 'word'] as const),
    ...chineseNegators.map((word) => [word, 'negates'] as const),
  ])
  const phraseAt: Lexicon['phraseAt'] = (stems, at) => {
    const here = (english.get(stems[at] ?? '') ?? []).filter((phrase) =>
      phrase.stems.every((stem, step) => stems[at + step] === stem),
    )
    const length = Math.max(0, ...here.map((phrase) => phrase.stems.length))
    if (length === 0) return null
    return { length, meanings: here.filter((phrase) => phrase.stems.length === length).map(({ meaning }) => meaning) }
  }
  const familyByMeaning = new Map(
    families.flatMap((words, family) =>
      words.flatMap((word) =>
        (phraseAt(word.split(' ').map(stemOf), 0)?.meanings ?? []).map((meaning) => [meaning, family] as const),
      ),
    ),
  )
  return {
    phraseAt,
    familyOf: (meaning) => familyByMeaning.get(meaning),
    chineseAt(characters, at) {
      for (let length = Math.min(MAX_CHINESE_WORD, characters.length - at); length > 0; length--) {
        const word = characters.slice(at, at + length).join('')
        const role = roles.get(word)
        const known = chinese.get(word)
        if (role === 'light' || role === 'negates') return { length, meanings: [...(known ?? [])], role }
        if (known || role === 'word') return { length, meanings: [...(known ?? [])], role: 'word' }
      }
      return null
    },
  }
}
