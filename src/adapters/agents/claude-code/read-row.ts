/**
 * One row of a transcript to what it says (spec S9): messages, tool calls, tool results, or nothing. A message is what
 * was said or what a tool answered; meta rows, summaries, commands and their output, notices, hook output and
 * sub-agents are none.
 */
import {
  emptyContent,
  toMessages as messagesOf,
  type RowContent,
  type Said,
  type ToolCall,
  type ToolResult,
} from '../../shared/row-content.ts'
import { isRow, type Row, rowAt, textAt } from '../../shared/rows.ts'
import { isInterruptedMarker, leadingClientTag, withoutClientElements } from './client-tags.ts'
import { skippedName } from './row-kinds.ts'

/** `toolNameOf` gives the tool of an earlier call by its id. */
export function readRow(row: Row, toolNameOf: (callId: string) => string | null): RowContent {
  const type = textAt(row, 'type') ?? ''
  if (row.isSidechain === true) return readSidechain(row)
  if (type === 'user') return readUser(row, toolNameOf)
  if (type === 'assistant') return readAssistant(row)
  if (type === 'attachment') return readAttachment(row)
  return { ...emptyContent, skipped: skippedName(type, textAt(row, 'subtype')) }
}

/** Sub-agents say nothing to the user, but what they write is written. */
function readSidechain(row: Row): RowContent {
  const blocks = blocksOf(rowAt(row, 'message')?.content)
  return {
    ...emptyContent,
    toolCalls: toolCallsIn(blocks),
    toolResults: toolResultsIn(blocks),
    isAside: true,
    skipped: 'sidechain',
  }
}

function readUser(row: Row, toolNameOf: (callId: string) => string | null): RowContent {
  const notUser = notOfTheUser(row)
  if (notUser) return { ...emptyContent, skipped: notUser }
  const blocks = blocksOf(rowAt(row, 'message')?.content)
  const results = blocks.filter((block) => block.type === 'tool_result')
  const said = textOfUser(blocks.filter((block) => block.type !== 'tool_result'))
  // The client keeps apart what the person wrote when refusing a tool call.
  const feedback = results.length > 0 ? (textAt(row, 'userFeedback') ?? '') : ''
  const contents = [
    ...results.map((block) => ({
      role: 'tool' as const,
      content: textOfResult(block),
      toolName: toolNameOf(textAt(block, 'tool_use_id') ?? ''),
    })),
    ...[said.text, feedback].map((content) => ({ role: 'user' as const, content, toolName: null })),
  ]
  const messages = toMessages(contents, row, textAt(row, 'uuid'))
  return {
    ...emptyContent,
    messages,
    toolResults: toolResultsIn(blocks),
    startsTurn: said.text.trim() !== '',
    answer: results.length > 0 ? 'open' : null,
    skipped: messages.length > 0 ? null : (said.dropped ?? 'empty'),
  }
}

/** Rows of type user that the client or a harness wrote. */
function notOfTheUser(row: Row): string | null {
  if (row.isCompactSummary === true) return 'compact-summary'
  if (row.isMeta === true || row.isVisibleInTranscriptOnly === true) return 'meta'
  const origin = rowAt(row, 'origin')
  if (row.promptSource === 'system' || (origin && origin.kind !== 'human')) return 'synthetic-prompt'
  return null
}

function readAssistant(row: Row): RowContent {
  const message = rowAt(row, 'message')
  if (row.isApiErrorMessage === true) return { ...emptyContent, skipped: 'api-error' }
  if (message?.model === '<synthetic>') return { ...emptyContent, skipped: 'synthetic-answer' }
  const blocks = blocksOf(message?.content)
  const text = blocks.flatMap((block) => (block.type === 'text' ? [textAt(block, 'text') ?? ''] : [])).join('\n')
  const toolCalls = toolCallsIn(blocks)
  const messages = toMessages([{ role: 'assistant', content: text, toolName: null }], row, textAt(row, 'uuid'))
  const goesOn = toolCalls.length > 0 || message?.stop_reason === 'tool_use' || messages.length === 0
  return {
    ...emptyContent,
    messages,
    toolCalls,
    answer: goesOn ? 'open' : 'finished',
    skipped: messages.length + toolCalls.length > 0 ? null : `assistant:${textAt(blocks[0] ?? {}, 'type') ?? 'empty'}`,
  }
}

/** Words typed while the agent works come as an attachment; all other attachments are the client's. */
function readAttachment(row: Row): RowContent {
  const attachment = rowAt(row, 'attachment') ?? {}
  const type = textAt(attachment, 'type')
  const skipped = skippedName('attachment', type)
  const mode = textAt(attachment, 'commandMode') ?? 'prompt'
  const origin = rowAt(attachment, 'origin')
  if (type !== 'queued_command' || mode !== 'prompt' || attachment.isMeta === true) return { ...emptyContent, skipped }
  if (origin && origin.kind !== 'human') return { ...emptyContent, skipped }
  const said = textOfUser(blocksOf(attachment.prompt))
  const id = textAt(attachment, 'source_uuid') ?? textAt(row, 'uuid')
  const messages = toMessages([{ role: 'user', content: said.text, toolName: null }], row, id)
  return { ...emptyContent, messages, skipped: messages.length > 0 ? null : skipped }
}

function toMessages(said: readonly Said[], row: Row, id: string | null) {
  return messagesOf(said, { id, time: textAt(row, 'timestamp') })
}

/** The user's words in these blocks, and the client's element that stood in their place when there are none. */
function textOfUser(blocks: readonly Row[]): { text: string; dropped: string | null } {
  let dropped: string | null = null
  const texts = blocks.flatMap((block) => {
    const text = textOfBlock(block)
    const tag = leadingClientTag(text)
    if (tag !== null) dropped = `client:${tag}`
    if (isInterruptedMarker(text)) dropped = 'interrupted'
    const own = isInterruptedMarker(text) ? '' : withoutClientElements(text)
    return own.trim() === '' ? [] : [own]
  })
  return { text: texts.join('\n'), dropped }
}

function textOfResult(result: Row): string {
  return blocksOf(result.content).map(textOfBlock).filter(Boolean).join('\n')
}

/** Text as it is; what is no text is named, never kept. */
function textOfBlock(block: Row): string {
  if (block.type === 'text') return textAt(block, 'text') ?? ''
  if (block.type === 'image') return '[image]'
  if (block.type === 'document') return '[document]'
  return ''
}

function blocksOf(content: unknown): readonly Row[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? content.filter(isRow) : []
}

function toolCallsIn(blocks: readonly Row[]): ToolCall[] {
  return blocks.flatMap((block) => {
    const [id, name] = [textAt(block, 'id'), textAt(block, 'name')]
    return block.type === 'tool_use' && id && name ? [{ id, name, input: rowAt(block, 'input') ?? {} }] : []
  })
}

function toolResultsIn(blocks: readonly Row[]): ToolResult[] {
  return blocks.flatMap((block) => {
    const id = textAt(block, 'tool_use_id')
    return block.type === 'tool_result' && id ? [resultOf(id, block)] : []
  })
}

/** A shell that failed says its exit code first; one that goes on in the background has none yet. */
function resultOf(id: string, block: Row): ToolResult {
  const isError = block.is_error === true
  const text = textOfResult(block)
  if (!isError) return { id, isError, exit: text.startsWith(IN_BACKGROUND) ? null : 0 }
  const code = /^Exit code (-?\d+)\b/.exec(text)?.[1]
  return { id, isError, exit: code === undefined ? null : Number(code), error: text }
}

const IN_BACKGROUND = 'Command running in background'
