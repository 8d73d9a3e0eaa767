/** Rows of invented transcripts, for the tests of this folder. */
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TranscriptBatch } from '../../../domain/index.ts'
import { createClaudeCodeReader } from './transcript.ts'

export const fixtures = join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  '..',
  'test',
  'fixtures',
  'transcripts',
  'claude-code',
)
export const reader = createClaudeCodeReader()

export async function read(file: string, fromOffset = 0): Promise<TranscriptBatch[]> {
  const batches: TranscriptBatch[] = []
  for await (const batch of reader.read(file, { fromOffset })) batches.push(batch)
  return batches
}

/** Reads rows that stand for a whole transcript, from a file that is put into the folder. */
export function readRowsIn(directory: string, rows: readonly object[], tail = ''): Promise<TranscriptBatch[]> {
  const file = join(directory, 'session.jsonl')
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join('') + tail)
  return read(file)
}

export const base = (fields: object) => ({
  parentUuid: null,
  uuid: randomUUID(),
  sessionId: 's1',
  cwd: '/home/dev/tidepool',
  gitBranch: 'main',
  timestamp: '2026-11-18T09:00:00.000Z',
  isSidechain: false,
  ...fields,
})
export const user = (content: unknown, fields: object = {}) =>
  base({ type: 'user', message: { role: 'user', content }, ...fields })
export const assistant = (content: unknown, fields: object = {}) =>
  base({ type: 'assistant', message: { role: 'assistant', model: 'm', content, stop_reason: 'end_turn', ...fields } })
export const text = (words: string) => ({ type: 'text', text: words })
export const call = (id: string, name: string, input: object = {}) => ({ type: 'tool_use', id, name, input })
export const result = (id: string, content: unknown, fields: object = {}) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...fields,
})
export const attachment = (fields: object) => base({ type: 'attachment', attachment: fields })
