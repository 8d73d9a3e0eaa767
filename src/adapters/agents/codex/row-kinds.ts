/**
 * Kinds of rows in a Codex rollout (seen in clients 0.20 to 0.171). Messages are taken by this list only; what is not on
 * it is counted under a name made safe to print, because the file is not ours.
 */
import { printableKind } from '../../shared/rows.ts'

/** Rows of the enveloped form. */
const rowTypes = new Set([
  'compacted',
  'event_msg',
  'inter_agent_communication',
  'response_item',
  'session_meta',
  'token_usage_record',
  'turn_context',
  'world_state',
])

/** Items of a conversation: the payload of a `response_item`, or a row of the bare form. */
const itemTypes = new Set([
  'additional_tools',
  'agent_message',
  'compaction',
  'compaction_summary',
  'context_compaction',
  'custom_tool_call',
  'custom_tool_call_output',
  'function_call',
  'function_call_output',
  'ghost_snapshot',
  'image_generation_call',
  'local_shell_call',
  'local_shell_call_output',
  'message',
  'reasoning',
  'tool_search_call',
  'tool_search_output',
  'web_search_call',
])

export function isItemType(type: string): boolean {
  return itemTypes.has(type)
}

export function isRowType(type: string): boolean {
  return rowTypes.has(type)
}

/** Name under which a row or item without a message is counted. */
export function skippedName(type: string): string {
  return rowTypes.has(type) || itemTypes.has(type) ? type : `unknown:${printableKind(type)}`
}
