/** Small pure text tools. Cuts never split a grapheme; sizes are UTF-8 bytes unless the name says otherwise. */

/** Lone surrogates count as U+FFFD, which they become. */
export function utf8Bytes(text: string): number {
  return Buffer.byteLength(text, 'utf8')
}

export function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** Letters, signs and Chinese characters that join with no neighbour of these same ranges. */
const SINGLE_UNITS =
  /^[\n -~\u2010-\u2027\u3001-\u3029\u3041-\u3096\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff\uff01-\uff5e]*$/

/** Graphemes of `text`, one by one. Loading the segmenter costs milliseconds, and most texts do without. */
export function* graphemes(text: string): Generator<string> {
  if (SINGLE_UNITS.test(text)) {
    yield* text
    return
  }
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)) yield segment
}

/** The longest prefix of at most `maxBytes` UTF-8 bytes that ends on a grapheme. */
export function cutBytes(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes || utf8Bytes(text) <= maxBytes) return text
  // A prefix of maxBytes UTF-16 units always holds the answer, so long texts are not segmented whole.
  const beginning = text.slice(0, maxBytes + 64)
  if (SINGLE_UNITS.test(beginning)) return text.slice(0, unitsWithin(beginning, maxBytes))
  let used = 0
  let end = 0
  for (const segment of graphemes(beginning)) {
    used += utf8Bytes(segment)
    if (used > maxBytes) break
    end += segment.length
  }
  return text.slice(0, end)
}

/** How many units fit, where each is a character of its own: ASCII takes one byte, the other ranges lie above U+07FF. */
function unitsWithin(text: string, maxBytes: number): number {
  let used = 0
  for (let end = 0; end < text.length; end++) {
    used += text.charCodeAt(end) < 0x80 ? 1 : 3
    if (used > maxBytes) return end
  }
  return text.length
}

/** The longest prefix of at most `maxCharacters` code points that ends on a grapheme. */
export function cutCodePoints(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text
  const beginning = text.slice(0, maxCharacters * 2 + 64)
  if (SINGLE_UNITS.test(beginning)) return text.slice(0, maxCharacters)
  let used = 0
  let end = 0
  for (const segment of graphemes(beginning)) {
    used += codePoints(segment)
    if (used > maxCharacters) break
    end += segment.length
  }
  return text.slice(0, end)
}

/** At most `maxGraphemes` graphemes; `…` replaces the last one when something was cut. */
export function cutGraphemes(text: string, maxGraphemes: number): string {
  if (text.length <= maxGraphemes) return text
  let count = 0
  let end = 0
  let beforeLast = 0
  for (const segment of graphemes(text)) {
    if (count === maxGraphemes) return `${text.slice(0, beforeLast)}…`
    beforeLast = end
    end += segment.length
    count++
  }
  return text
}

/** The first lines of a Markdown text within both limits; what would end inside a block of code ends before it. */
export function cutMarkdown(text: string, { maxLines, maxBytes }: { maxLines: number; maxBytes: number }): string {
  const cut = cutBytes(text.split('\n', maxLines).join('\n'), maxBytes)
  if (cut.length === text.length) return text
  let open: { readonly mark: string; readonly start: number } | null = null
  let start = 0
  for (const line of cut.split('\n')) {
    const mark = /^ {0,3}(```+|~~~+)/.exec(line)?.[1]
    if (mark !== undefined) open = open === null ? { mark, start } : mark.startsWith(open.mark) ? null : open
    start += line.length + 1
  }
  return (open === null ? cut : cut.slice(0, open.start)).trimEnd()
}

/** White space runs become one space; trimmed. */
export function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim()
}

/** Order of UTF-16 units, as `<` has it, for `sort`. */
export function compareUnits(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

/** For comparing texts: NFKC, lower case, white space collapsed. */
export function normaliseForComparison(text: string): string {
  return oneLine(text.normalize('NFKC')).toLowerCase()
}

/** Lone surrogates become U+FFFD, so that every output is well formed. */
export function wellFormed(text: string): string {
  return text.toWellFormed ? text.toWellFormed() : Buffer.from(text, 'utf8').toString('utf8')
}

/** `name: description` on one line; the name alone is not said twice when the description begins with it. */
export function labelOf(note: { readonly name: string; readonly description: string }): string {
  const [name, description] = [oneLine(note.name), oneLine(note.description)]
  if (description === '') return name
  const begins = description.toLowerCase().startsWith(name.toLowerCase().replace(/[….]+$/u, ''))
  return begins ? description : `${name}: ${description}`
}

/** `1 note`, `2 notes`. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
