/**
 * Gathers rows into batches of about one turn. What it holds is bounded: a turn that is too long goes out in parts.
 */
import type { TranscriptBatch, TranscriptMemoryWrite, TranscriptMessage } from '../../domain/index.ts'
import { utf8Bytes } from '../../util/index.ts'
import type { RowContent } from './row-content.ts'
import { type Row, textAt } from './rows.ts'
import { type CallLanguage, createToolCalls } from './tool-calls.ts'

/** A turn longer than this is given in parts, so that memory stays flat. */
const MAX_BATCH_MESSAGES = 500
const MAX_BATCH_BYTES = 4 * 1024 * 1024

/** Names of kinds counted apart; the rest is counted as `unknown:other`. */
const MAX_SKIPPED_NAMES = 100

/** What a row says about the conversation around it; null where it says nothing. */
export interface RowPlace {
  readonly sessionId: string | null
  readonly cwd: string | null
  readonly branch: string | null
  readonly title: string | null
}

/** How one agent's rows are understood. */
export interface RowLanguage extends CallLanguage {
  /** `toolNameOf` gives the tool of an earlier call by its id. */
  readRow(row: Row, toolNameOf: (callId: string) => string | null): RowContent
  placeOf(row: Row): RowPlace
}

export interface Batch {
  /** Takes one row; gives the batch that ended before it, when one did. */
  add(row: Row): TranscriptBatch | null
  skip(name: string): void
  /** All rows up to this byte are taken. */
  moveTo(offset: number): void
  finish(): TranscriptBatch | null
}

/** `known` is what earlier parts of the file said about the conversation. */
export function createBatch(startOffset: number, language: RowLanguage, known: RowPlace = nowhere): Batch {
  const calls = createToolCalls(language)
  let place = known
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
    const { sessionId } = place
    if (sessionId === null || messages.length + writes.length + skipped.size === 0) return null
    const counts = Object.fromEntries(skipped)
    const batch = {
      ...place,
      sessionId,
      messages,
      memoryWrites: writes,
      toolCalls: calls.takeTold(),
      noteReads: calls.takeReads(),
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
      const content = language.readRow(row, calls.nameOf)
      const said = language.placeOf(row)
      const other = said.sessionId !== null && place.sessionId !== null && said.sessionId !== place.sessionId
      const tooLong = messages.length >= MAX_BATCH_MESSAGES || contentBytes >= MAX_BATCH_BYTES
      // The next prompt ends a turn, however it ended.
      const turnOver = answer === 'finished' || content.startsTurn
      const finished = other || tooLong || (content.startsTurn && messages.length > 0) ? flush(turnOver) : null
      if (finished) answer = null
      place = joined(place, said)
      if (place.sessionId === null && content.messages.length > 0) {
        skip('unknown:no-session')
        return finished
      }
      const { isAside } = content
      calls.open(content.toolCalls, { cwd: place.cwd, time: timeOf(row), isAside })
      writes.push(...calls.settle(content.toolResults), ...content.writes)
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

function timeOf(row: Row): string | null {
  const time = textAt(row, 'timestamp')
  return time !== null && !Number.isNaN(Date.parse(time)) ? time : null
}

export const nowhere: RowPlace = { sessionId: null, cwd: null, branch: null, title: null }

/** What is known, with what is said anew. */
export function joined(known: RowPlace, said: RowPlace): RowPlace {
  return {
    sessionId: said.sessionId ?? known.sessionId,
    cwd: said.cwd ?? known.cwd,
    branch: said.branch ?? known.branch,
    title: said.title ?? known.title,
  }
}

/** Ids become keys and file names elsewhere: anything odd is as good as none. */
export function safeSessionId(id: string | null): string | null {
  return id !== null && /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(id) ? id : null
}
