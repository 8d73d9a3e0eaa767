/** Door of the agents: what each supported agent needs to be read, hooked and wired. */
import type { AgentHooks, AgentWiring, TranscriptReader } from '../domain/index.ts'
import { claudeCodeHooks } from './agents/claude-code/hooks.ts'
import { createClaudeCodeReader } from './agents/claude-code/transcript.ts'
import { claudeCodeWiring } from './agents/claude-code/wiring.ts'
import { codexHooks } from './agents/codex/hooks.ts'
import { createCodexReader } from './agents/codex/transcript.ts'
import { codexWiring } from './agents/codex/wiring.ts'

export { agentHooks } from './hot.ts'
export { wiredChecks } from './wired-checks.ts'

export interface AgentAdapter {
  readonly reader: TranscriptReader
  readonly hooks: AgentHooks
  readonly wiring: AgentWiring
}

/** By agent name, as in session ids. Without a prototype, so that any name may be looked up. */
export const agents: Readonly<Record<string, AgentAdapter>> = Object.assign(Object.create(null), {
  'claude-code': { reader: createClaudeCodeReader(), hooks: claudeCodeHooks, wiring: claudeCodeWiring },
  codex: { reader: createCodexReader(), hooks: codexHooks, wiring: codexWiring },
})
