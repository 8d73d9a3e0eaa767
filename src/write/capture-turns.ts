/**
 * Groups what a reader yields into turns, so that a turn is judged whole: when the agent wrote memory anywhere in it,
 * nothing of it is extracted. Holds one turn at a time; a turn that outgrows the bound is given on in parts.
 */
import type { TranscriptBatch } from '../domain/index.ts'

/** Messages held before a turn is given on unfinished. */
const MAX_TURN_MESSAGES = 2_000

/** Batches of one turn as one batch, in file order. */
export async function* turnsOf(batches: AsyncIterable<TranscriptBatch>): AsyncGenerator<TranscriptBatch> {
  let open: TranscriptBatch | null = null
  for await (const batch of batches) {
    if (open && !continues(open, batch)) {
      yield open
      open = null
    }
    open = open ? join(open, batch) : batch
    if (open.turnEnded || open.messages.length >= MAX_TURN_MESSAGES) {
      yield open
      open = null
    }
  }
  if (open) yield open
}

function continues(open: TranscriptBatch, next: TranscriptBatch): boolean {
  return open.sessionId === next.sessionId && next.messages[0]?.role !== 'user'
}

function join(first: TranscriptBatch, second: TranscriptBatch): TranscriptBatch {
  const skipped: Record<string, number> = { ...first.skipped }
  for (const [kind, count] of Object.entries(second.skipped)) skipped[kind] = (skipped[kind] ?? 0) + count
  return {
    ...second,
    cwd: second.cwd ?? first.cwd,
    branch: second.branch ?? first.branch,
    title: second.title ?? first.title,
    messages: [...first.messages, ...second.messages],
    memoryWrites: [...first.memoryWrites, ...second.memoryWrites],
    toolCalls: [...(first.toolCalls ?? []), ...(second.toolCalls ?? [])],
    noteReads: [...(first.noteReads ?? []), ...(second.noteReads ?? [])],
    skipped,
  }
}
