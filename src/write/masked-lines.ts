/**
 * Real lines beside their masked form, so that a change that was told in masked text can be carried out on the real one:
 * what it does not touch keeps its real words, and a mask never takes the place of a secret.
 */
import { type Hunk, hunksBetween } from '../store/notes/history-diff.ts'

/** One masked line, and the real lines that it belongs to; a secret over several lines makes a block of them. */
interface MaskedLine {
  readonly masked: string
  readonly block: Block
}

interface Block {
  readonly real: readonly string[]
  /** Masked lines that stand for it. */
  readonly width: number
  readonly isSecret: boolean
}

const marker = /\[masked: [a-z0-9-]+\]/

export function maskedLinesOf(real: readonly string[], masked: readonly string[]): readonly MaskedLine[] {
  const lines: MaskedLine[] = []
  const add = (block: Block, words: readonly string[]) => lines.push(...words.map((word) => ({ masked: word, block })))
  let [at, from] = [0, 0]
  const hunks = hunksBetween(real, masked)
  // A mask that leaves no line cannot be told from a removal: then the whole text is one block.
  if (hunks.some(({ lines: words }) => words.length === 0)) {
    add({ real, width: masked.length, isSecret: true }, masked)
    return lines
  }
  for (const { start, end, lines: words } of [...hunks, { start: real.length, end: real.length, lines: [] }]) {
    for (; at < start; at++, from++) add({ real: [real[at] ?? ''], width: 1, isSecret: false }, [masked[from] ?? ''])
    if (words.length === end - start)
      words.forEach((word, index) => {
        add({ real: [real[start + index] ?? ''], width: 1, isSecret: true }, [word])
      })
    else if (words.length > 0) add({ real: real.slice(start, end), width: words.length, isSecret: true }, words)
    at = end
    from += words.length
  }
  return lines
}

/**
 * The real lines with the hunks applied (their places are those of the masked lines). Null when a mask would take the
 * place of a secret, only a part of a secret would go, or nobody can tell which of two secrets behind one mask.
 */
export function applyMasked(lines: readonly MaskedLine[], hunks: readonly Hunk[]): string[] | null {
  const result: string[] = []
  const left = new Map<Block, number>()
  let at = 0
  const keep = (line: MaskedLine) => {
    const seen = left.get(line.block) ?? 0
    if (seen === 0) result.push(...line.block.real)
    left.set(line.block, seen + 1)
  }
  for (const { start, end, lines: added } of hunks) {
    lines.slice(at, start).forEach(keep)
    const lost = lines.slice(start, end).filter(({ block }) => block.isSecret)
    if (lost.length > 0 && added.some((line) => marker.test(line))) return null
    if (lost.some((line) => hasDouble(lines, line))) return null
    result.push(...added)
    at = end
  }
  lines.slice(at).forEach(keep)
  return [...left].every(([block, seen]) => seen === block.width) ? result : null
}

/** Another secret in the same words: masked, the two are one line. */
function hasDouble(lines: readonly MaskedLine[], { masked, block }: MaskedLine): boolean {
  const real = block.real.join('\n')
  return lines.some((other) => other.masked === masked && other.block.real.join('\n') !== real)
}
