/** Light door: only the hook side of each agent, for the hook bundle. */
import type { AgentHooks } from '../domain/index.ts'
import { claudeCodeHooks } from './agents/claude-code/hooks.ts'

/** By agent name, as in session ids. */
export const agentHooks: Readonly<Record<string, AgentHooks>> = { 'claude-code': claudeCodeHooks }
