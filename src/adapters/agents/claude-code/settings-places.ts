/** Where Claude Code keeps its user settings and its state. */
import { join, resolve } from 'node:path'
import type { WiringOptions } from '../../../domain/index.ts'

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
