/** The one look at a transcript that is not the reader's: how it begins, so that a cursor belongs to one file. */
import { open, stat } from 'node:fs/promises'
import { MemoryError } from '../errors.ts'

/** Bytes that tell one transcript from another at the same path. */
export const HEAD_BYTES = 1_024

export interface TranscriptHead {
  /** At most HEAD_BYTES. */
  readonly head: Uint8Array
  /** Size of the file in bytes. */
  readonly size: number
}

/** Throws TRANSCRIPT_UNREADABLE when the file cannot be opened or is no regular file. */
export async function readTranscriptHead(file: string): Promise<TranscriptHead> {
  try {
    // Looked at first: opening a pipe would wait for its other end.
    if (!(await stat(file)).isFile()) throw new Error('not a regular file')
    const handle = await open(file, 'r')
    try {
      const { size } = await handle.stat()
      const { bytesRead, buffer } = await handle.read(new Uint8Array(HEAD_BYTES), 0, HEAD_BYTES, 0)
      return { head: buffer.subarray(0, bytesRead), size }
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw new MemoryError('TRANSCRIPT_UNREADABLE', `The transcript ${file} cannot be read`, {
      hint: 'Check the path; it is the log file that the agent wrote.',
      data: { file },
      cause: error,
    })
  }
}
