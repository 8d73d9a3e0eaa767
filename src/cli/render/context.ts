/** The start block with what it is made of and why (spec S5), for a person. */
import { type Block, type BlockExplanation, profileHeader, standingWords } from '../../domain/index.ts'
import { oneLine } from '../../util/index.ts'
import { printable } from './notes.ts'

export function explainedLines(block: Block): string {
  const { explanation } = block
  const lines = [
    block.text,
    '',
    `${block.bytes} bytes, about ${block.tokens} tokens; ${block.omitted === 0 ? 'every note that counts here is shown' : `${block.omitted} left out for want of room`}`,
    ...(explanation ? [...partLines(explanation), ...layerLines(explanation)] : []),
    '',
    ...block.entries.map(
      ({ bytes, section, layer, name, why }) =>
        `${String(bytes).padStart(5)} bytes  ${section.padEnd(8)}  ${layer.padEnd(7)}  ${oneLine(name)}  (${oneLine(why)})`,
    ),
    ...(explanation ? leftLines(explanation) : []),
  ]
  return printable(lines.join('\n'))
}

function partLines({ dialect, sections, profile, rest }: BlockExplanation): string[] {
  const rows = sections.map(({ name, entries, bytes, maxBytes, tokens }) => {
    const notes = name === 'profile' || name === 'index' ? `  ${entries} notes` : ''
    return `  ${name.padEnd(8)}  ${String(bytes).padStart(5)} of ${String(maxBytes).padStart(5)} bytes  ${String(tokens).padStart(5)} tokens${notes}`
  })
  const beside = Object.entries(rest).flatMap(([what, { shown, total }]) =>
    total === 0 ? [] : [`  ${what}: ${shown} of ${total} shown`],
  )
  const head = `  dialect ${dialect.name}, version ${dialect.version}, ${dialect.language}`
  return [head, ...rows, ...profile.map((usage) => `  ${profileHeader(usage)}`), ...beside]
}

function layerLines({ layers }: BlockExplanation): string[] {
  return layers.map(
    ({ layer, counting, shown, silenced }) =>
      `  ${layer.padEnd(8)}  ${shown} of ${counting} notes shown${silenced > 0 ? `, ${silenced} more ${silenced === 1 ? 'does' : 'do'} not count here` : ''}`,
  )
}

function leftLines({ left, leftMore, unread }: BlockExplanation): string[] {
  if (left.length + unread === 0) return []
  const rows = left.map(({ layer, name, standing, share }) => {
    const why = standingWords(standing) ?? `no room in the share of the ${share ?? 'index'}`
    return `  ${layer.padEnd(7)}  ${oneLine(name)}  (${oneLine(why)})`
  })
  return [
    '',
    'left out:',
    ...rows,
    ...(leftMore > 0 ? [`  ${leftMore} more`] : []),
    ...(unread > 0 ? [`  ${unread} notes that the MEMORY.md of a large layer does not list; search finds them`] : []),
  ]
}
