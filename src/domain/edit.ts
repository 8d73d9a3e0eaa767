/** Live edits (spec W2): what an agent or person changes of what is known, entry by entry. */
import type { WritableLayer } from './layer.ts'
import type { EntriesNow, Entry, Rejection, WriteNotes } from './outcome.ts'
import type { ProfileUsage } from './profile.ts'
import type { NewMemory, WriteOptions } from './remember.ts'

export const editActions = ['add', 'replace', 'remove', 'move'] as const

/** Edits of one call; more is an import. */
export const MAX_EDITS = 50

/** Where an entry can go: shown whole at every start (`profile`), an ordinary note, or another layer. */
export const moveTargets = ['profile', 'note', 'global', 'project'] as const
export type MoveTarget = 'profile' | 'note' | WritableLayer

/**
 * One change. `find` is a part of the entry, word for word, that stands nowhere else; a whole entry wins over a part.
 * `in` names the note in which to look, by id, file name or name.
 */
export type Edit =
  | (NewMemory & { readonly action: 'add' })
  /** Exactly the words of `find` become `text`; everything around them stays. */
  | { readonly action: 'replace'; readonly find: string; readonly text: string; readonly in?: string }
  /** The whole entry that holds `find` goes; a whole note is archived, never deleted. Without `find`: the note `in`. */
  | { readonly action: 'remove'; readonly find?: string; readonly in?: string }
  /** The note that holds `find`. Without `find`: the note `in`. */
  | { readonly action: 'move'; readonly find?: string; readonly in?: string; readonly to: MoveTarget }

/** What proves one edit, where the edits of a call do not rest on the same words. */
export type ProvenEdit = Edit & Pick<WriteOptions, 'evidence' | 'time'>

export interface EditInput extends WriteOptions {
  /** 1..`MAX_EDITS`, in order. All or none. */
  readonly edits: readonly ProvenEdit[]
  /** Not done now, whatever the mode of the layers: it waits for the person's yes, and this sentence says why. */
  readonly asProposal?: string
}

/** What became of one edit. */
export interface EditedEntry extends Entry {
  readonly action: Edit['action']
  readonly outcome: 'written' | 'merged' | 'unchanged'
}

export type EditResult =
  | (WriteNotes & {
      readonly outcome: 'written' | 'merged' | 'unchanged'
      readonly entries: readonly EditedEntry[]
      /** Live use of the profile. */
      readonly profile: readonly ProfileUsage[]
    })
  | (WriteNotes & {
      readonly outcome: 'proposed'
      readonly proposalIds: readonly string[]
      readonly reason: string
      readonly profile: readonly ProfileUsage[]
    })
  /** `entries`: those that match, or that are there now. `edit`: 1-based place of the edit that was refused. */
  | (WriteNotes & EntriesNow & { readonly outcome: 'rejected'; readonly reason: Rejection; readonly edit: number })
