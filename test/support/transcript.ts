/** Writes a small Claude Code transcript of invented words, in the shape that real ones have. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Workshop } from './cli.ts'

export type Said =
  | { readonly user: string }
  | { readonly assistant: string }
  | { readonly tool: string; readonly result: string; readonly input?: object; readonly failed?: boolean }
  /** A turn block, as the hook put it behind the message before. */
  | { readonly shown: string }

export interface TranscriptOptions {
  readonly session?: string
  readonly cwd?: string
  readonly start?: string
  readonly file?: string
  readonly branch?: string
  /** First part of the ids of its messages; conversations with the same ids share them, as forks do. */
  readonly messageIds?: string
}

export function writeTranscript(shop: Workshop, said: readonly Said[], options: TranscriptOptions = {}): string {
  const session = options.session ?? '7f1c2a44-0000-4000-8000-000000000001'
  const startMs = Date.parse(options.start ?? '2026-11-20T09:00:00Z')
  const rows = said.flatMap((each, index) => rowsOf(each, index, startMs + index * 60_000, options.messageIds))
  const shared = {
    isSidechain: false,
    userType: 'external',
    cwd: options.cwd ?? shop.project,
    sessionId: session,
    version: '2.1.332',
    gitBranch: options.branch ?? 'main',
  }
  const file = options.file ?? join(shop.root, `${session}.jsonl`)
  writeFileSync(file, rows.map((row) => `${JSON.stringify({ ...shared, ...row })}\n`).join(''))
  return file
}

function rowsOf(said: Said, index: number, timeMs: number, ids = '00000000'): object[] {
  const uuid = (part: number) => `${ids}-0000-4000-8000-${String(index * 10 + part).padStart(12, '0')}`
  const timestamp = new Date(timeMs).toISOString()
  const parentUuid = index === 0 ? null : uuid(-10)
  if ('user' in said)
    return [{ parentUuid, type: 'user', message: { role: 'user', content: said.user }, uuid: uuid(0), timestamp }]
  if ('shown' in said) {
    const attachment = { type: 'hook_additional_context', hookEvent: 'UserPromptSubmit', content: [said.shown] }
    return [{ parentUuid, type: 'attachment', attachment, uuid: uuid(0), timestamp }]
  }
  const message = (content: object) => ({
    id: `msg_${index}`,
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    content: [content],
  })
  if ('assistant' in said)
    return [
      {
        parentUuid,
        type: 'assistant',
        message: message({ type: 'text', text: said.assistant }),
        uuid: uuid(0),
        timestamp,
      },
    ]
  const id = `toolu_${index}`
  return [
    {
      parentUuid,
      type: 'assistant',
      message: message({ type: 'tool_use', id, name: said.tool, input: said.input ?? {} }),
      uuid: uuid(0),
      timestamp,
    },
    {
      parentUuid: uuid(0),
      type: 'user',
      message: { role: 'user', content: [resultOf(id, said)] },
      toolUseResult: said.result,
      uuid: uuid(1),
      timestamp,
    },
  ]
}

function resultOf(id: string, { result, failed }: { readonly result: string; readonly failed?: boolean }): object {
  return {
    type: 'tool_result',
    tool_use_id: id,
    content: result,
    ...(failed === undefined ? {} : { is_error: failed }),
  }
}
