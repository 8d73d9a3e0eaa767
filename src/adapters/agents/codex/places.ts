/** Where Codex keeps its hooks and its configuration. */
import { join, resolve } from 'node:path'
import type { WiringOptions } from '../../../domain/index.ts'

export interface Places {
  readonly folder: string
  readonly hooks: string
  readonly config: string
}

/** `CODEX_HOME` moves all of it. */
export function placesOf({ userHome, environment }: Pick<WiringOptions, 'userHome' | 'environment'>): Places {
  const folder = environment.CODEX_HOME ? resolve(environment.CODEX_HOME) : join(userHome, '.codex')
  return { folder, hooks: join(folder, 'hooks.json'), config: join(folder, 'config.toml') }
}
