/** The end of a transcript, bounded in bytes. */
import { open, stat } from 'node:fs/promises'

/** Far more than lies between two compactions as a rule; what is further back counts as not shown. */
export const MAX_TAIL_BYTES = 4 * 1024 * 1024

/** Null when it is not there or no plain file: a pipe, for one, would wait for its other end. */
export async function lookAtFile(file: string): Promise<{ size: number; began: string | null } | null> {
  const found = await stat(file).catch(() => null) // A transcript that is not there yet is an ordinary start.
  if (!found?.isFile()) return null
  return { size: found.size, began: found.birthtimeMs > 0 ? new Date(found.birthtimeMs).toISOString() : null }
}

/** The last bytes of a file as text, from the first whole line on. Empty when there is none. */
export async function readTail(file: string, maxBytes: number = MAX_TAIL_BYTES): Promise<string> {
  const found = await lookAtFile(file)
  if (!found) return ''
  const { size } = found
  const handle = await open(file, 'r')
  try {
    const start = Math.max(0, size - maxBytes)
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(size - start), 0, size - start, start)
    const text = buffer.toString('utf8', 0, bytesRead)
    return start === 0 ? text : text.slice(text.indexOf('\n') + 1)
  } finally {
    await handle.close()
  }
}
