/** What was found in the text of a note, before anything is looked up. */
import type { AnchorKind } from '../../domain/index.ts'

interface Place {
  readonly kind: AnchorKind
  /** As it stands in the note. */
  readonly text: string
  /** Where it stands: from, and behind its last character. */
  readonly at: number
  readonly end: number
  /** False for what only the tree can tell from other words: it is dropped when it is not there and never was. */
  readonly isSure: boolean
}

export interface PathAnchor extends Place {
  readonly kind: 'path'
  readonly path: string
}

export interface LineAnchor extends Place {
  readonly kind: 'line'
  readonly path: string
  /** Counted from 1. */
  readonly from: number
  readonly to: number
}

export interface SymbolAnchor extends Place {
  readonly kind: 'symbol'
  readonly name: string
  /** `Foo` of `Foo.bar()`. */
  readonly owner: string | null
  /** The file that the note says it is in. */
  readonly path: string | null
}

/** What a command needs in the tree. */
export type CommandNeed =
  | { readonly kind: 'script'; readonly name: string }
  | { readonly kind: 'target'; readonly of: 'make' | 'just'; readonly name: string }
  | { readonly kind: 'cargo'; readonly name: string }
  | { readonly kind: 'tool'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'module'; readonly name: string }

export interface CommandAnchor extends Place {
  readonly kind: 'command'
  readonly need: CommandNeed
}

export interface ConfigAnchor extends Place {
  readonly kind: 'config'
  readonly key: string
  /** What the note says it is set to. */
  readonly value: string | null
  readonly path: string
}

export interface VersionAnchor extends Place {
  readonly kind: 'version'
  /** Lower case. */
  readonly name: string
  readonly version: string
  readonly isAtLeast: boolean
}

export interface RefAnchor extends Place {
  readonly kind: 'ref'
  readonly of: 'branch' | 'tag' | 'commit'
  readonly name: string
}

export type Anchor = PathAnchor | LineAnchor | SymbolAnchor | CommandAnchor | ConfigAnchor | VersionAnchor | RefAnchor
