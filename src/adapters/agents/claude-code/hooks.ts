/**
 * The hook side of Claude Code. Pure and small: it is in the hook bundle. At `resume` and `fork` the conversation still
 * holds the block of its start, so nothing is said there.
 */
import type { AgentHooks, ShownBlock } from '../../../domain/index.ts'
import { isOwnBlock } from '../../../guard/hot.ts'
import { formatHookOutput, parseHookInput } from '../../shared/hook-words.ts'
import { parseRow, type Row, rowAt, textAt } from '../../shared/rows.ts'
import { leadingClientTag } from './client-tags.ts'

export const claudeCodeHooks: AgentHooks = {
  agent: 'claude-code',
  parse: parseHookInput,
  format: formatHookOutput,
  isUserPrompt: (prompt) => prompt.trim() !== '' && !prompt.startsWith('/') && leadingClientTag(prompt) === null,
  shownBlocks,
}

/** Which block an event gives. */
const blockKinds = new Map<string, ShownBlock['kind']>([
  ['SessionStart', 'start'],
  ['UserPromptSubmit', 'turn'],
])

function shownBlocks(transcriptTail: string): readonly ShownBlock[] {
  const found: ShownBlock[][] = []
  const lines = transcriptTail.split('\n')
  for (let index = lines.length - 1; index >= 0; index--) {
    const line = lines[index] ?? ''
    // A plain look first: most rows are large and none of ours.
    const isBoundary = line.includes('"compact_boundary"')
    if (!isBoundary && !line.includes('hook_additional_context')) continue
    const row = parseRow(line)
    if (!row || row.isSidechain === true) continue
    if (row.type === 'system' && row.subtype === 'compact_boundary') break
    found.push(blocksOf(row))
  }
  return found.reverse().flat()
}

function blocksOf(row: Row): ShownBlock[] {
  const attachment = rowAt(row, 'attachment')
  if (row.type !== 'attachment' || attachment?.type !== 'hook_additional_context') return []
  const kind = blockKinds.get(textAt(attachment, 'hookEvent') ?? '')
  if (kind === undefined) return []
  const content = Array.isArray(attachment.content) ? attachment.content : [attachment.content]
  return content.flatMap((text) =>
    typeof text === 'string' && isOwnBlock(text) ? [{ kind, text, time: textAt(row, 'timestamp') }] : [],
  )
}
