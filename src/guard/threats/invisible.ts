/**
 * Characters that show nothing but carry something: zero-width, bidi controls, tags, fillers, variation selectors.
 * What must stay true (BL-44): whatever a person really writes passes, that is joined emoji, flags, variation
 * selectors, the joiners of Persian and of Indic scripts, direction marks beside Hebrew and Arabic.
 */

export interface InvisibleFinding {
  readonly id: 'invisible-unicode' | 'bidi-control' | 'unicode-tags'
  /** UTF-16 offset. */
  readonly offset: number
  readonly codePoint: number
}

const ignorable = /\p{Default_Ignorable_Code_Point}|[\uFFF9-\uFFFB]/gu
const anyIgnorable = /\p{Default_Ignorable_Code_Point}|[\uFFF9-\uFFFB]/u
const pictographic = /^\p{Extended_Pictographic}$/u
const emojiTail = /^(?:[\uFE0E\uFE0F\u20E3]|\p{Emoji_Modifier}|[\u{E0020}-\u{E007F}])$/u
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
/** Scripts in which U+200C and U+200D choose the shape of a letter. */
const joining =
  /^[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Tibetan}\p{Mn}\p{Mc}]$/u
/** Scripts without spaces, which mark where a line may break by U+200B. */
const spaceless = /^[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Mn}]$/u
/** The three flags by tags that Unicode recommends: England, Scotland, Wales. */
const tagFlag =
  /\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}/gu

/** How far from a direction mark a letter that it serves may stand, in UTF-16 units. */
const DIRECTION_REACH_UNITS = 32

/** False: there is no such character at all, harmless or not. */
export function holdsIgnorable(text: string): boolean {
  return anyIgnorable.test(text)
}

/** The first finding of each id, in order of place. Linear. */
export function findInvisible(text: string): InvisibleFinding[] {
  if (!anyIgnorable.test(text)) return []
  const found = new Map<InvisibleFinding['id'], InvisibleFinding>()
  const flags = flagRanges(text)
  for (const match of text.matchAll(ignorable)) {
    const codePoint = match[0].codePointAt(0) ?? 0
    const id = idOf(codePoint)
    if (found.has(id) || isHarmless(text, match.index, codePoint, flags)) continue
    found.set(id, { id, offset: match.index, codePoint })
    if (found.size === 3) break
  }
  return [...found.values()]
}

function idOf(codePoint: number): InvisibleFinding['id'] {
  if (codePoint >= 0xe0000 && codePoint <= 0xe007f) return 'unicode-tags'
  const bidi = (codePoint >= 0x202a && codePoint <= 0x202e) || (codePoint >= 0x2066 && codePoint <= 0x2069)
  return bidi || codePoint === 0x200e || codePoint === 0x200f || codePoint === 0x61c
    ? 'bidi-control'
    : 'invisible-unicode'
}

function flagRanges(text: string): ReadonlySet<number> {
  const covered = new Set<number>()
  for (const match of text.matchAll(tagFlag)) {
    for (let offset = match.index; offset < match.index + match[0].length; offset++) covered.add(offset)
  }
  return covered
}

function isHarmless(text: string, offset: number, codePoint: number, flags: ReadonlySet<number>): boolean {
  const next = characterAt(text, offset + (codePoint > 0xffff ? 2 : 1))
  const previous = characterBefore(text, offset)
  switch (codePoint) {
    case 0xad: // soft hyphen: pasted from the web, breaks words and hides none
      return true
    case 0xfeff: // byte order mark at the start of a file or of a file that was joined on
      return offset === 0 || previous === '\n'
    case 0x200d:
      return joinsEmoji(text, offset, next) || joinsLetters(previous, next)
    case 0x200c:
      return joinsLetters(previous, next)
    case 0x200b:
      return spaceless.test(previous) && spaceless.test(next)
    case 0x200e:
    case 0x200f:
    case 0x61c:
      return marksDirection(text, offset)
    default:
      return isHarmlessOther(codePoint, previous, next, flags.has(offset))
  }
}

function isHarmlessOther(codePoint: number, previous: string, next: string, inFlag: boolean): boolean {
  if (codePoint >= 0xe0000 && codePoint <= 0xe007f) return inFlag
  if (codePoint >= 0xfe00 && codePoint <= 0xfe0f) return isSelector(codePoint, previous, next)
  if (codePoint >= 0xe0100 && codePoint <= 0xe01ef) return /^\p{Script=Han}$/u.test(previous)
  if (codePoint >= 0x180b && codePoint <= 0x180f) return /^\p{Script=Mongolian}$/u.test(previous)
  if (codePoint === 0x115f || codePoint === 0x1160)
    return /^[\u1100-\u11ff]$/u.test(next) || /^[\u1100-\u11ff]$/u.test(previous)
  if (codePoint === 0x17b4 || codePoint === 0x17b5) return /^\p{Script=Khmer}$/u.test(previous)
  return codePoint === 0x34f && /^\p{Mn}$/u.test(next)
}

/** Variation selectors after what they can vary; one left behind by a removed emoji is harmless, one on a letter is not. */
function isSelector(codePoint: number, previous: string, next: string): boolean {
  if (/^[\uFE00-\uFE0F]$/.test(previous) || /^[\uFE00-\uFE0F]$/.test(next)) return false
  if (/^\p{Script=Han}$/u.test(previous)) return codePoint <= 0xfe02
  if (codePoint < 0xfe0e) return /^[\p{S}\p{Script=Myanmar}\p{Script=Phags_Pa}\p{Script=Mongolian}]$/u.test(previous)
  return /^(?:[\p{Emoji}\p{S}\p{P}]|\s|)$/u.test(previous)
}

/** A joiner after a pictograph (its skin tone, selector or tags skipped), before another one or where the text was cut. */
function joinsEmoji(text: string, offset: number, next: string): boolean {
  let position = offset
  let previous = characterBefore(text, position)
  while (previous !== '' && emojiTail.test(previous)) {
    position -= previous.length
    previous = characterBefore(text, position)
  }
  return pictographic.test(previous) && (next === '' || /^\s$/.test(next) || pictographic.test(next))
}

function joinsLetters(previous: string, next: string): boolean {
  return joining.test(previous) && !/^[\u200B-\u200D\u2060]$/.test(next) && !/^[A-Za-z0-9]$/.test(next)
}

/** At most two marks in a row, with a right-to-left letter near. */
function marksDirection(text: string, offset: number): boolean {
  const run = /^[\u200E\u200F\u061C]{1,3}/.exec(
    text.slice(Math.max(0, offset - 1), offset + 3).replace(/^[^\u200E\u200F\u061C]/, ''),
  )
  if ((run?.[0].length ?? 0) > 2) return false
  const near = text.slice(Math.max(0, offset - DIRECTION_REACH_UNITS), offset + DIRECTION_REACH_UNITS)
  // The Arabic letter mark counts as Arabic script itself.
  return rightToLeft.test(near.replaceAll('\u061C', ''))
}

function characterAt(text: string, offset: number): string {
  const codePoint = text.codePointAt(offset)
  return codePoint === undefined ? '' : String.fromCodePoint(codePoint)
}

function characterBefore(text: string, offset: number): string {
  if (offset <= 0) return ''
  const unit = text.charCodeAt(offset - 1)
  const isLow = unit >= 0xdc00 && unit <= 0xdfff && offset >= 2
  return characterAt(text, isLow ? offset - 2 : offset - 1)
}
