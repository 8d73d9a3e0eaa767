/**
 * Hooks of agents that speak the words of Claude Code: JSON with `session_id`, `transcript_path`, `cwd`, `source` and
 * `prompt` on stdin, `hookSpecificOutput` and no other key on stdout. Pure and small: it is in the hook bundle.
 */
import type { HookEvent } from '../../domain/index.ts'
import { parseRow, textAt } from './rows.ts'

/** Events of which each starts one process; the rest of a host's events stay free. */
export const wiredEvents = ['SessionStart', 'UserPromptSubmit', 'Stop', 'PreCompact', 'SessionEnd'] as const

const kinds: Readonly<Record<string, HookEvent['kind']>> = {
  SessionStart: 'session-start',
  UserPromptSubmit: 'user-prompt',
  Stop: 'turn-end',
  PreCompact: 'before-compaction',
  SessionEnd: 'session-end',
}

/** Where a session begins without our block: any other source resumes or copies a conversation that still holds it. */
const freshSources = new Set(['startup', 'clear', 'compact'])

const answering: Readonly<Record<string, string>> = {
  'session-start': 'SessionStart',
  'user-prompt': 'UserPromptSubmit',
}

/** Never throws: what is not as expected gives `other`. */
export function parseHookInput(eventName: string, stdin: string): HookEvent {
  const input = parseRow(stdin.replace(/^\uFEFF/, '')) ?? {}
  // Hooks of a sub-agent are not those of the conversation.
  const isOurs = Object.hasOwn(kinds, eventName) && !textAt(input, 'agent_id')
  const kind = isOurs ? kinds[eventName] : undefined
  const isCompacted = kind === 'session-start' && textAt(input, 'source') === 'compact'
  return {
    ...(isCompacted ? { compacted: true as const } : {}),
    kind: kind ?? 'other',
    fresh: kind === 'session-start' && freshSources.has(textAt(input, 'source') ?? ''),
    nativeSessionId: textAt(input, 'session_id') || null,
    transcript: textAt(input, 'transcript_path') || null,
    cwd: textAt(input, 'cwd') || null,
    prompt: textAt(input, 'prompt'),
  }
}

/** Text for stdout; a key beside `hookSpecificOutput` would make some hosts drop the context. */
export function formatHookOutput(event: HookEvent, text: string): string {
  const hookEventName = answering[event.kind]
  if (text === '' || hookEventName === undefined) return ''
  return JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext: text } })
}
