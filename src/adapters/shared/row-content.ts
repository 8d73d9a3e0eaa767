/** What one row of a transcript says, in words that all agents share. */
import type { TranscriptMemoryWrite, TranscriptMessage } from '../../domain/index.ts'
import { wellFormed } from '../../util/index.ts'
import type { Row } from './rows.ts'

export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly input: Row
}

export interface ToolResult {
  readonly id: string
  readonly isError: boolean
  /** Of a shell, where the answer tells it. */
  readonly exit?: number | null
  /** What it says, where it failed. */
  readonly error?: string
}

export interface RowContent {
  readonly messages: readonly TranscriptMessage[]
  readonly toolCalls: readonly ToolCall[]
  /** The calls are those of a sub-agent. */
  readonly isAside?: boolean
  readonly toolResults: readonly ToolResult[]
  /** Writes that the row itself reports as done. */
  readonly writes: readonly TranscriptMemoryWrite[]
  /** A prompt of the user: a new turn begins with it. */
  readonly startsTurn: boolean
  /** What the row says about the answer: finished, still going on, or nothing (null). */
  readonly answer: 'finished' | 'open' | null
  /** Why there is no message, as counted; null when there is one, or a tool call. */
  readonly skipped: string | null
}

/** A row that says nothing. */
export const emptyContent: RowContent = {
  messages: [],
  toolCalls: [],
  toolResults: [],
  writes: [],
  startsTurn: false,
  answer: null,
  skipped: null,
}

export type Said = Pick<TranscriptMessage, 'role' | 'content' | 'toolName'>

/** Messages of one row: blank ones left out, the second and later ones of an id told apart by a number. */
export function toMessages(
  said: readonly Said[],
  row: { readonly id: string | null; readonly time: string | null },
): TranscriptMessage[] {
  const { id, time } = row
  return said
    .filter(({ content }) => content.trim() !== '')
    .map(({ role, content, toolName }, index) => ({
      nativeId: id === null || id === '' ? null : index === 0 ? id : `${id}#${index}`,
      role,
      content: wellFormed(content),
      toolName,
      time: time !== null && !Number.isNaN(Date.parse(time)) ? time : null,
    }))
}
