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

/** One call of a tool as the transcript tells it, before redaction. */
export interface TranscriptToolCall {
  /** As the agent calls it: `Bash`, `apply_patch`. */
  readonly name: string
  /** The command of a shell, or null for any other tool. At most 2,000 UTF-16 units. */
  readonly command: string | null
  /** Paths as the call names them; at most 100. */
  readonly read: readonly string[]
  readonly written: readonly string[]
  /** Of a shell command that ended; null where that is not told. */
  readonly exit: number | null
  /** Null: no answer yet. */
  readonly failed: boolean | null
  /** How a call that failed was answered: beginning and end, at most 2,000 UTF-16 units. */
  readonly error: string | null
  readonly time: string | null
}

/** A call that opened what may be a note, and was answered. */
export interface TranscriptNoteRead {
  /** `note`: what our own tool was asked for. `path`: a Markdown file, absolute or below `~/`. */
  readonly by: 'note' | 'path'
  readonly reference: string
  readonly tool: string
  /** The agent's id of the call. */
  readonly call: string
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
  /** Calls of the conversation itself, not of its sub-agents, in their order; the last 1,000. Absent: the reader tells none. */
  readonly toolCalls?: readonly TranscriptToolCall[]
  /** Calls that may have opened a note, also those of sub-agents; the last 1,000. Absent: the reader tells none. */
  readonly noteReads?: readonly TranscriptNoteRead[]
  /** Rows that were not messages, by kind, so that unknown kinds are counted and shown. */
  readonly skipped: Readonly<Record<string, number>>
  /** Byte offset in the file after the last row of this batch: the next cursor. */
  readonly endOffset: number
  /** True when the turn was complete (the assistant ended without a tool call). */
  readonly turnEnded: boolean
}
