/** Cuts a user's words into sentences, and sentences into clauses. */

export interface Sentence {
  /** As written. */
  readonly text: string
  /** The same with the inside of longer quotes blanked: rules never read what somebody else said. */
  readonly plain: string
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
  for (const piece of hideQuotes(text).split(boundary)) {
    const last = sentences.at(-1)
    if (last !== undefined && abbreviation.test(last)) sentences[sentences.length - 1] = last + piece
    else sentences.push(piece)
  }
  return sentences
    .map((piece) =>
      showQuotes(piece)
        .replace(/^\s*[-*•·]\s+/, '')
        .trim(),
    )
    .flatMap(splitEnumeration)
    .filter((piece) => piece.length <= MAX_SENTENCE && /[\p{L}\p{N}]/u.test(piece))
    .slice(0, MAX_SENTENCES)
    .map((piece) => ({ text: piece, plain: blankQuotes(piece) }))
}

const enumerates =
  /^(?:[\p{L}\d' ]{0,20}\b(?:two|three|four|five|few|couple of|several|some|\d) (?:quick |small |more )?(?:things?|points?|notes?|facts?)|[^：:，,]{0,8}(?:[几幾两兩三四五]|\d)(?:点|點|件事|条|條))[^:：]{0,30}[:：]\s*/iu

/** "Three things: a, b, and c" is three sentences. */
function splitEnumeration(sentence: string): string[] {
  const intro = enumerates.exec(sentence)
  if (!intro) return [sentence]
  const rest = hideQuotes(sentence.slice(intro[0].length))
  return rest.split(/,\s+(?:and\s+)?|[，；;]\s*/u).map(showQuotes)
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
