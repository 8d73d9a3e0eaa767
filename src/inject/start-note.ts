/** What the start block knows of one note. */
import type { ScannedNote } from '../store/notes/layer-scan.ts'
import type { ValuedNote } from '../store/notes/value-order.ts'

type Head =
  | 'id'
  | 'layer'
  | 'file'
  | 'name'
  | 'description'
  | 'type'
  | 'voice'
  | 'pinned'
  | 'status'
  | 'updated'
  | 'appliesTo'
  | 'mutes'
  | 'expires'
  | 'hash'

export interface StartNote extends Pick<ScannedNote, Head>, Pick<ValuedNote, 'listed'> {
  /** Whole body, given for pinned notes only. */
  readonly body: string | null
}

/** Whether the note is an entry of the profile: pinned, and with words. */
export function isEntry({ pinned, body }: Pick<StartNote, 'pinned' | 'body'>): boolean {
  return pinned && body !== null && body.trim() !== ''
}
