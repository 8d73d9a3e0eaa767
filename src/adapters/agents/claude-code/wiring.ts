/** Claude Code: one handler for each event in its user settings, one MCP server in its state file. */
import type { WiringOptions } from '../../../domain/index.ts'
import { HOOK_TIMEOUT_SECONDS } from '../../shared/commands.ts'
import { hooksPart } from '../../shared/hook-entries.ts'
import { createWiring, type Part } from '../../shared/wiring.ts'
import { mcpPart } from './mcp-entry.ts'
import { placesOf } from './settings-places.ts'
import { verifyWiring } from './verify.ts'

export const claudeCodeWiring = createWiring({ name: 'claude-code', partsOf, verify: verifyWiring })

function partsOf(options: WiringOptions): readonly Part[] {
  const { settings, state } = placesOf(options)
  const hooks = { name: 'claude-code', file: settings, timeoutSeconds: () => HOOK_TIMEOUT_SECONDS }
  return [hooksPart(hooks, options), mcpPart(state, options)]
}
