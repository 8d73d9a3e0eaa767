/** Whether a note counts in the place it is read from (spec S5). Decided by `store/notes/precedence`, shown by every door. */
import type { LayerName } from './layer.ts'

/** The note that stands before another one. */
export interface Silencer {
  readonly id: string
  readonly name: string
  readonly layer: LayerName
}

export type Standing =
  | { readonly state: 'stands' }
  /** A note of the same name in a nearer layer, or one that names it in `mutes`, counts instead. */
  | { readonly state: 'overridden' | 'muted'; readonly by: Silencer }
  /** Its `applies_to` names other places than this one. */
  | { readonly state: 'elsewhere'; readonly appliesTo: readonly string[] }
  /** Archived, superseded or expired. */
  | { readonly state: 'retired' }

export const STANDS: Standing = { state: 'stands' }

/** In words, for lists and answers; null for a note that counts. */
export function standingWords(standing: Standing | undefined): string | null {
  switch (standing?.state) {
    case undefined:
    case 'stands':
      return null
    case 'overridden':
      return `overridden by "${standing.by.name}" (${standing.by.layer})`
    case 'muted':
      return `muted by "${standing.by.name}" (${standing.by.layer})`
    case 'elsewhere':
      return `applies elsewhere: ${standing.appliesTo.join(', ')}`
    case 'retired':
      return 'no longer meant'
  }
}
