/** Where notes belong. Only names and places; no I/O. */
import { homeFiles } from './home.ts'

/** The closed set of layers, nearest first (spec S5: worktree > project > team > global). */
export const layerNames = ['worktree', 'project', 'team', 'global'] as const
export type LayerName = (typeof layerNames)[number]

/**
 * One folder of notes.
 * `key` identifies the layer in indexes, locks and scopes: `global`, `projects/<folder>` for a project,
 * `projects/<folder>/team` for what its team shares.
 */
export interface Layer {
  readonly name: LayerName
  readonly key: string
  /** Absolute path of the folder of notes. It may not exist yet: folders are made by the first write. */
  readonly directory: string
}

/** Which layers a write may name. */
export type WritableLayer = 'global' | 'project'

/** Which layers a search or a list may name. */
export const readableLayerNames = ['global', 'project', 'team'] as const
export type ReadableLayer = (typeof readableLayerNames)[number]

/** Folder of the team notes, below the folder of a project's own notes. */
export const TEAM_FOLDER = 'team'

/** The kind of layer that a key names. */
export function layerNameOf(key: string): LayerName {
  if (key === 'global') return 'global'
  const [, , part] = key.split('/')
  if (part === undefined) return 'project'
  return part === TEAM_FOLDER ? 'team' : 'worktree'
}

/** Folder of the project that a layer's key belongs to, or null for what belongs to none. */
export function folderOfLayer(key: string): string | null {
  const [top, folder] = key.split('/')
  return top === homeFiles.projects && folder !== undefined ? folder : null
}

/** Words of others: read like our own, written by nobody here, and never the user's own voice (spec T1, I11). */
export function isShared(layer: Pick<Layer, 'name'>): boolean {
  return layer.name === 'team'
}
