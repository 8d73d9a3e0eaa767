/**
 * Rows of one Codex rollout in order: the enveloped form (`{timestamp, type, payload}`) and the bare form of 2025. Only the
 * first header counts: a fork holds that of its parent behind its own, with the parent's rows copied. A thread that
 * another agent started says nothing of the user, whatever its rows claim; what it writes is written.
 */
import { nowhere, type RowPlace, safeSessionId } from '../../shared/batch.ts'
import { emptyContent, type RowContent } from '../../shared/row-content.ts'
import { isRow, printableKind, type Row, rowAt, textAt } from '../../shared/rows.ts'
import { noteWrite } from '../../shared/tool-calls.ts'
import { type ItemPlace, readItem } from './read-item.ts'
import { isItemType, isRowType, skippedName } from './row-kinds.ts'
import { changedPaths } from './written-paths.ts'

export interface Rollout {
  readRow(row: Row, toolNameOf: ItemPlace['toolNameOf']): RowContent
  placeOf(row: Row): RowPlace
}

/** Both functions are given every row, in order. */
export function createRollout(): Rollout {
  let header: Row | null = null
  return {
    readRow(row, toolNameOf) {
      header ??= isHeader(row) ? row : null
      const content = readAny(row, { time: textAt(row, 'timestamp'), toolNameOf })
      if (content.messages.length === 0 || !header || !isOfAgent(header)) return content
      return { ...content, messages: [], startsTurn: false, skipped: 'sub-agent' }
    },
    placeOf(row) {
      header ??= isHeader(row) ? row : null
      return row === header ? placeOfHeader(row) : placeOfRow(row)
    },
  }
}

export function isRolloutRow(row: Row): boolean {
  const type = textAt(row, 'type')
  if (type === null) return isHeader(row) || row.record_type === 'state'
  return isRowType(type) || isItemType(type)
}

function isHeader(row: Row): boolean {
  if (row.type === 'session_meta') return true
  return row.type === undefined && typeof row.id === 'string' && typeof row.timestamp === 'string'
}

function metaOf(header: Row): Row {
  return rowAt(header, 'payload') ?? header
}

/** Sub-agents, reviewers and the client's own threads; a fork by the user is none. */
function isOfAgent(header: Row): boolean {
  const meta = metaOf(header)
  const source = textAt(meta, 'thread_source')
  const origin = rowAt(meta, 'source')
  return (source !== null && source !== 'user') || (origin !== null && 'subagent' in origin)
}

/** A thread of another agent belongs to the conversation that it serves. */
function placeOfHeader(header: Row): RowPlace {
  const meta = metaOf(header)
  const own = safeSessionId(textAt(meta, 'id'))
  const served = safeSessionId(textAt(meta, 'session_id') ?? textAt(meta, 'parent_thread_id'))
  return {
    ...nowhere,
    sessionId: isOfAgent(header) ? (served ?? own) : own,
    cwd: textAt(meta, 'cwd'),
    branch: textAt(rowAt(meta, 'git') ?? {}, 'branch'),
  }
}

/** Each turn names its folder; the bare form does so only in the environment that is told to the model. */
function placeOfRow(row: Row): RowPlace {
  const payload = rowAt(row, 'payload')
  if (row.type === 'turn_context') return { ...nowhere, cwd: payload && textAt(payload, 'cwd') }
  if (row.type === 'event_msg' && payload?.type === 'thread_name_updated')
    return { ...nowhere, title: textAt(payload, 'thread_name') }
  if (row.type === 'message' && row.role === 'user') return { ...nowhere, cwd: folderTold(row.content) }
  return nowhere
}

function folderTold(content: unknown): string | null {
  const first = Array.isArray(content) && isRow(content[0]) ? (textAt(content[0], 'text') ?? '') : ''
  if (!first.startsWith('<environment_context>')) return null
  return /<cwd>([^<\n]+)<\/cwd>|^\s*Current working directory: (.+)$/m.exec(first)?.slice(1).find(Boolean) ?? null
}

function readAny(row: Row, place: ItemPlace): RowContent {
  const type = textAt(row, 'type')
  const payload = rowAt(row, 'payload') ?? {}
  if (type === null)
    return {
      ...emptyContent,
      skipped: isHeader(row) ? 'session_meta' : isRolloutRow(row) ? 'state' : 'unknown:unnamed',
    }
  if (type === 'response_item') return readResponse(row, payload, place)
  if (type === 'event_msg') return readEvent(payload, place)
  return isItemType(type) ? readItem(row, place) : { ...emptyContent, skipped: skippedName(type) }
}

function readResponse(row: Row, payload: Row, place: ItemPlace): RowContent {
  // What a compaction wrote for the model is no answer to the user.
  if (rowAt(row, 'metadata')?.compaction_output === true) return { ...emptyContent, skipped: 'compact-summary' }
  return readItem(payload, place)
}

/** Events repeat what items say, but they alone tell where a turn ends and whether a tool did its work. */
function readEvent(event: Row, { time }: ItemPlace): RowContent {
  const type = textAt(event, 'type') ?? ''
  const skipped = `event:${printableKind(type)}`
  if (/^(?:task|turn)_started$/.test(type)) return { ...emptyContent, answer: 'open', skipped }
  if (/^(?:(?:task|turn)_complete|turn_aborted)$/.test(type)) return { ...emptyContent, answer: 'finished', skipped }
  const item = type === 'item_completed' ? (rowAt(event, 'item') ?? {}) : event
  const kind = textAt(item, 'type') ?? ''
  if (kind === 'FileChange' || kind === 'patch_apply_end') return { ...emptyContent, ...changeOf(item, time), skipped }
  if (kind === 'McpToolCall' || kind === 'mcp_tool_call_end')
    return { ...emptyContent, toolResults: failedCall(item), skipped }
  return { ...emptyContent, skipped }
}

function changeOf(item: Row, time: string | null): Pick<RowContent, 'writes' | 'toolResults'> {
  const isDone = item.success === true || item.status === 'completed'
  if (!isDone) return { writes: [], toolResults: failure(item) }
  const writes = changedPaths(item.changes).flatMap((path) => noteWrite(path, 'apply_patch', { cwd: null, time }) ?? [])
  return { writes, toolResults: [] }
}

/** A call that did not succeed, as its result; nothing when it did, because then its answer follows as an item. */
function failedCall(item: Row): RowContent['toolResults'] {
  const result = rowAt(item, 'result') ?? {}
  const answer = rowAt(result, 'Ok') ?? result
  const failed = item.status === 'failed' || 'Err' in result || answer.isError === true || answer.is_error === true
  return failed ? failure(item) : []
}

function failure(item: Row): RowContent['toolResults'] {
  const id = textAt(item, 'call_id') ?? textAt(item, 'id')
  return id === null ? [] : [{ id, isError: true }]
}
