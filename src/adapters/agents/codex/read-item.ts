/**
 * One item of a Codex conversation to what it says: words of the user, text of the assistant, a tool call or its
 * answer. Messages of the developer, reasoning, compactions and searches are none.
 */
import { emptyContent, type RowContent, type Said, type ToolCall, toMessages } from '../../shared/row-content.ts'
import { isRow, parseRow, type Row, rowAt, textAt } from '../../shared/rows.ts'
import { harnessName, refusal, wordsOfUser } from './harness-text.ts'
import { skippedName } from './row-kinds.ts'
import { exitCodeIn } from './tool-piece.ts'

/** Where an item stands. */
export interface ItemPlace {
  readonly time: string | null
  readonly toolNameOf: (callId: string) => string | null
}

/** Pieces of a prompt that a person gave; the client names every other kind after its own part. */
const userKind = /^(?:user\..*|unknown)$/

export function readItem(item: Row, place: ItemPlace): RowContent {
  const type = textAt(item, 'type') ?? ''
  if (type === 'message') return readMessage(item, place)
  if (/^(?:function|custom_tool|local_shell)_call$/.test(type)) return readCall(item)
  if (/^(?:function|custom_tool|local_shell)_call_output$/.test(type)) return readOutput(item, place)
  return { ...emptyContent, answer: type === 'reasoning' ? 'open' : null, skipped: skippedName(type) }
}

function readMessage(item: Row, { time }: ItemPlace): RowContent {
  const role = textAt(item, 'role')
  const id = textAt(item, 'id')
  if (role === 'user') {
    const said = textOfUser(item)
    const messages = toMessages([{ role: 'user', content: said.text, toolName: null }], { id, time })
    const isPrompt = messages.length > 0
    return { ...emptyContent, messages, startsTurn: isPrompt, skipped: isPrompt ? null : said.dropped }
  }
  if (role !== 'assistant') return { ...emptyContent, skipped: role === 'developer' ? 'developer' : 'system' }
  const messages = toMessages([{ role, content: textOf(item.content), toolName: null }], { id, time })
  // Newer clients say which words come before more work.
  const goesOn = item.phase === 'commentary' || messages.length === 0
  return {
    ...emptyContent,
    messages,
    answer: goesOn ? 'open' : 'finished',
    skipped: messages.length > 0 ? null : 'assistant:empty',
  }
}

/** The user's words, and what stood in their place when there are none. */
function textOfUser(item: Row): { readonly text: string; readonly dropped: string } {
  let dropped = 'empty'
  const notes = rowAt(item, 'internal_chat_message_metadata_passthrough') ?? {}
  const texts = piecesOf(item.content).flatMap((piece, index) => {
    const text = textOfPiece(piece)
    const foreign = foreignKind(notes, index)
    const own = foreign === null ? wordsOfUser(text) : ''
    if (own.trim() === '') dropped = `client:${foreign ?? harnessName(text) ?? 'empty'}`
    return own.trim() === '' ? [] : [own]
  })
  return { text: texts.join('\n'), dropped }
}

/** What the client calls this piece when it is not the user's; older clients say nothing (null). */
function foreignKind(notes: Row, index: number): string | null {
  const kind = listAt(notes, 'content_item_kinds')[index]
  if (typeof kind === 'string' && !userKind.test(kind)) return kind.replace(/[^A-Za-z0-9_.-]+/g, '').slice(0, 40)
  const about = listAt(notes, 'content_item_metadata')[index]
  const from = isRow(about) ? textAt(rowAt(about, 'provenance') ?? {}, 'type') : null
  return from === null || from === 'user' ? null : from.replace(/[^A-Za-z0-9_-]+/g, '').slice(0, 40)
}

function listAt(row: Row, key: string): readonly unknown[] {
  const value = row[key]
  return Array.isArray(value) ? value : []
}

function readCall(item: Row): RowContent {
  const call = callOf(item)
  return { ...emptyContent, toolCalls: call ? [call] : [], answer: 'open', skipped: call ? null : 'call:incomplete' }
}

function callOf(item: Row): ToolCall | null {
  const id = textAt(item, 'call_id') ?? textAt(item, 'id')
  if (item.type === 'local_shell_call')
    return id ? { id, name: 'local_shell', input: rowAt(item, 'action') ?? {} } : null
  const [name, namespace] = [textAt(item, 'name'), textAt(item, 'namespace')]
  if (!id || !name) return null
  const given = textAt(item, 'arguments') ?? textAt(item, 'input') ?? ''
  // The input of a tool of free form is no JSON.
  const input = (item.type === 'function_call' ? parseRow(given) : null) ?? { input: given }
  return { id, name: namespace ? `${namespace}__${name}` : name, input }
}

/** What the client says above the output of a shell. */
const answerHead = /^(?:(?:Chunk ID|Wall time|Exit code|Original token count|Process exited with code)\b.*\n)+Output:\n/

function readOutput(item: Row, { time, toolNameOf }: ItemPlace): RowContent {
  const callId = textAt(item, 'call_id') ?? ''
  const content = textOfOutput(item.output)
  const said: Said = { role: 'tool', content, toolName: toolNameOf(callId) }
  const messages = toMessages([said], { id: textAt(item, 'id') ?? (callId || null), time })
  const failed = refusal.test(content.trimStart()) || (isRow(item.output) && item.output.success === false)
  const exit = exitCodeIn(typeof item.output === 'string' ? item.output : content)
  const error = content.replace(answerHead, '')
  return {
    ...emptyContent,
    messages,
    toolResults: [{ id: callId, isError: failed, exit, error }],
    answer: 'open',
    skipped: messages.length > 0 ? null : 'output:empty',
  }
}

/** Older clients wrap the answer: as JSON text with `output`, or as an object with `content`. */
function textOfOutput(output: unknown): string {
  if (isRow(output)) return textOf(output.content ?? output.output)
  const text = textOf(output)
  return text.startsWith('{"output":') ? (textAt(parseRow(text) ?? {}, 'output') ?? text) : text
}

function textOf(content: unknown): string {
  return piecesOf(content).map(textOfPiece).filter(Boolean).join('\n')
}

function piecesOf(content: unknown): readonly Row[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? content.filter(isRow) : []
}

/** Text as it is; what is no text is named, never kept. */
function textOfPiece(piece: Row): string {
  const type = textAt(piece, 'type') ?? ''
  if (/^(?:input_|output_)?text$/.test(type)) return textAt(piece, 'text') ?? ''
  if (/image/.test(type)) return '[image]'
  return ''
}
