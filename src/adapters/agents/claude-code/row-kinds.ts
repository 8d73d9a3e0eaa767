/**
 * Kinds of rows in a Claude Code transcript (seen in clients 1.0 to 2.1). Messages are taken by this list only; what
 * is not on it is counted under a name made safe to print, because the file is not ours.
 */
import { printableKind } from '../../shared/rows.ts'

/** Rows that never hold a message. */
const silentTypes = new Set([
  'agent-name',
  'agent-setting',
  'ai-title',
  'api-request',
  'api-request-blob',
  'api-request-shape',
  'atis-latch',
  'attribution-snapshot',
  'content-replacement',
  'cost-state',
  'custom-title',
  'file-history-snapshot',
  'last-prompt',
  'mode',
  'permission-mode',
  'pr-link',
  'progress',
  'queue-operation',
  'summary',
  'tag',
  'task-summary',
  'tools-used',
  'worktree-state',
])

/** The types that a transcript must hold at least one of, to be one. */
export function isKnownType(type: string): boolean {
  return silentTypes.has(type) || ['user', 'assistant', 'system', 'attachment'].includes(type)
}

/** Name under which a row without a message is counted. */
export function skippedName(type: string, detail: string | null): string {
  if (type === 'system' || type === 'attachment') return `${type}:${printableKind(detail ?? 'unnamed')}`
  return silentTypes.has(type) ? type : `unknown:${printableKind(type)}`
}
