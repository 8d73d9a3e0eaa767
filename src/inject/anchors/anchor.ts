/** What was found in the text of a note, before anything is looked up. */
import type { AnchorKind } from '../../domain/index.ts'

interface Place {
  readonly kind: AnchorKind
  /** As it stands in the note. */
  readonly text: string
  /** Where it stands: from, and behind its last character. */
  readonly at: number
  readonly end: number
}

export interface PathAnchor extends Place {
  readonly kind: 'path'
  readonly path: string
  /** False for what only the tree can tell from other words ("client/server"): it is dropped when it was never there. */
  readonly isSure: boolean
}

export type Anchor = PathAnchor
