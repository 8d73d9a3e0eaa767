/** Two start blocks side by side, for a person who asks whether the prefix moved, where and why. */
import type { Block, BlockComparison } from '../../domain/index.ts'
import { counted, cutGraphemes, oneLine } from '../../util/index.ts'
import { printable } from './notes.ts'

/** Of a line that is quoted. */
const MAX_LINE_GRAPHEMES = 160

export function comparedLines({ comparison }: Block): string {
  if (!comparison) return ''
  const lines = comparison.isEqual
    ? [`Equal to ${otherOf(comparison)}: ${comparison.now.bytes} bytes, about ${comparison.now.tokens} tokens.`]
    : [...whereLines(comparison), ...causeLines(comparison), ...changeLines(comparison)]
  return printable(lines.join('\n'))
}

function otherOf({ with: { kind, name, made } }: BlockComparison): string {
  const when = made === null ? '' : ` (${made})`
  return kind === 'session' ? `the block kept for ${name}${when}` : `the block in ${name}${when}`
}

function whereLines(comparison: BlockComparison): string[] {
  const { first, earlier, now, tokensAnew } = comparison
  const place = first ? `from byte ${first.byte}, in line ${first.line}` : ''
  const kept =
    comparison.with.kind === 'session'
      ? ['The session still gets the kept block; after a compaction, with --renew, it gets the one of now.']
      : []
  return [
    `Differs from ${otherOf(comparison)} ${place}.`,
    `  earlier  ${quoted(first?.earlier ?? null)}`,
    `  now      ${quoted(first?.now ?? null)}`,
    `${earlier.bytes} bytes and about ${earlier.tokens} tokens then, ${now.bytes} and ${now.tokens} now; about ${tokensAnew} tokens of it, and all behind it, would be read anew.`,
    ...kept,
  ]
}

function quoted(line: string | null): string {
  return line === null ? '(the end)' : cutGraphemes(line, MAX_LINE_GRAPHEMES)
}

function causeLines({ causes, causesMore, isFrameChanged }: BlockComparison): string[] {
  const rows = causes.map(
    ({ change, name, id }) => `  ${change.padEnd(9)}  ${oneLine(name)}${id === null ? '' : `  (${id})`}`,
  )
  const frame = isFrameChanged ? ['  words that belong to no note: guidance, headings, the count'] : []
  return ['', 'because of', ...rows, ...(causesMore > 0 ? [`  ${causesMore} more`] : []), ...frame]
}

function changeLines({ lines, linesMore }: BlockComparison): string[] {
  const rows = lines.map(
    ({ change, line, text }) => `${change === 'went' ? '-' : '+'}${String(line).padStart(4)}  ${quoted(text)}`,
  )
  return ['', ...rows, ...(linesMore > 0 ? [`${counted(linesMore, 'line')} more`] : [])]
}
