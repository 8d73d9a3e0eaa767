/**
 * A note as sentences, clauses and tokens, the way two notes are compared: what is said, whether it is denied, and what
 * bounds it. Pure. Structure of Markdown (marks, headings, labels like "Why:") is no part of what is said.
 */
import { foldText } from '../../store/search-index/analyse.ts'
import type { Lexicon, Phrase } from './lexicon.ts'
import { stemOf } from './lexicon.ts'
import { findQuantities, type Quantity } from './quantities.ts'
import { lightWords, type Mark, markPatterns, negators, weakWords } from './word-tables.ts'

export interface Token {
  readonly kind: 'value' | 'name' | 'word' | 'run'
  /** As it is compared: a stem, a name in lower case, the characters of a run. */
  readonly text: string
  readonly meanings: readonly number[]
  readonly quantity?: Quantity
  /** A capital in the middle of a sentence, or an identifier. */
  readonly isName: boolean
  /** Words of one family exclude each other. */
  readonly family?: number
  /** The small word before it that says its part: from, to, over, 先. */
  readonly role?: string
  /** Somebody or something of it: `Ottilie's`. */
  readonly owns?: boolean
  /** Says nothing that the rest does not say. */
  readonly isLight: boolean
  /** Stems of the words in a name: `Greenhouse/Sensors` has two. */
  readonly parts?: readonly string[]
  /** Says only what sort of thing is meant. */
  readonly isWeak: boolean
}

export interface Clause {
  readonly tokens: readonly Token[]
  readonly marks: readonly Mark[]
  readonly isDenied: boolean
  readonly text: string
}

export interface Sentence {
  readonly clauses: readonly Clause[]
  /** Folded and in lower case. */
  readonly text: string
}

export function sentencesOf(text: string, lexicon: Lexicon): Sentence[] {
  return splitSentences(plainText(text)).map((sentence) => ({
    text: sentence.toLowerCase(),
    clauses: splitClauses(sentence).map((clause) => clauseOf(clause, lexicon)),
  }))
}

/** Without marks of Markdown and without the labels of a note's parts. */
function plainText(text: string): string {
  return foldText(text)
    .replace(/^\s{0,3}(?:#{1,6}|[-*+]|>|\d{1,2}[.)])\s+/gmu, '')
    .replace(/\*\*([^*\n]+)\*\*|__([^_\n]+)__/gu, '$1$2')
    .replace(/^(?:Why|How to apply|原因|为什么|怎么用)\s*[:：]\s*/gimu, '')
    .replace(/[`"“”„«»「」『』《》【】]/gu, ' ')
}

/** A full stop inside a number, a file name or an abbreviation ends nothing. */
function splitSentences(text: string): string[] {
  return text
    .split(/(?<=[.!?])(?<!\b(?:e\.g|i\.e|vs|no|a\.m|p\.m|etc)\.)\s+|[。！？!?;；\n]+/iu)
    .map((sentence) => sentence.trim().replace(/[.]+$/u, ''))
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
}

/** What follows "not", "instead of" or 而不是 is denied by itself. */
const contrast =
  /,|，|:\s|：|\s[-–—]\s|——|[()（）]|\bbut\b|但是|但|(?=\b(?:instead of|rather than|as opposed to)\b)|(?=而不是|而非)|(?<=\p{L}\s)(?<!\b(?:do|does|did|is|are|was|were|be|must|should|shall|can|could|will|would|may|might|has|have|had|that|and|or|if|please|we|i|you|they|he|she|it|why|when|user)\s)(?=not\s)/giu

function splitClauses(sentence: string): string[] {
  return sentence
    .replace(/(?<=\d),(?=\d{3}\b)/gu, '')
    .replace(/(?<=\b[a-z]+ \d{1,2}),(?= (?:19|20)\d{2})/giu, '')
    .split(contrast)
    .flatMap((clause = '') =>
      /^(?:instead of|rather than|as opposed to)\b/iu.test(clause)
        ? clause.split(/(?=\b(?:to|for|when|in|on|during|while)\s)/iu)
        : [clause],
    )
    .map((clause) => clause.trim())
    .filter((clause) => /[\p{L}\p{N}]/u.test(clause))
}

function clauseOf(written: string, lexicon: Lexicon): Clause {
  const text = unfussed(written)
  const lower = text.toLowerCase()
  const { marks, text: bare } = marksOf(lower)
  return { ...turnTime(tokensOf(text, bare, lexicon), lexicon), marks, text: lower }
}

/** "Do not forget to" asks for the thing; "no matter" denies nothing. */
function unfussed(text: string): string {
  return text
    .replace(
      /\b(?:do not|don't|never) forget (?:to|that)?|\bno matter\b|\bnot only\b|\bwithout (?:fail|exception)\b/giu,
      ' ',
    )
    .replace(
      /\b(?:from now on|going forward|in (?:the )?future|henceforth|from here on)\b|^(?:以后|今后|往后|从今往后|从今以后|从现在起|从今天起)/giu,
      (match) => ' '.repeat(match.length),
    )
    .replace(/(?:不要|别|勿|不能)忘记?了?|不管|没变|没有变|没动/gu, (match) => ' '.repeat(match.length))
    .replace(/\binstead of\b|\brather than\b|\bas opposed to\b/giu, 'not')
    .replace(/而不是|而非/gu, '不用')
}

function marksOf(lower: string): { readonly marks: readonly Mark[]; readonly text: string } {
  const marks: Mark[] = []
  let text = lower
  for (const [mark, pattern] of markPatterns)
    text = text.replace(pattern, (match) => {
      marks.push(mark)
      return ' '.repeat(match.length)
    })
  return { marks, text }
}

interface Found {
  readonly tokens: readonly Token[]
  readonly negations: number
}

/** `written` keeps capitals; `lower` is as long, with the words of marks blanked. */
function tokensOf(written: string, lower: string, lexicon: Lexicon): Found {
  const tokens: Token[] = []
  let negations = 0
  let at = 0
  const take = (end: number) => {
    const found = wordsOf(written.slice(at, end), lower.slice(at, end), { lexicon, isStart: at === 0 })
    tokens.push(...found.tokens)
    negations += found.negations
  }
  for (const quantity of findQuantities(lower)) {
    take(quantity.start)
    const text = `${quantity.kind} ${quantity.value}`
    tokens.push({ kind: 'value', text, meanings: [], quantity, isName: false, isLight: false, isWeak: false })
    at = quantity.end
  }
  take(lower.length)
  return { tokens, negations }
}

const HAN = '\\u3400-\\u9fff'
const pieces = new RegExp(`[${HAN}]+|[\\p{L}\\p{N}_][\\p{L}\\p{N}_'’]*(?:[._/@:#+-]+[\\p{L}\\p{N}_]+)*[+#]*`, 'gu')

function wordsOf(
  written: string,
  lower: string,
  { lexicon, isStart }: { readonly lexicon: Lexicon; readonly isStart: boolean },
): Found {
  const tokens: Token[] = []
  let negations = 0
  let english: EnglishWord[] = []
  const flush = () => {
    const found = englishTokens(english, lexicon)
    tokens.push(...found.tokens)
    negations += found.negations
    english = []
  }
  for (const { 0: piece, index } of lower.matchAll(pieces)) {
    if (/^[\u3400-\u9fff]/u.test(piece)) {
      flush()
      const found = chineseTokens([...piece], lexicon)
      tokens.push(...found.tokens)
      negations += found.negations
    } else {
      const original = written.slice(index, index + piece.length)
      english.push(...englishWords(original, { isFirst: isStart && english.length === 0 && tokens.length === 0 }))
    }
  }
  flush()
  return { tokens, negations }
}

interface EnglishWord {
  readonly word: string
  readonly isName: boolean
  readonly owns?: boolean
}

/** An identifier stays one name; a hyphenated or possessive word is its parts. */
function englishWords(original: string, { isFirst }: { readonly isFirst: boolean }): EnglishWord[] {
  const bare = original.replace(/['’]s$/u, '')
  const word = bare.toLowerCase()
  const isCode = /[_/@:#+.]|\d/.test(bare) || /\p{Ll}\p{Lu}/u.test(bare)
  if (isCode) return [{ word, isName: true }]
  if (bare.includes('-')) return bare.split(/-+/).map((part) => ({ word: part.toLowerCase(), isName: false }))
  const isName = /^\p{Lu}/u.test(bare) && (!isFirst || bare !== original)
  return [{ word: word.replace(/['’]/gu, ''), isName, owns: bare !== original }]
}

function englishTokens(words: readonly EnglishWord[], lexicon: Lexicon): Found {
  const stems = words.map(({ word }) => stemOf(word))
  const tokens: Token[] = []
  let role: string | undefined
  let negations = 0
  for (let at = 0; at < words.length; at++) {
    const { word = '', isName = false, owns } = words[at] ?? {}
    const phrase = lexicon.phraseAt(stems, at)
    if (negators.has(word) && (phrase?.length ?? 1) === 1) {
      negations++
      continue
    }
    const length = phrase?.length ?? 1
    const text = stems.slice(at, at + length).join(' ')
    const isLight = length === 1 && lightWords.has(word)
    const kind = isName && !phrase ? 'name' : 'word'
    const parts =
      kind === 'name'
        ? word
            .split(/[^\p{L}\p{N}]+/u)
            .filter(Boolean)
            .map(stemOf)
        : []
    tokens.push({
      kind,
      text,
      isName,
      owns,
      family: familyOf(phrase, lexicon),
      role: isLight ? undefined : role,
      parts: parts.length > 1 ? parts : undefined,
      meanings: phrase?.meanings ?? [],
      isLight,
      isWeak: length === 1 && weakWords.has(word),
    })
    if (!isLight || englishRoles.has(word)) role = englishRoles.has(word) ? word : undefined
    at += length - 1
  }
  return { tokens, negations }
}

function familyOf(phrase: Phrase | null, lexicon: Lexicon): number | undefined {
  return phrase?.meanings.map((meaning) => lexicon.familyOf(meaning)).find((family) => family !== undefined)
}

const englishRoles: ReadonlySet<string> = new Set(['from', 'to', 'into', 'over', 'than', 'by', 'before', 'after'])

const chineseRoles: Readonly<Record<string, string>> = {
  从: 'from',
  到: 'to',
  给: 'to',
  向: 'to',
  往: 'to',
  由: 'by',
  被: 'by',
  比: 'than',
  先: 'first',
  再: 'next',
  然后: 'next',
}

/** First … then … holds for the whole clause. */
const lastingRoles: ReadonlySet<string | undefined> = new Set(['first', 'next'])

function chineseTokens(characters: readonly string[], lexicon: Lexicon): Found {
  const tokens: Token[] = []
  let negations = 0
  let unknown = ''
  let role: string | undefined
  const flush = () => {
    if (unknown !== '')
      tokens.push({
        kind: 'run',
        text: unknown,
        meanings: [],
        isName: false,
        isLight: false,
        isWeak: weakWords.has(unknown),
        role,
      })
    if (unknown !== '' && !lastingRoles.has(role)) role = undefined
    unknown = ''
  }
  for (let at = 0; at < characters.length; at++) {
    const known = lexicon.chineseAt(characters, at)
    if (!known) {
      unknown += characters[at] ?? ''
      continue
    }
    const text = characters.slice(at, at + known.length).join('')
    // One character inside an unknown word is seldom the word that it is alone.
    if (known.length === 1 && known.role === 'word' && isInside(characters, at, unknown, lexicon)) {
      unknown += text
      continue
    }
    flush()
    if (known.role === 'negates') negations++
    else {
      const isLight = known.role === 'light'
      tokens.push({
        kind: 'word',
        text,
        meanings: known.meanings,
        isName: false,
        family: familyOf(known, lexicon),
        isLight,
        isWeak: weakWords.has(text),
        role: isLight ? undefined : role,
      })
      role = chineseRoles[text] ?? (isLight || lastingRoles.has(role) ? role : chineseRoles[text.at(-1) ?? ''])
    }
    at += known.length - 1
  }
  flush()
  return { tokens, negations }
}

function isInside(characters: readonly string[], at: number, unknown: string, lexicon: Lexicon): boolean {
  return unknown !== '' || (at + 1 < characters.length && lexicon.chineseAt(characters, at + 1) === null)
}

const afterWords = /^(?:after|follow|后|之后|以后)$/
const beforeWords = /^(?:befor|until|till|prior to|ahead of|前|之前|以前)$/

/** A negation with a bound in time asks for the other side of it: not after noon is before noon. Two negations ask for the thing. */
function turnTime({ tokens, negations }: Found, lexicon: Lexicon): Pick<Clause, 'tokens' | 'isDenied'> {
  const bounds = tokens.filter(({ text }) => afterWords.test(text) || beforeWords.test(text))
  const [bound] = bounds
  if (negations !== 1 || !bound || bounds.length > 1) return { tokens, isDenied: negations % 2 === 1 }
  const text = stemOf(afterWords.test(bound.text) ? 'before' : 'after')
  const turned = { ...bound, text, meanings: lexicon.phraseAt([text], 0)?.meanings ?? [] }
  return { tokens: tokens.map((token) => (token === bound ? turned : token)), isDenied: false }
}
