/**
 * Reads the citation blocks out of an answer, whole or as it streams in (spec I7). A block begins with its tag, outside
 * of code and quotes, and ends with the line that holds its closing tag. Must stay true: however the text is cut into
 * pieces, the same comes out; what is no block comes out byte for byte; half a tag never does while it may be a block.
 */
import { type CitationTag, citationTags, MAX_BLOCK_LENGTH, MAX_LINE_LENGTH, referencesIn } from './citation-grammar.ts'

export interface Citations {
  /** The text without citation blocks and the white space before them. */
  readonly text: string
  /** What the blocks name, each once, in order: ids, paths or names as they were written. */
  readonly references: readonly string[]
}

export interface CitationReader {
  /** Takes the next piece and gives what can be shown of the text by now. */
  push(piece: string): string
  /** The rest, when the text is over: a block that did not end is none. */
  end(): string
  /** Named by the blocks that were read so far. */
  references(): readonly string[]
}

/** The whole of an answer. */
export function readCitations(text: string): Citations {
  if (!citationTags.some((tag) => text.includes(openingOf(tag)))) return { text, references: [] }
  const reader = createCitationReader()
  return { text: reader.push(text) + reader.end(), references: reader.references() }
}

/** The answer without its citation blocks. */
export function stripCitations(text: string): string {
  return readCitations(text).text
}

export function createCitationReader(): CitationReader {
  const references = new Set<string>()
  /** Not looked at yet, or not decided. */
  let pending = ''
  let line = startOfLine
  /** The marks that began a block of code; null outside of one. */
  let fence: string | null = null
  /** White space that a block behind it would take along. */
  let blank = ''
  let shown = ''

  const take = (length: number) => {
    const text = pending.slice(0, length)
    pending = pending.slice(length)
    const all = blank + text
    const words = all.trimEnd()
    blank = all.slice(words.length)
    shown += words
    line = goneOn(line, text)
    if (!text.endsWith('\n')) return
    fence = fenceAfter(fence, line.text)
    line = startOfLine
  }
  /** One step; false when more of the text is needed. */
  const step = (isEnd: boolean): boolean => {
    if (pending === '') return false
    const next = nextStop(pending, line, fence !== null)
    if (next.tag === null) {
      const isSure = next.isLine || isEnd || fence !== null
      const sure = isSure ? next.at : lengthWithoutBeginning(pending)
      take(sure)
      return sure > 0
    }
    take(next.at)
    const block = blockAt(next.tag, pending, isEnd)
    if (block === 'unknown') return false
    if (block === null) take(openingOf(next.tag).length)
    else {
      for (const reference of block.references) references.add(reference)
      pending = pending.slice(block.length)
      blank = ''
    }
    return true
  }
  const advance = (isEnd: boolean): string => {
    while (step(isEnd));
    const given = shown
    shown = ''
    return given
  }
  return {
    push(piece) {
      pending += piece
      return advance(false)
    },
    end() {
      const given = advance(true) + blank
      blank = ''
      return given
    },
    references: () => [...references],
  }
}

function openingOf(tag: CitationTag): string {
  return `<${tag}>`
}

/** What was given of the line that goes on. */
interface Line {
  readonly text: string
  /** Its first signs. */
  readonly head: string
  /** Inside a code span. */
  readonly isCode: boolean
}

const startOfLine: Line = { text: '', head: '', isCode: false }
const HEAD_LENGTH = 5

function goneOn({ text, head, isCode }: Line, more: string): Line {
  return {
    text: text + more,
    head: head.length < HEAD_LENGTH ? (head + more).slice(0, HEAD_LENGTH) : head,
    isCode: isCode !== (more.split('`').length % 2 === 0),
  }
}

const stops = new RegExp(`\n|\`|${citationTags.map(openingOf).join('|')}`, 'g')

/** The first opening tag that may begin a block, else the end of the line, else the end of what is known. */
function nextStop(pending: string, line: Line, inFence: boolean) {
  let isCode = line.isCode
  for (const { 0: found, index } of pending.matchAll(stops)) {
    if (found === '\n') return { tag: null, at: index + 1, isLine: true } as const
    if (found === '`') isCode = !isCode
    const tag = citationTags.find((each) => found === openingOf(each))
    const before =
      line.head.length < HEAD_LENGTH ? line.head + pending.slice(0, Math.min(index, HEAD_LENGTH)) : line.head
    if (tag && !inFence && !isCode && !/^(?: {4}| {0,3}[\t>])/.test(before)) return { tag, at: index } as const
  }
  return { tag: null, at: pending.length, isLine: false } as const
}

/** Everything but the end that may be the beginning of a tag. */
function lengthWithoutBeginning(rest: string): number {
  const at = rest.lastIndexOf('<')
  return at !== -1 && citationTags.some((tag) => openingOf(tag).startsWith(rest.slice(at))) ? at : rest.length
}

interface Block {
  readonly references: readonly string[]
  /** From the opening tag to the closing one. */
  readonly length: number
}

/** The block that begins with this text; null when it is none, `unknown` while more of the text may decide. */
function blockAt(tag: CitationTag, text: string, isEnd: boolean): Block | 'unknown' | null {
  const start = openingOf(tag).length
  const closing = `</${tag}>`
  // No more than a block may hold is looked at, however long the text is.
  const window = text.slice(start, start + MAX_BLOCK_LENGTH + closing.length)
  const end = window.indexOf(closing)
  const inside = end === -1 ? window : window.slice(0, end)
  if (citationTags.some((each) => inside.includes(openingOf(each)))) return null
  if (end === -1) return isEnd || isTooLong(inside, closing.length) ? null : 'unknown'
  const references = referencesIn(tag, inside)
  if (references === null) return null
  const length = start + end + closing.length
  const behind = /[^\S\n]*/y
  behind.lastIndex = length
  const next = text.charAt(length + (behind.exec(text)?.[0].length ?? 0))
  if (next !== '' && next !== '\n') return null
  return isEnd || next === '\n' ? { references, length } : 'unknown'
}

/** It is no block whatever comes; its last line may hold a part of the closing tag. */
function isTooLong(inside: string, spare: number): boolean {
  return (
    inside.length >= MAX_BLOCK_LENGTH + spare ||
    inside.split(/[\r\n]/).some((line) => line.length > MAX_LINE_LENGTH + spare)
  )
}

/** The marks of the block of code in which the next line lies. Lists and quotes may stand before them. */
function fenceAfter(fence: string | null, line: string): string | null {
  if (fence !== null) return isClosing(fence, line) ? null : fence
  const [, marks = '', info = ''] = /^(?:[\s>]|[-*+] |\d{1,3}[.)] )*(`{3,}|~{3,})(.*)/s.exec(line) ?? []
  return marks === '' || (marks.startsWith('`') && info.includes('`')) ? null : marks
}

function isClosing(fence: string, line: string): boolean {
  const marks = /^[\s>]*(`{3,}|~{3,})\s*$/.exec(line)?.[1] ?? ''
  return marks.startsWith(fence)
}
