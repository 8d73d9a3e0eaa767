/** One note file changed by as little as possible. */
import type { NewNoteFields } from '../store/notes/note-format.ts'
import { type BodySplice, patchNoteFile } from '../store/notes/note-patch.ts'

/** Keys to set, and the whole new body, or a part of it, when the words changed. */
export interface Revision extends Partial<NewNoteFields> {
  readonly body?: string
  readonly splice?: BodySplice
}

/** Throws NOTE_FORMAT_INVALID for a file that must not be edited. */
export function revise(bytes: Uint8Array, { body, splice, ...set }: Revision, file: string): Uint8Array {
  const words = splice ? { body: { splice } } : body === undefined ? {} : { body: { replace: body } }
  return patchNoteFile(bytes, { set, ...words }, file)
}
