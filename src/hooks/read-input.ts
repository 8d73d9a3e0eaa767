/** What a hook reads on its stdin, bounded in bytes and in time. */
import type { Readable } from 'node:stream'

/** The client writes at once; a pipe that nobody closes must not hold the hook. */
export const STDIN_BUDGET_MS = 300
const MAX_STDIN_BYTES = 8 * 1024 * 1024

/** Everything until the end of the stream, the time or the size, whichever comes first. */
export function readStdin(stream: Readable, budgetMs: number = STDIN_BUDGET_MS): Promise<string> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = []
    let bytes = 0
    const done = () => {
      clearTimeout(timer)
      stream.pause()
      resolve(Buffer.concat(pieces).toString('utf8'))
    }
    const timer = setTimeout(done, budgetMs)
    stream.on('data', (piece: Buffer) => {
      pieces.push(piece)
      bytes += piece.length
      if (bytes > MAX_STDIN_BYTES) done()
    })
    stream.on('end', done)
    stream.on('error', done)
  })
}
