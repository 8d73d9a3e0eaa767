/** Cuts a user's words into sentences, and sentences into clauses. */
import { withoutCourtesy } from './courtesy.ts'

export interface Sentence {
  /** As written. */
  readonly text: string
  /** The same with the inside of longer quotes blanked: rules never read what somebody else said. */
  readonly plain: string
  /** One of several that were announced or numbered: it speaks of something of its own. */
  readonly isItem: boolean
}

/** Sentences of one message that are looked at; the rest is left out. */
export const MAX_SENTENCES = 80
/** Nobody says a rule in more UTF-16 units than this; a longer run is a paste, and would be slow to judge. */
export const MAX_SENTENCE = 400

const abbreviation =
  /\b(?:Dr|Mr|Mrs|Ms|Prof|St|Jr|Sr|Inc|Ltd|Co|vs|etc|approx|no|e\.g|i\.e|z\.B|ca|bzw|cf|al|fig|ver)\.$/i
const boundary =
  /(?<=[。！？；!?](?![!?！？。”」』"')）]))|(?<=[。！？!?]["”」』)）])|(?<=[.;…])(?=\s)|\n+|(?<=[，,；;])(?=\s*(?:另外|还有|還有|第二[，,、]|其二))/u
const quotes = /"[^"\n]*"|“[^”\n]*”|「[^」\n]*」|『[^』\n]*』|(?<![\p{L}\d])'[^'\n]*'(?![\p{L}\d])/gu

export function splitSentences(text: string): Sentence[] {
  const sentences: string[] = []
  for (const piece of hideQuotes(numberedOnLines(withChineseMarks(text))).split(boundary)) {
    const last = sentences.at(-1)
    if (last !== undefined && (abbreviation.test(last) || /^\s*\(?[1-9]\.$/.test(last)))
      sentences[sentences.length - 1] = last + piece
    else sentences.push(piece)
  }
  return sentences
    .map((piece) =>
      withoutCourtesy(
        showQuotes(piece)
          .replace(/^\s*[-*•·]\s+/, '')
          .trim(),
      ),
    )
    .flatMap(itemsOf())
    .filter(({ text: piece }) => piece.length <= MAX_SENTENCE && /[\p{L}\p{N}]/u.test(piece))
    .slice(0, MAX_SENTENCES)
    .map((piece) => ({ ...piece, plain: blankQuotes(piece.text) }))
}

const ordinal = /^[一二三四五六][，,、：:]\s*/u
const chineseMarks: Readonly<Record<string, string>> = { ',': '，', ';': '；', ':': '：', '!': '！', '?': '？' }

/** Half-width marks in Chinese text end clauses and sentences as the full-width ones do. Code keeps its marks. */
function withChineseMarks(text: string): string {
  if (!/\p{Script=Han}/u.test(text)) return text
  return text
    .split(/(`[^`\n]*`)/)
    .map((piece, index) => (index % 2 === 1 ? piece : piece.replace(halfWidthMark, fullWidth)))
    .join('')
}

const halfWidthMark =
  /(?<=\p{Script=Han}[”」』）)]?)[,;:!?](?!\/\/)|(?<=\p{L}\p{L}),(?=\p{L}\p{L})|,(?=\p{Script=Han})/gu
const fullWidth = (mark: string) => chineseMarks[mark] ?? mark

const enumerates =
  /^(?:[\p{L}\d' ]{0,20}\b(?:two|three|four|five|few|couple of|several|some|\d) (?:quick |small |more |useful )?(?:things?|points?|notes?|facts?|bits|updates?|reminders?)|[\p{L}\d' ]{0,20}\b(?:background|context|basics)|[^：:，,]{0,8}(?:[几幾两兩三四五]|\d)(?:点|點|个点|個點|个事|個事|件事|样|樣|句|条|條)[^：:，,]{0,8})[^:：，,]{0,30}[:：]\s*/iu

/** "Three things: a, b, and c" is three sentences; "two things: a; b" goes on until the last semicolon. */
function itemsOf(): (sentence: string) => Omit<Sentence, 'plain'>[] {
  let isList = false
  return (sentence) => {
    const numbered = numbering.exec(sentence)
    const intro = enumerates.exec(sentence)
    const wasList = isList
    isList = (intro !== null || wasList) && /[；;]$/u.test(sentence)
    if (numbered) return [{ text: sentence.slice(numbered[0].length).trim(), isItem: true }]
    if (!intro) return [{ text: sentence, isItem: wasList }]
    const rest = hideQuotes(sentence.slice(intro[0].length))
    // Where the items are parted by semicolons, commas are inside them; what ends in one is a piece of a longer list.
    const parts = rest.split(/[；;]/u.test(sentence) ? /[；;]\s*/u : /,\s+(?:and\s+)?|，\s*/u)
    const items = parts.map((piece) => ({ text: showQuotes(piece).trim().replace(ordinal, ''), isItem: true }))
    return [{ text: intro[0].trim(), isItem: false }, ...items]
  }
}

/** "1) a, 2) b", ①: put on lines of their own before the text is cut; one number alone is none of a list. */
const numbering = /^(?:\(?[1-9][).、]|[①-⑨])\s*(?=\p{L})/u
const numbers = /(?<=^|[\s,;:.，；：。])(?:\(?[1-9][).、]\s?|[①-⑨]\s?)(?=[\p{L}`"“「])/gu

function numberedOnLines(text: string): string {
  return [...text.matchAll(numbers)].length < 2 ? text : text.replace(numbers, (mark) => `\n${mark}`)
}

/** Clauses with the separator that follows each, so that joining gives the sentence again. */
export function splitClauses(sentence: string): string[] {
  return hideQuotes(sentence)
    .split(/(?<=[，；;])|(?<=,)(?=\s)|(?<=[—–])(?=\s)/u)
    .map(showQuotes)
}

// Sentence ends inside a quote are no sentence ends: they are moved out of reach and back.
const hidden: readonly (readonly [string, string])[] = [
  ['.', '\uE000'],
  ['。', '\uE001'],
  ['!', '\uE002'],
  ['！', '\uE003'],
  ['?', '\uE004'],
  ['？', '\uE005'],
  [';', '\uE006'],
  ['；', '\uE007'],
  [',', '\uE008'],
  ['，', '\uE009'],
]

function hideQuotes(text: string): string {
  return text
    .replace(/[\uE000-\uE009]/g, '')
    .replace(quotes, (quote) => hidden.reduce((all, [from, to]) => all.replaceAll(from, to), quote))
}

function showQuotes(text: string): string {
  return hidden.reduce((all, [to, from]) => all.replaceAll(from, to), text)
}

/** What a quote holds when it is somebody's sentence and not a name. */
const speaks =
  /\s\S+\s|[，。！？,!?]|\b(?:always|never|must|should|remember|prefer|decided?)\b|以后|以後|今后|一律|永远|永遠|必须|必須|决定|決定|喜欢|喜歡|记住|記住|我是/iu
/** Han signs in the longest name that is quoted. */
const MAX_NAME_SIGNS = 8

function blankQuotes(text: string): string {
  return text.replace(quotes, (quote) => {
    const inside = quote.slice(1, -1)
    const isName = !speaks.test(inside) && [...inside.matchAll(/\p{Script=Han}/gu)].length <= MAX_NAME_SIGNS
    return isName ? quote : `${quote[0]}…${quote.at(-1)}`
  })
}
