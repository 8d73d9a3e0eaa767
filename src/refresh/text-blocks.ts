/** Markdown in blocks that may be left out, or cut, without breaking what stands around them. Pure. */
import { estimateTokenCount } from 'tokenx'
import { cutBytes, utf8Bytes } from '../util/index.ts'

/** The fence that is open behind this line, or null. `open`: the one before it. */
export function isFenceLine(line: string, open: string | null): string | null {
  const [, mark, info = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? []
  if (mark === undefined) return open
  if (open === null) return mark.startsWith('`') && info.includes('`') ? null : mark
  return mark.startsWith(open) && info.trim() === '' ? null : open
}

/** A bullet with its indented lines, a block of code, or a paragraph, each as it stands; an open block of code is closed. */
export function blocksOf(text: string): string[] {
  const blocks: string[] = []
  let current: string[] = []
  let fence: string | null = null
  const end = () => {
    if (current.length > 0) blocks.push(current.join('\n'))
    current = []
  }
  for (const line of text.split('\n')) {
    const next = isFenceLine(line, fence)
    if (fence === null && line.trim() === '') {
      end()
      continue
    }
    const begins = fence === null && (/^(?:[-*+]|\d{1,9}[.)])\s/.test(line) || (next !== null && !/^\s/.test(line)))
    if (begins) end()
    current.push(line)
    if (fence !== null && next === null && !/^\s/.test(current[0] ?? '') && isFenceLine(current[0] ?? '', null)) end()
    fence = next
  }
  if (fence !== null) current.push(fence)
  end()
  return blocks
}

/** As much of one block as fits; a block of code keeps its fence, a grapheme its parts. Empty when nothing fits. */
export function cutBlock(block: string, maxTokens: number): string {
  if (estimateTokenCount(block) <= maxTokens) return block
  const lines = block.split('\n')
  const opening = isFenceLine(lines[0] ?? '', null)
  if (opening === null)
    return cutTokens(block.replace(/^[ \t]*(?:`{3,}|~{3,}).*$/gm, '').replace(/\n{2,}/g, '\n'), maxTokens)
  const inner = cutTokens(lines.slice(1, -1).join('\n'), maxTokens - estimateTokenCount(`${lines[0]}\n${opening}`) - 2)
  return inner === '' ? '' : [lines[0], inner, opening].join('\n')
}

/** The longest beginning of at most so many tokens that ends on a grapheme; `…` stands for what was cut. */
export function cutTokens(text: string, maxTokens: number): string {
  if (estimateTokenCount(text) <= maxTokens) return text
  let [low, high] = [0, Math.min(utf8Bytes(text), Math.max(0, maxTokens) * 16)]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (estimateTokenCount(`${cutBytes(text, middle)}…`) <= maxTokens) low = middle
    else high = middle - 1
  }
  return low === 0 ? '' : `${cutBytes(text, low).trimEnd()}…`
}
