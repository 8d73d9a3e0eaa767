/** Layer of a write (spec W21). Never `team`: that is reached by a person's choice only. */
import type { NoteType, WritableLayer } from '../domain/index.ts'

/** What is known of the project a write happens in. Null outside any project. */
export interface ProjectFacts {
  readonly name: string
  /** Top of the working tree. */
  readonly workingTree: string
  /** True when the text names this code: the project, or a path or identifier that exists in the working tree. */
  mentions(text: string): boolean
}

export const NO_PROJECT = 'There is no project here, so this went to the global layer.'

export interface LayerChoice {
  readonly layer: WritableLayer
  /** Said to the person when the layer is not the one that was meant; else null. */
  readonly notice: string | null
}

/**
 * Ways and identity of the user are global; what names this code, and whatever is in doubt, is the project's.
 * Without a project everything is global.
 */
export function chooseLayer(
  write: { readonly type: NoteType; readonly text: string; readonly given?: WritableLayer },
  project: ProjectFacts | null,
): LayerChoice {
  const wanted = write.given ?? layerByContent(write.type, write.text, project)
  if (wanted === 'global' || project) return { layer: wanted, notice: null }
  // Without a project nothing else was possible; it is worth saying only when the person asked for it.
  return { layer: 'global', notice: write.given ? NO_PROJECT : null }
}

function layerByContent(type: NoteType, text: string, project: ProjectFacts | null): WritableLayer {
  if (!project || type === 'user') return 'global'
  if (type === 'feedback' && !project.mentions(text)) return 'global'
  return 'project'
}
