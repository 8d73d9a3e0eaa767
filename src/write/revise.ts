/** One note file changed by as little as possible. */
import type { NewNoteFields } from '../store/notes/note-format.ts'
import { patchNoteFile } from '../store/notes/note-patch.ts'

/** Keys to set, and the whole new body when the words changed. */
export interface Revision extends Partial<NewNoteFields> {
  readonly body?: string
}

/** Throws NOTE_FORMAT_INVALID for a file that must not be edited. */
export function revise(bytes: Uint8Array, { body, ...set }: Revision, file: string): Uint8Array {
  return patchNoteFile(bytes, { set, ...(body === undefined ? {} : { body: { replace: body } }) }, file)
}
