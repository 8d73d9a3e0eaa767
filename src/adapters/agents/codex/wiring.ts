/**
 * Codex: one handler for each event in `hooks.json`, one MCP server in `config.toml`. Our handlers go behind those of
 * others, because Codex keeps the person's trust by position: what is trusted stays so. The trust itself, and the
 * client's own memory (`[features] memories`, `[memories]`), are never touched.
 */
import type { WiringOptions } from '../../../domain/index.ts'
import { HOOK_TIMEOUT_SECONDS } from '../../shared/commands.ts'
import { hooksPart } from '../../shared/hook-entries.ts'
import { createWiring, type Part } from '../../shared/wiring.ts'
import { mcpPart } from './mcp-block.ts'
import { placesOf } from './places.ts'
import { asksPerson, verifyWiring } from './verify.ts'

/** Codex caps this event and warns at each start about a longer one. */
const SESSION_END_TIMEOUT_SECONDS = 3

export const codexWiring = createWiring({ name: 'codex', partsOf, verify: verifyWiring, asksPerson })

function partsOf(options: WiringOptions): readonly Part[] {
  const { hooks: file, config } = placesOf(options)
  const hooks = hooksPart(
    {
      name: 'codex',
      file,
      timeoutSeconds: (event) => (event === 'SessionEnd' ? SESSION_END_TIMEOUT_SECONDS : HOOK_TIMEOUT_SECONDS),
    },
    options,
  )
  const remark = (text: string) => `; ${TRUST_REQUEST}${hooks.remark?.(text) ?? ''}`
  return [{ ...hooks, remark }, mcpPart(config, options)]
}

const TRUST_REQUEST =
  'open Codex, type /hooks and trust those of Keepsake: only you can, and until then Codex skips them without a word'
