/**
 * Knows our own injected blocks when they come back in a transcript, so that a memory is never learned from itself
 * (spec W6). Stored text cannot hold these tags unescaped inside a block, so the first closing tag ends the block.
 */
import { FENCE_NOTICES, FENCE_TAGS } from './fence.ts'

const tagNames: readonly string[] = Object.values(FENCE_TAGS)
const notices = Object.values(FENCE_NOTICES).flatMap((each) => Object.values(each))
const anyTag = new RegExp(`</?(?:${tagNames.join('|')})(?:\\s[^<>]{0,400})?>`, 'i')
const openingTag = new RegExp(`<(${tagNames.join('|')})(\\s[^<>]{0,400})?>`, 'gi')
const closingTag = new RegExp(`</(?:${tagNames.join('|')})\\s*>`, 'gi')

/** True when any part of the text is one of our blocks or fences, or carries their fixed line. */
export function isOwnBlock(text: string): boolean {
  return anyTag.test(text) || notices.some((notice) => text.includes(notice))
}

/** True for what we ask a model in the background: only there material stands in its fence. */
export function isOwnQuestion(text: string): boolean {
  return Object.values(FENCE_NOTICES.material).some((notice) => text.includes(`<${FENCE_TAGS.material}>\n${notice}\n`))
}

/**
 * The text without our blocks: what stands before, between and after them stays as it is. A block without an end
 * (a client cut it) reaches to the end of the text; a bare mention of a tag in a sentence is no block.
 */
export function stripOwnBlocks(text: string): string {
  const kept: string[] = []
  // Tags that close nowhere further on: without this, many open tags would make the search quadratic.
  const unclosed = new Set<string>()
  let position = 0
  for (const opening of text.matchAll(openingTag)) {
    if (opening.index < position) continue
    const bodyStart = opening.index + opening[0].length
    const tag = (opening[1] ?? '').toLowerCase()
    const end = unclosed.has(tag) ? null : endOfBlock(text, tag, bodyStart)
    if (end === null) unclosed.add(tag)
    if (end === null && !isRealOpening(text, opening[2], bodyStart)) continue
    kept.push(text.slice(position, opening.index))
    position = end ?? text.length
    if (position === text.length) break
  }
  if (position < text.length) kept.push(text.slice(position))
  return kept.join('').replace(closingTag, '')
}

function endOfBlock(text: string, tag: string, from: number): number | null {
  const closing = new RegExp(`</${tag}\\s*>`, 'gi')
  closing.lastIndex = from
  const match = closing.exec(text)
  return match ? match.index + match[0].length : null
}

/** Our printers put attributes on the tag or a line break after it; a sentence that names the tag does neither. */
function isRealOpening(text: string, attributes: string | undefined, bodyStart: number): boolean {
  return /=/.test(attributes ?? '') || /^[ \t]*\r?\n/.test(text.slice(bodyStart, bodyStart + 200))
}
