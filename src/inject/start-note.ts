/** What the start block knows of one note. */
import type { ScannedNote } from '../store/notes/layer-scan.ts'

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

export interface StartNote extends Pick<ScannedNote, Head> {
  /** Whole body, given for pinned notes only. */
  readonly body: string | null
}
