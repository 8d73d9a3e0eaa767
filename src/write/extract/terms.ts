/** Content terms of a text, for telling whether two texts speak of the same thing. No language model, no stemming. */

const latinStopWords = new Set(
  'the and for with that this from are was were you your our not but all any can has have had its it is in on at to of a an be by as or if so no do does did we i my me us they them he she his her their there here when then than will would should could must may might just only also too very more most some into over under up out off about please always never every now new use used using like want need make made get got go one two first still yet old what which who how why where because since until while after before again der die das und ist sind wir ich nicht ein eine in im am auf mit von zu für es jetzt sie er'.split(
    ' ',
  ),
)
const hanStopPairs =
  /^(?:这个|那个|這個|那個|我们|我們|你们|他们|以后|以後|之后|之後|现在|現在|一个|一個|不要|可以|就是|都是|还是|還是|因为|因為|所以|但是|如果|什么|什麼|怎么|怎麼|的话|一下|已经|已經|没有|沒有|不是|时候|時候|用的|都用|都要|要用)$/

/** Lower-case words of letters and digits, plural `s` cut, hosts also in pieces, and pairs of Han or kana signs. */
export function termsOf(text: string): Set<string> {
  const normal = text.normalize('NFKC').toLowerCase()
  const terms = new Set<string>()
  for (const [word] of normal.matchAll(/[\p{Script=Latin}\p{N}][\p{Script=Latin}\p{N}._/@:-]*/gu)) {
    for (const piece of [word, ...word.split(/[._/@:-]+/)]) addWord(terms, piece.replace(/[._/@:-]+$/, ''))
  }
  for (const [run] of normal.matchAll(/[\p{Script=Han}\p{Script=Katakana}]+/gu)) {
    const signs = [...run]
    for (let index = 0; index + 1 < signs.length; index++) {
      const pair = `${signs[index]}${signs[index + 1]}`
      if (!hanStopPairs.test(pair)) terms.add(pair)
    }
  }
  return terms
}

function addWord(terms: Set<string>, word: string): void {
  const isNumber = /^\d+$/.test(word)
  if (word === '' || latinStopWords.has(word) || (word.length < 2 && !isNumber)) return
  terms.add(word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word)
}

/** How many of `some` are in `all`. */
export function shared(some: ReadonlySet<string>, all: ReadonlySet<string>): number {
  let count = 0
  for (const term of some) if (all.has(term)) count++
  return count
}

/** Terms that name one thing: numbers, and words with a digit, a dot or a capital inside. */
export function specificTerms(text: string): Set<string> {
  const words = text.normalize('NFKC').match(/[\p{Script=Latin}\p{N}][\p{Script=Latin}\p{N}._/@:-]*/gu) ?? []
  return new Set(
    words
      .map((word) => word.replace(/[._/@:-]+$/, ''))
      .filter((word) => /\d|\p{Ll}\p{Lu}|[._/@]/u.test(word))
      .map((word) => word.toLowerCase()),
  )
}

const address =
  /https?:\/\/[^\s<>"'`，。；、）)\]]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\b(?:[a-z\d-]+\.){2,}[a-z]{2,}\b|\b[a-z\d-]+\.(?:com|org|net|io|dev|app|cn|de|jp|eu|uk|internal|local|example)\b/giu

/** Links, mail addresses and hosts that a text names, in lower case. */
export function addressesIn(text: string): string[] {
  return [...text.normalize('NFKC').matchAll(address)].map(([found]) => found.replace(/[.,;:!?]+$/, '').toLowerCase())
}
