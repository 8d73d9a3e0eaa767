/**
 * The hook side of Codex. Pure and small: it is in the hook bundle. Codex runs SessionStart at `resume` too, while the
 * conversation still holds the block of its start, so nothing is said there. It keeps what hooks gave as messages of the
 * developer in its rollout.
 */
import type { AgentHooks, ShownBlock } from '../../../domain/index.ts'
import { FENCE_TAGS, isOwnBlock } from '../../../guard/hot.ts'
import { formatHookOutput, parseHookInput } from '../../shared/hook-words.ts'
import { isRow, parseRow, type Row, rowAt, someRow, textAt } from '../../shared/rows.ts'
import { type TurnPiece, usesIn } from '../../shared/tool-uses.ts'
import { harnessName } from './harness-text.ts'
import { toolPiece } from './tool-piece.ts'

export const codexHooks: AgentHooks = {
  agent: 'codex',
  parse: parseHookInput,
  format: formatHookOutput,
  isUserPrompt,
  hasEarlierPrompt: (tail, prompt) =>
    someRow(tail, '"input_text"', (row) => promptsIn(row).some((text) => text.trim() !== prompt.trim())),
  toolUses: (tail, prompt) => usesIn(tail, (row) => promptPiece(row, prompt) ?? toolPiece(row)),
  shownBlocks,
}

function isUserPrompt(prompt: string): boolean {
  return prompt.trim() !== '' && !prompt.startsWith('/') && harnessName(prompt) === null
}

/** What the user typed, piece by piece. */
function promptsIn(row: Row): string[] {
  const item = row.type === 'response_item' ? rowAt(row, 'payload') : null
  const pieces = item?.role === 'user' && Array.isArray(item.content) ? item.content.filter(isRow) : []
  return pieces.map((piece) => textAt(piece, 'text') ?? '').filter(isUserPrompt)
}

function promptPiece(row: Row, prompt: string): TurnPiece | null {
  const said = promptsIn(row)
  return said.length === 0 ? null : { isPrompt: true, isNow: said.every((text) => text.trim() === prompt.trim()) }
}

const ownOpening = new RegExp(`^<${FENCE_TAGS.block} kind="(start|turn)"`)

function shownBlocks(transcriptTail: string): readonly ShownBlock[] {
  const found: ShownBlock[][] = []
  const lines = transcriptTail.split('\n')
  for (let index = lines.length - 1; index >= 0; index--) {
    const line = lines[index] ?? ''
    // A plain look first: most rows are large and none of ours.
    const isBoundary = line.includes('"compacted"')
    if (!isBoundary && !line.includes(FENCE_TAGS.block)) continue
    const row = parseRow(line)
    if (!row) continue
    const time = textAt(row, 'timestamp')
    const payload = rowAt(row, 'payload') ?? {}
    if (row.type === 'compacted') {
      // What the compaction took over is still to be seen.
      const kept = Array.isArray(payload.replacement_history) ? payload.replacement_history.filter(isRow) : []
      found.push(kept.flatMap((item) => blocksOf(item, time)))
      break
    }
    if (row.type === 'response_item') found.push(blocksOf(payload, time))
  }
  return found.reverse().flat()
}

function blocksOf(item: Row, time: string | null): ShownBlock[] {
  if (item.type !== 'message' || item.role !== 'developer' || !Array.isArray(item.content)) return []
  return item.content.filter(isRow).flatMap((piece) => {
    const text = textAt(piece, 'text') ?? ''
    const kind = ownOpening.exec(text.trimStart())?.[1]
    return (kind === 'start' || kind === 'turn') && isOwnBlock(text) ? [{ kind, text, time }] : []
  })
}
