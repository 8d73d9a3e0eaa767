/** What one row of a rollout says about calls of tools and how they ended. In the hook bundle: small, and nothing throws. */
import { isRow, type Row, rowAt, textAt } from '../../shared/rows.ts'
import type { TurnPiece } from '../../shared/tool-uses.ts'
import { refusal } from './harness-text.ts'

/** UTF-16 units of an answer in which the exit code of a shell stands. */
const HEAD_LENGTH = 2_000
const exitCodes = /"exit_code":\s*(-?\d+)|^(?:Process exited with code|Exit code:?)\s+(-?\d+)/m

export function toolPiece(row: Row): TurnPiece | null {
  const item = rowAt(row, 'payload')
  if (!item) return null
  if (row.type === 'event_msg') return { calls: [], results: failedCalls(item) }
  const id = textAt(item, 'call_id') ?? textAt(item, 'id')
  if (row.type !== 'response_item' || id === null) return null
  if ('output' in item) return { calls: [], results: [{ id, failed: isFailure(item.output) }] }
  const name = item.type === 'local_shell_call' ? 'local_shell' : textAt(item, 'name')
  const namespace = textAt(item, 'namespace')
  return { calls: name === null ? [] : [{ id, name: namespace ? `${namespace}__${name}` : name }], results: [] }
}

/** Only events say that a command or a call over MCP failed. */
function failedCalls(event: Row): { id: string; failed: boolean }[] {
  const item = event.type === 'item_completed' ? (rowAt(event, 'item') ?? {}) : event
  const id = textAt(item, 'call_id') ?? textAt(item, 'id')
  const result = rowAt(item, 'result') ?? {}
  const answer = rowAt(result, 'Ok') ?? result
  const isFailed =
    item.status === 'failed' ||
    item.success === false ||
    (typeof item.exit_code === 'number' && item.exit_code !== 0) ||
    'Err' in result ||
    answer.isError === true ||
    answer.is_error === true
  return id !== null && isFailed ? [{ id, failed: true }] : []
}

/** A shell ends with its exit code, as text or as data; a refused call says so in its first words. */
function isFailure(output: unknown): boolean {
  if (isRow(output)) return output.success === false || isFailure(output.content ?? output.output)
  const pieces = Array.isArray(output) ? output.map((piece) => (isRow(piece) ? textAt(piece, 'text') : '')) : [output]
  const text = pieces.filter((piece) => typeof piece === 'string').join('\n')
  const code = exitCodeIn(text)
  return code === null ? refusal.test(text.trimStart()) : code !== 0
}

/** With which code a shell ended, as its answer says; null where it says none. */
export function exitCodeIn(answer: string): number | null {
  const code = exitCodes.exec(answer.slice(0, HEAD_LENGTH))
  return code === null ? null : Number(code[1] ?? code[2])
}
