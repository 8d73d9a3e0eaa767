/** What an adapter reads from an agent's own log, before redaction. */
import type { MessageRole } from './session.ts'

/** One thing said, or one answer of a tool, in file order. */
export interface TranscriptMessage {
  /** The agent's own id of the row, unique in the file. Null when the agent gives none. */
  readonly nativeId: string | null
  readonly role: MessageRole
  readonly content: string
  readonly toolName: string | null
  /** ISO 8601 as the agent wrote it (UTC or with offset), or null. */
  readonly time: string | null
}

/** A tool call seen in the transcript that wrote memory: by our tools, or by a file tool into a note folder. */
export interface TranscriptMemoryWrite {
  /** Absolute path of the file written, or null for one of our own tools. */
  readonly path: string | null
  readonly tool: string
  readonly time: string | null
}

/** One turn-sized slice of a transcript; a reader yields these in file order. */
export interface TranscriptBatch {
  readonly sessionId: string
  readonly cwd: string | null
  readonly branch: string | null
  readonly title: string | null
  readonly messages: readonly TranscriptMessage[]
  readonly memoryWrites: readonly TranscriptMemoryWrite[]
  /** Rows that were not messages, by kind, so that unknown kinds are counted and shown. */
  readonly skipped: Readonly<Record<string, number>>
  /** Byte offset in the file after the last row of this batch: the next cursor. */
  readonly endOffset: number
  /** True when the turn was complete (the assistant ended without a tool call). */
  readonly turnEnded: boolean
}
