/**
 * The hook side of Claude Code. Pure and small: it is in the hook bundle. Input that is not as expected gives `other`,
 * never an error. What may go back is `{hookSpecificOutput: {hookEventName, additionalContext}}` and no other key.
 */
import type { AgentHooks, HookEvent, ShownBlock } from '../../../domain/index.ts'
import { isOwnBlock } from '../../../guard/index.ts'
import { parseRow, type Row, rowAt, textAt } from '../../shared/rows.ts'
import { leadingClientTag } from './client-tags.ts'

const kinds: Readonly<Record<string, HookEvent['kind']>> = {
  SessionStart: 'session-start',
  UserPromptSubmit: 'user-prompt',
  Stop: 'turn-end',
  PreCompact: 'before-compaction',
  SessionEnd: 'session-end',
}

/** At `resume` and `fork` the conversation still holds the block of its start; a second one would stand beside it. */
const freshSources = new Set(['startup', 'clear', 'compact'])

const answering: Readonly<Record<string, string>> = {
  'session-start': 'SessionStart',
  'user-prompt': 'UserPromptSubmit',
}

export const claudeCodeHooks: AgentHooks = {
  agent: 'claude-code',
  parse,
  format(event, text) {
    const hookEventName = answering[event.kind]
    if (text === '' || hookEventName === undefined) return ''
    return JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext: text } })
  },
  isUserPrompt: (prompt) => prompt.trim() !== '' && !prompt.startsWith('/') && leadingClientTag(prompt) === null,
  shownBlocks,
}

function parse(eventName: string, stdin: string): HookEvent {
  const input = parseRow(stdin.replace(/^\uFEFF/, '')) ?? {}
  // Hooks of a sub-agent are not those of the conversation.
  const isOurs = Object.hasOwn(kinds, eventName) && !textAt(input, 'agent_id')
  const kind = isOurs ? kinds[eventName] : undefined
  return {
    kind: kind ?? 'other',
    fresh: kind === 'session-start' && freshSources.has(textAt(input, 'source') ?? ''),
    nativeSessionId: textAt(input, 'session_id') || null,
    transcript: textAt(input, 'transcript_path') || null,
    cwd: textAt(input, 'cwd') || null,
    prompt: textAt(input, 'prompt'),
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
