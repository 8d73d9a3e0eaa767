/** Which tools were used in the turn that just ended, from the end of a transcript, read backwards. Nothing here throws. */
import type { ToolUse } from '../../domain/index.ts'
import { parseRow, type Row } from './rows.ts'

/** What one row says. */
export type TurnPiece =
  /** A message of the user; `isNow`: the one that is being answered. */
  | { readonly isPrompt: true; readonly isNow: boolean }
  | {
      readonly isPrompt?: false
      readonly calls: readonly { readonly id: string; readonly name: string }[]
      readonly results: readonly { readonly id: string; readonly failed: boolean }[]
    }

/** Rows of one turn that are looked at; a longer turn is known by its end. */
const MAX_ROWS = 2_000

/** In the order of the calls. A call without an answer was not used. */
export function usesIn(transcriptTail: string, pieceOf: (row: Row) => TurnPiece | null): ToolUse[] {
  const failed = new Map<string, boolean>()
  const uses: ToolUse[] = []
  let end = transcriptTail.length
  for (let rows = 0; rows < MAX_ROWS && end > 0; rows++) {
    const start = transcriptTail.lastIndexOf('\n', end - 1) + 1
    const row = parseRow(transcriptTail.slice(start, end))
    end = start - 1
    const piece = row && pieceOf(row)
    if (!piece) continue
    if (piece.isPrompt) {
      if (piece.isNow && uses.length === 0) continue
      break
    }
    for (const result of piece.results) failed.set(result.id, result.failed || failed.get(result.id) === true)
    for (const { id, name } of [...piece.calls].reverse()) {
      const isFailed = failed.get(id)
      if (isFailed !== undefined) uses.push({ name, failed: isFailed })
    }
  }
  return uses.reverse()
}
