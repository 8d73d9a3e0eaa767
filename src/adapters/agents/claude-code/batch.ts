/**
 * Gathers rows into batches of about one turn. What it holds is bounded: a turn that is too long goes out in parts.
 */
import type { TranscriptBatch, TranscriptMemoryWrite, TranscriptMessage } from '../../../domain/index.ts'
import { utf8Bytes } from '../../../util/index.ts'
import { type RowContent, readRow } from './read-row.ts'
import { type Row, textAt } from './rows.ts'
import { createToolCalls } from './tool-calls.ts'

/** A turn longer than this is given in parts, so that memory stays flat. */
const MAX_BATCH_MESSAGES = 500
const MAX_BATCH_BYTES = 4 * 1024 * 1024

/** Names of kinds counted apart; the rest is counted as `unknown:other`. */
const MAX_SKIPPED_NAMES = 100

export interface Batch {
  /** Takes one row; gives the batch that ended before it, when one did. */
  add(row: Row): TranscriptBatch | null
  skip(name: string): void
  /** All rows up to this byte are taken. */
  moveTo(offset: number): void
  finish(): TranscriptBatch | null
}

export function createBatch(startOffset: number): Batch {
  const calls = createToolCalls()
  const place = { sessionId: null as string | null, cwd: null as string | null, branch: null as string | null }
  let title: string | null = null
  let messages: TranscriptMessage[] = []
  let writes: TranscriptMemoryWrite[] = []
  let skipped = new Map<string, number>()
  let contentBytes = 0
  let answer: RowContent['answer'] = null
  let endOffset = startOffset

  const skip = (name: string) => {
    const counted = skipped.has(name) || skipped.size < MAX_SKIPPED_NAMES ? name : 'unknown:other'
    skipped.set(counted, (skipped.get(counted) ?? 0) + 1)
  }

  const flush = (turnEnded: boolean): TranscriptBatch | null => {
    const { sessionId, cwd, branch } = place
    if (sessionId === null || messages.length + writes.length + skipped.size === 0) return null
    const counts = Object.fromEntries(skipped)
    const batch = {
      sessionId,
      cwd,
      branch,
      title,
      messages,
      memoryWrites: writes,
      skipped: counts,
      endOffset,
      turnEnded,
    }
    messages = []
    writes = []
    skipped = new Map()
    contentBytes = 0
    return batch
  }

  return {
    add(row) {
      const content = readRow(row, calls.nameOf)
      const sessionId = sessionIdOf(row)
      const other = sessionId !== null && place.sessionId !== null && sessionId !== place.sessionId
      const tooLong = messages.length >= MAX_BATCH_MESSAGES || contentBytes >= MAX_BATCH_BYTES
      // The next prompt ends a turn, however it ended.
      const turnOver = answer === 'finished' || content.startsTurn
      const finished = other || tooLong || (content.startsTurn && messages.length > 0) ? flush(turnOver) : null
      if (finished) answer = null
      place.sessionId = sessionId ?? place.sessionId
      if (place.sessionId === null && content.messages.length > 0) {
        skip('unknown:no-session')
        return finished
      }
      place.cwd = textAt(row, 'cwd') ?? place.cwd
      place.branch = branchOf(row) ?? place.branch
      title = textAt(row, 'customTitle') ?? textAt(row, 'aiTitle') ?? title
      calls.open(content.toolCalls, { cwd: place.cwd, time: textAt(row, 'timestamp') })
      writes.push(...calls.settle(content.toolResults))
      messages.push(...content.messages)
      contentBytes += content.messages.reduce((sum, message) => sum + utf8Bytes(message.content), 0)
      if (content.skipped !== null) skip(content.skipped)
      answer = content.answer ?? answer
      return finished
    },
    skip,
    moveTo(offset) {
      endOffset = offset
    },
    finish() {
      writes.push(...calls.unsettled())
      return flush(answer === 'finished')
    },
  }
}

/** Ids become keys and file names elsewhere: anything odd is as good as none. */
function sessionIdOf(row: Row): string | null {
  const id = textAt(row, 'sessionId')
  return id !== null && /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(id) ? id : null
}

/** `HEAD` stands for a detached head or no repository. */
function branchOf(row: Row): string | null {
  const branch = textAt(row, 'gitBranch')
  return branch === '' || branch === 'HEAD' ? null : branch
}
