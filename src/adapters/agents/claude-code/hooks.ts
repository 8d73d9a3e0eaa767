/** The hook side of Claude Code. Pure: parses what the client sends, formats what it reads back. */
import type { AgentHooks, HookEvent } from '../../../domain/index.ts'

export const claudeCodeHooks: AgentHooks = {
  agent: 'claude-code',
  parse: (_eventName, _stdin): HookEvent => ({
    kind: 'other',
    fresh: false,
    nativeSessionId: null,
    transcript: null,
    cwd: null,
    prompt: null,
  }),
  format: (_event, _text) => '',
  isUserPrompt: (_prompt) => false,
  shownBlocks: (_tail) => [],
}
