/**
 * The hook side of Claude Code. Pure and small: it is in the hook bundle. At `resume` and `fork` the conversation still
 * holds the block of its start, so nothing is said there.
 */
import type { AgentHooks, ShownBlock } from '../../../domain/index.ts'
import { isOwnBlock } from '../../../guard/hot.ts'
import { formatHookOutput, parseHookInput } from '../../shared/hook-words.ts'
import { isRow, parseRow, type Row, rowAt, someRow, textAt } from '../../shared/rows.ts'
import { type TurnPiece, usesIn } from '../../shared/tool-uses.ts'
import { leadingClientTag } from './client-tags.ts'

export const claudeCodeHooks: AgentHooks = {
  agent: 'claude-code',
  parse: parseHookInput,
  format: formatHookOutput,
  isUserPrompt,
  hasEarlierPrompt: (tail, prompt) =>
    someRow(tail, '"user"', (row) => {
      const words = row.type === 'user' && row.isSidechain !== true && row.isMeta !== true ? promptIn(row) : null
      return words !== null && isUserPrompt(words) && words.trim() !== prompt.trim()
    }),
  toolUses: (tail, prompt) => usesIn(tail, (row) => (row.isSidechain === true ? null : pieceOf(row, prompt))),
  shownBlocks,
}

function isUserPrompt(prompt: string): boolean {
  return prompt.trim() !== '' && !prompt.startsWith('/') && leadingClientTag(prompt) === null
}

/** Text alone, or the text beside what was pasted; answers of tools are rows of the user too. */
function promptIn(row: Row): string | null {
  const content = rowAt(row, 'message')?.content
  if (typeof content === 'string') return content
  const pieces = Array.isArray(content) ? content.filter(isRow) : []
  return pieces.map((piece) => textAt(piece, 'text')).find((text) => text !== null) ?? null
}

/** What a row says about tools, or that the turn before begins there. */
function pieceOf(row: Row, prompt: string): TurnPiece | null {
  const words = row.type === 'user' && row.isMeta !== true ? promptIn(row) : null
  if (words !== null && isUserPrompt(words)) return { isPrompt: true, isNow: words.trim() === prompt.trim() }
  const content = rowAt(row, 'message')?.content
  const pieces = Array.isArray(content) ? content.filter(isRow) : []
  return {
    calls: pieces.flatMap((piece) => {
      const [id, name] = [textAt(piece, 'id'), textAt(piece, 'name')]
      return piece.type === 'tool_use' && id && name ? [{ id, name }] : []
    }),
    results: pieces.flatMap((piece) => {
      const id = textAt(piece, 'tool_use_id')
      return piece.type === 'tool_result' && id ? [{ id, failed: piece.is_error === true }] : []
    }),
  }
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
