/**
 * Sentences of a note as they are compared: which words say what it is about, which say what holds. Words that only join
 * ("the", 的), that say when it was said ("now", 以后) or that change something ("moved", 改成) do not count, so that an old
 * and a new statement of one thing look the same but for what changed.
 */
import { foldText } from '../../store/search-index/analyse.ts'
import { porterStem } from '../../store/search-index/porter-stem.ts'

/** Sentences of one note and UTF-16 units of one sentence that are looked at. */
const MAX_SENTENCES = 12
const MAX_SENTENCE_LENGTH = 300

export type Token =
  | { readonly kind: 'word'; readonly text: string }
  /** A number, date, time, version: what is compared as a value. */
  | { readonly kind: 'value'; readonly text: string }
  | { readonly kind: 'not' }

const joining = new Set(
  `the a an our my your its their this that these those of and is are was were be been being has have had do does did
   now currently still already just please then also from on always should must may can will it there so far`.split(
    /\s+/,
  ),
)
const negations = new Set(
  `not never no cannot dont doesnt didnt isnt arent wasnt cant wont shouldnt mustnt without`.split(/\s+/),
)
/** Written together with what follows, so they are looked for before a text is cut into words. */
const chineseNegation =
  /不(?:可以|应该|要|用|再|许|可|能|得|准|必|是|该)|[别勿](?=\p{Script=Han})(?<!特别|分别|类别|区别|级别|性别)|禁止|严禁|没有|无需|(?<=\p{Script=Han})不(?=\p{Script=Han})/gu
const chineseChange =
  /(?:改|换|调|变|推迟|提前|改放|改存)(?:成|为|到)了?|改(?=[用由在])|从今[后年]起?|以后|现在|目前|必须|可以|应该?/gu
/** Left out of Chinese words wherever they stand. */
const particles = new Set('的了是为已起从再还也都要须会得就能一律统到在')

const months =
  'january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec'
const valuePattern = new RegExp(
  [
    String.raw`\d{1,4}\s*年(?:\s*\d{1,2}\s*月(?:\s*\d{1,2}\s*[日号])?)?`,
    String.raw`\d{1,2}\s*月\s*\d{1,2}\s*[日号]`,
    String.raw`\b\d{1,2}(?:st|nd|rd|th)?\s+(?:${months})\b(?:\s+\d{4})?`,
    String.raw`\b(?:${months})\s+\d{1,2}(?:st|nd|rd|th)?\b(?:,?\s+\d{4})?`,
    String.raw`(?<![\p{L}\d])v?\d+(?:[.,:/-]\d+)*`,
  ].join('|'),
  'giu',
)

/** Without the reasons and the ways to apply, which speak of other things. */
export function sentencesOf(text: string): string[] {
  const told = text.split(/\*\*(?:Why|How to apply)\b/i)[0] ?? ''
  return told
    .split(/(?<=[。！？!?；;])|(?<=\.)\s|\n/u)
    .map((sentence) => sentence.replace(/[*_`#>]+|^[\s-]+|[.。！!；;\s]+$/gu, ' ').trim())
    .filter((sentence) => sentence !== '' && sentence.length <= MAX_SENTENCE_LENGTH && !/[?？]$/.test(sentence))
    .slice(0, MAX_SENTENCES)
}

/** Parts of a sentence that hold by themselves. */
export function clausesOf(sentence: string): string[] {
  return sentence.split(/[，、：]|,\s|:\s/u).filter((clause) => clause.trim() !== '')
}

export function tokensOf(text: string): Token[] {
  const folded = foldText(text).toLowerCase().replaceAll("n't", 'nt')
  const tokens: Token[] = []
  let at = 0
  for (const { 0: value, index } of folded.matchAll(valuePattern)) {
    tokens.push(...wordsOf(folded.slice(at, index)), { kind: 'value', text: value.replace(/[\s,]+/g, '') })
    at = index + value.length
  }
  return [...tokens, ...wordsOf(folded.slice(at))]
}

const NOT = '\u0000'
const segmenter = new Intl.Segmenter('zh', { granularity: 'word' })

function wordsOf(text: string): Token[] {
  const hasHan = /\p{Script=Han}/u.test(text)
  const parts = hasHan
    ? [...segmenter.segment(text.replace(chineseNegation, ` ${NOT} `).replace(chineseChange, ' '))].map(
        ({ segment }) => segment,
      )
    : text.split(/[^\p{L}\p{N}']+/u)
  return parts.flatMap((part): Token[] => {
    const word = part.replaceAll("'s", '').replaceAll("'", '')
    if (word === NOT || negations.has(word)) return [{ kind: 'not' }]
    if (joining.has(word) || !/[\p{L}\p{N}]/u.test(word)) return []
    return [{ kind: 'word', text: porterStem(word) }]
  })
}

/** The words of a text in one order, whatever the order in which they stand. */
export function wordKey(tokens: readonly Token[]): string {
  const words = tokens.flatMap((token) => (token.kind === 'not' ? [] : [token.text]))
  // Two sentences may be cut into Chinese words differently, so their characters are what is compared.
  return words
    .flatMap((word) =>
      /\p{Script=Han}/u.test(word) ? [...word].filter((character) => !particles.has(character)) : [word],
    )
    .sort()
    .join(' ')
}

/** How much is said: a word counts one, and so do two Chinese characters. */
export function weightOf(tokens: readonly Token[]): number {
  return tokens.reduce((sum, token) => {
    if (token.kind !== 'word') return sum
    return sum + (/\p{Script=Han}/u.test(token.text) ? [...token.text].length / 2 : 1)
  }, 0)
}
