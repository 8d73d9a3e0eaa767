/**
 * Words that stand for text that the writer did not repeat (spec W1, By paragraph): "rest unchanged", "… existing text
 * …", 其余不变. They count where they are marked as such: alone on a line, in brackets, in a comment, between dots. In
 * a sentence ("leave the rest unchanged when you refactor") they are ordinary words. Pure.
 */

/** Said of text that stays, whatever the mark. */
const STAYS = [
  /^(?:the )?(?:rest|remainder|remaining|everything else|all others?)\b.*\b(?:unchanged|the same|as is|as before|stays|remains?|omitted|not changed)$/,
  /^(?:\w+ )?(?:existing|previous|original|remaining|unchanged|others?|same)(?: \w+){0,2} (?:unchanged|remains?|omitted|as before|as is)$/,
  /^(?:keep|leave) the rest(?: of .{1,40})?(?: unchanged| as is| the same)?$/,
  /^(?:unchanged|no changes?|same as (?:before|above)|as before|as above|omitted|truncated|snip)$/,
  /^(?:其余|其他|其它|剩余|余下|剩下|后面|以下|以上|原有|现有|之前)(?:的|部分|内容|文本|条目|文字|各项|均|都|保持|全部|所有)*(?:不变|保持不变|没有变化|无变化|未变|未改|不改|相同|一致|保留|省略|略|照旧|同前)$/,
  /^(?:此处|这里)?(?:省略|略去|略)(?:其余|其他|后面|以下)?(?:的|部分|内容|文本|若干)*(?:内容|部分)?$/,
  /^(?:内容|文本)?(?:同上|同前|保持不变|不变|原文不变)$/,
]

/** Names of text that stand for it only between dots or in a comment; elsewhere they may be a heading. */
const NAMES_TEXT = [
  /^(?:the )?(?:rest|remainder)(?: of (?:the |this )?(?:\w+ )?(?:note|file|text|content|entry|list|document|section|body|code|memory))?$/,
  /^(?:\w+ )?(?:existing|previous|original|remaining|unchanged|other|same) (?:\w+ )?(?:note|text|contents?|entry|entries|lines?|items?|sections?|code|paragraphs?|points|rules|steps)(?: (?:here|above|below))?$/,
  /^(?:其余|其他|其它|剩余|余下|原有|现有|已有|之前)(?:的)?(?:部分|内容|文本|条目|规则)$/,
]

const DOTS = '(?:\\.{3,}|…+|。{3,})'
const DOTTED = new RegExp(DOTS)
const MARKS = [
  { pattern: /<!--([\s\S]{1,200}?)-->/g, isDotted: true },
  { pattern: /\[([^[\]\n]{1,200})\](?!\()/g, isDotted: false },
  { pattern: /[(（]([^()（）\n]{1,200})[)）]/g, isDotted: false },
  { pattern: /【([^【】\n]{1,200})】/g, isDotted: false },
  { pattern: new RegExp(`${DOTS}\\s*([^.…。\\n]{1,200}?)\\s*${DOTS}`, 'g'), isDotted: true },
  { pattern: new RegExp(`${DOTS}\\s*[(（\\[]?([^.…。\\n]{1,200}?)[)）\\]]?\\s*$`, 'gm'), isDotted: true },
]

/** The marked piece of `text` that stands for words left out, or null. What already stood in `before` is no fault. */
export function findPlaceholder(text: string, before: string): string | null {
  return markedPieces(text).find((piece) => standsForText(piece) && !before.includes(piece.whole))?.whole ?? null
}

function standsForText({ inner, isDotted }: Piece): boolean {
  const words = inner
    .replace(/[.…。,，;；:：!！*_`]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
  return (isDotted ? [...STAYS, ...NAMES_TEXT] : STAYS).some((pattern) => pattern.test(words))
}

interface Piece {
  readonly whole: string
  readonly inner: string
  /** Between dots or in a comment. */
  readonly isDotted: boolean
}

function markedPieces(text: string): Piece[] {
  const pieces: Piece[] = []
  for (const line of text.split(/\r?\n/)) {
    const whole = line.trim()
    const inner = whole.replace(/^(?:[-*+#>]+|\/\/|\d{1,3}[.)])\s*/, '')
    if (whole !== '') pieces.push({ whole, inner, isDotted: false })
  }
  for (const { pattern, isDotted } of MARKS)
    for (const match of text.matchAll(pattern))
      pieces.push({
        whole: match[0].trim(),
        inner: unmarked(match[1] ?? ''),
        isDotted: isDotted || DOTTED.test(match[0]),
      })
  return pieces
}

function unmarked(inner: string): string {
  return inner.replace(/^[\s/*#.…]+|[\s/*#.…]+$/g, '')
}
