/** Where Claude Code keeps its user settings and its state, and what we put there. */
import { join, resolve } from 'node:path'
import type { WiringOptions } from '../../../domain/index.ts'

/** Events of which each starts one process; the rest of the host's events stay free. */
export const wiredEvents = ['SessionStart', 'UserPromptSubmit', 'Stop', 'PreCompact', 'SessionEnd'] as const

/** Seconds, as this client counts; the hook gives up by itself after one. */
export const HOOK_TIMEOUT_SECONDS = 10

/** By these our entries are known again, whatever paths stand in them. */
export const HOOK_MARK = '--keepsake'
export const MCP_NAME = 'keepsake'
export const MCP_MARK = 'KEEPSAKE_AGENT'

export interface Places {
  readonly settings: string
  /** State file with the MCP servers of the user scope. */
  readonly state: string
}

/** `CLAUDE_CONFIG_DIR` moves both; without it the state lies beside the folder. */
export function placesOf({ userHome, environment }: Pick<WiringOptions, 'userHome' | 'environment'>): Places {
  const moved = environment.CLAUDE_CONFIG_DIR
  if (moved) return { settings: join(resolve(moved), 'settings.json'), state: join(resolve(moved), '.claude.json') }
  return { settings: join(userHome, '.claude', 'settings.json'), state: join(userHome, '.claude.json') }
}

/**
 * One handler as this client reads it. A command line, because every version of the client runs it; it needs no PATH,
 * and a Node that is gone does not disturb the session.
 */
export function hookHandler(hookCommand: readonly string[], event: string) {
  const words = [...hookCommand, 'claude-code', event, HOOK_MARK].map(shellWord)
  return { type: 'command', command: `${words.join(' ')} || exit 0`, timeout: HOOK_TIMEOUT_SECONDS }
}

export function mcpEntry(mcpCommand: readonly string[]) {
  const [command = '', ...rest] = mcpCommand
  return { type: 'stdio', command, args: rest, env: { [MCP_MARK]: 'claude-code' } }
}

/** Quoted for a POSIX shell when it has to be; plain words run in every shell. */
export function shellWord(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
