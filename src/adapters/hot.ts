/** Light door: only the hook side of each agent, for the hook bundle. */
import type { AgentHooks } from '../domain/index.ts'
import { claudeCodeHooks } from './agents/claude-code/hooks.ts'
import { codexHooks } from './agents/codex/hooks.ts'

/** By agent name, as in session ids. Without a prototype, so that any name may be looked up. */
export const agentHooks: Readonly<Record<string, AgentHooks>> = Object.assign(Object.create(null), {
  'claude-code': claudeCodeHooks,
  codex: codexHooks,
})
