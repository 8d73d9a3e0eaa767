/**
 * The entries of a body (spec W2): what `remove` takes away and what previews show. A pinned note is one entry; any
 * other note has one for each paragraph, list item and block of code, where a reason (`**Why:** …`) belongs to the
 * paragraph above it. Offsets are UTF-16 units of the body as stored. Pure.
 */

export interface EntryRange {
  readonly start: number
  /** Without the end of its last line. */
  readonly end: number
}

const LIST_ITEM = /^ {0,3}(?:[-*+]|\d{1,3}[.)])[ \t]/
const CODE_FENCE = /^ {0,3}(```+|~~~+)/
const HEADING = /^ {0,3}#{1,6}[ \t]/
const LABELLED = /^\*\*[^*\n]{1,40}[:：]\*\*/

/** The whole body as one entry; empty when it holds nothing. */
export function wholeEntry(body: string): EntryRange {
  const start = body.length - body.trimStart().length
  return { start, end: Math.max(start, body.trimEnd().length) }
}

export function entriesOf(body: string): readonly EntryRange[] {
  const entries: EntryRange[] = []
  let isOpen = false
  let fence = ''
  for (const { text, start, end } of linesOf(body)) {
    const isInCode = fence !== ''
    const mark = CODE_FENCE.exec(text)?.[1]
    if (mark !== undefined && (!isInCode || mark.startsWith(fence))) fence = isInCode ? '' : mark
    if (!isInCode && text.trim() === '') {
      isOpen = false
      continue
    }
    const last = entries.at(-1)
    const belongsToLast = isInCode || (isOpen ? !beginsEntry(text) : LABELLED.test(text))
    if (last && belongsToLast) entries[entries.length - 1] = { start: last.start, end }
    else entries.push({ start, end })
    isOpen = isInCode || !HEADING.test(text)
  }
  return entries
}

function beginsEntry(line: string): boolean {
  return LIST_ITEM.test(line) || HEADING.test(line)
}

function* linesOf(body: string): Generator<{ text: string; start: number; end: number }> {
  for (let start = 0; start < body.length; ) {
    const newline = body.indexOf('\n', start)
    const next = newline === -1 ? body.length : newline + 1
    const text = body.slice(start, next).replace(/\r?\n$/, '')
    yield { text, start, end: start + text.length }
    start = next
  }
}

/** The body without an entry and the gap that it leaves. */
export function withoutEntry(body: string, { start, end }: EntryRange): EntryRange {
  const after = /^[ \t]*(?:\r?\n)?(?:[ \t]*\r?\n)*/.exec(body.slice(end))?.[0].length ?? 0
  const isLast = end + after >= body.length
  if (!isLast) return { start, end: end + gapToTake(body, { start, end }, after) }
  const before = /(?:\r?\n)[ \t\r\n]*$/.exec(body.slice(0, start))?.[0].length ?? 0
  return { start: start - before, end }
}

/** A list keeps its lines together: only the item's own end of line goes, and the blank lines stay where they were. */
function gapToTake(body: string, { start, end }: EntryRange, after: number): number {
  const ownEnd = /^[ \t]*\r?\n/.exec(body.slice(end))?.[0].length ?? 0
  const followsDirectly = start > 0 && !/(?:^|\n)[ \t]*\r?\n$/.test(body.slice(0, start))
  return followsDirectly ? ownEnd : after
}
