/**
 * Lines of a log file that another program may be writing: forward, at flat memory, with byte offsets. A last line
 * without its line end is given too and marked; the caller decides whether it is whole.
 */
import type { FileHandle } from 'node:fs/promises'
import { open, stat } from 'node:fs/promises'
import { MemoryError, throwIfCancelled } from '../errors.ts'

const CHUNK_BYTES = 256 * 1024

/** Longer lines are given without their text: an image of this size holds no words. */
export const MAX_LINE_BYTES = 32 * 1024 * 1024

export interface LogLine {
  /** Null when the line is longer than MAX_LINE_BYTES. */
  readonly text: string | null
  /** Byte offset after the line and its line end. */
  readonly endOffset: number
  /** False for a last line that has no line end yet. */
  readonly terminated: boolean
}

/**
 * Lines from `fromOffset` on. An offset that does not follow a line end, or lies after the end of the file, belongs to
 * other content (the file was replaced): then reading starts at 0, and readers find their messages again by id.
 * Throws TRANSCRIPT_UNREADABLE when `file` is no readable plain file, CANCELLED when the signal aborts.
 */
export async function* readLogLines(file: string, fromOffset: number, signal?: AbortSignal): AsyncGenerator<LogLine> {
  const handle = await openPlainFile(file)
  try {
    const start = await startOffset(handle, fromOffset)
    yield* linesFrom(handle, start, signal)
  } finally {
    await handle.close()
  }
}

async function openPlainFile(file: string): Promise<FileHandle> {
  try {
    // Looked at first: opening a pipe would wait for its other end.
    if (!(await stat(file)).isFile()) throw new Error('not a plain file')
    return await open(file, 'r')
  } catch (cause) {
    throw new MemoryError('TRANSCRIPT_UNREADABLE', `Cannot read the transcript ${file}`, {
      hint: 'Give the path of a transcript file: for Claude Code below ~/.claude/projects, for Codex below ~/.codex/sessions.',
      data: { file },
      cause,
    })
  }
}

async function startOffset(handle: FileHandle, fromOffset: number): Promise<number> {
  if (fromOffset <= 0) return 0
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(1), 0, 1, fromOffset - 1)
  const previous = bytesRead === 1 ? buffer[0] : undefined
  // A whole record may have been read before its line end was written: then the cursor stands after its brace.
  return previous === 0x0a || previous === 0x7d ? fromOffset : 0
}

async function* linesFrom(handle: FileHandle, start: number, signal?: AbortSignal): AsyncGenerator<LogLine> {
  const chunk = Buffer.alloc(CHUNK_BYTES)
  const line = createLineBuffer()
  let position = start
  for (;;) {
    throwIfCancelled(signal)
    const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, position)
    if (bytesRead === 0) break
    let from = 0
    for (;;) {
      const end = chunk.subarray(0, bytesRead).indexOf(0x0a, from)
      if (end < 0) break
      line.add(chunk.subarray(from, end))
      from = end + 1
      yield { text: line.take(), endOffset: position + from, terminated: true }
    }
    line.add(chunk.subarray(from, bytesRead))
    position += bytesRead
  }
  if (line.size() > 0) yield { text: line.take(), endOffset: position, terminated: false }
}

/** Collects the pieces of one line; beyond the limit it only counts. */
function createLineBuffer() {
  let pieces: Buffer[] = []
  let bytes = 0
  return {
    size: () => bytes,
    add(piece: Buffer) {
      bytes += piece.length
      if (bytes > MAX_LINE_BYTES) pieces = []
      else if (piece.length > 0) pieces.push(Buffer.from(piece))
    },
    take(): string | null {
      const text = bytes > MAX_LINE_BYTES ? null : Buffer.concat(pieces).toString('utf8')
      pieces = []
      bytes = 0
      return text
    },
  }
}
