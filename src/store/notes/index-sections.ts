/**
 * The two parts of MEMORY.md: what Keepsake generates, between two comment lines, and what people and agents write
 * around it. Must stay true: every line that is not ours is in `before` or `after`, byte for byte.
 */
import { parseIndexLine } from './index-lines.ts'

export const INDEX_OPENING = '<!-- keepsake:index (written by Keepsake; text outside these two lines is kept) -->'
export const INDEX_CLOSING = '<!-- /keepsake:index -->'

export interface IndexSections {
  readonly before: readonly SectionLine[]
  readonly generated: readonly SectionLine[]
  readonly after: readonly SectionLine[]
  /** True when the file has a generated part: a new one is put in its place, else at the end. */
  readonly hasPart: boolean
}

/** One line with its end of line, and its 1-based number. */
export interface SectionLine {
  readonly text: string
  readonly line: number
  /** Inside a fenced block of code: an example, never an index line. */
  readonly inCode: boolean
}

const OPENING_LINE = /^\s*<!--\s*keepsake:index\b[^\n]*-->\s*$/
const CLOSING_LINE = /^\s*<!--\s*\/keepsake:index\s*-->\s*$/
/** The last line of ours, in any version of its wording. */
const OMITTED_LINE = /^- … \d+ /

/**
 * Splits a MEMORY.md. Text that somebody put between our two lines is no line of ours: it comes out in front of
 * `after`. A part whose closing line is gone ends where its index lines end.
 */
export function splitIndex(text: string): IndexSections {
  const before: SectionLine[] = []
  const generated: SectionLine[] = []
  const after: SectionLine[] = []
  let place: 'before' | 'inside' | 'after' = 'before'
  const lines = numberedLines(text)
  lines.forEach((line, index) => {
    if (!line.inCode && OPENING_LINE.test(line.text)) place = 'inside'
    else if (!line.inCode && CLOSING_LINE.test(line.text)) place = place === 'before' ? 'before' : 'after'
    else if (place !== 'inside') (place === 'before' ? before : after).push(line)
    else if (isOurs(line.text)) generated.push(line)
    else {
      after.push(line)
      if (!closesLater(lines, index)) place = 'after'
    }
  })
  return { before, generated, after, hasPart: place !== 'before' }
}

function isOurs(text: string): boolean {
  return text.trim() === '' || OMITTED_LINE.test(text) || parseIndexLine(text) !== null
}

/** Whether a closing line comes before another part begins. */
function closesLater(lines: readonly SectionLine[], from: number): boolean {
  for (const { text } of lines.slice(from + 1)) {
    if (CLOSING_LINE.test(text)) return true
    if (OPENING_LINE.test(text)) return false
  }
  return false
}

function numberedLines(text: string): SectionLine[] {
  const texts = text.split(/(?<=\n)/).filter((line) => line !== '')
  const code = codeLines(texts)
  return texts.map((line, index) => ({ text: line, line: index + 1, inCode: code.has(index) }))
}

/** Lines of fenced blocks. A block that never closes is none: it would swallow our own part of the file. */
function codeLines(texts: readonly string[]): Set<number> {
  const code = new Set<number>()
  let open: { mark: string; index: number } | null = null
  texts.forEach((line, index) => {
    const mark = /^ {0,3}(```+|~~~+)/.exec(line)?.[1]
    if (mark === undefined) return
    if (open === null) open = { mark, index }
    else if (mark.startsWith(open.mark)) {
      for (let inside = open.index; inside <= index; inside++) code.add(inside)
      open = null
    }
  })
  return code
}
