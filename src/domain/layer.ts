/** Where notes belong. Only names and places; no I/O. */

/** The closed set of layers, nearest first (spec S5: worktree > project > team > global). */
export const layerNames = ['worktree', 'project', 'team', 'global'] as const
export type LayerName = (typeof layerNames)[number]

/**
 * One folder of notes.
 * `key` identifies the layer in indexes, locks and scopes: `global`, or `projects/<folder>` for a project.
 */
export interface Layer {
  readonly name: LayerName
  readonly key: string
  /** Absolute path of the folder of notes. It may not exist yet: folders are made by the first write. */
  readonly directory: string
}

/** Which layers a person may name in a command. */
export type WritableLayer = 'global' | 'project'
