/** Rows of invented rollouts, for the tests of this folder. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TranscriptBatch } from '../../../domain/index.ts'
import { createCodexReader } from './transcript.ts'

export const fixture = join(import.meta.dirname, '../../../../test/fixtures/transcripts/codex/first-light.jsonl')
export const reader = createCodexReader()

export const thread = '0199d0c2-0000-7000-8000-000000000001'
export const name = (id: string, time = '10-00-00') => `rollout-2026-11-18T${time}-${id}.jsonl`

export async function read(file: string, fromOffset = 0): Promise<TranscriptBatch[]> {
  const batches: TranscriptBatch[] = []
  for await (const batch of reader.read(file, { fromOffset })) batches.push(batch)
  return batches
}

/** Reads rows that stand for a whole rollout, from a file that is put into the folder; one that is a text stands as it is. */
export function readRowsIn(directory: string, rows: readonly unknown[]): Promise<TranscriptBatch[]> {
  const file = join(directory, name(thread))
  writeFileSync(file, linesOf(rows))
  return read(file)
}

export function linesOf(rows: readonly unknown[]): string {
  return rows.map((each) => `${typeof each === 'string' ? each : JSON.stringify(each)}\n`).join('')
}

export const timestamp = '2026-11-18T10:00:00.000Z'
export const row = (type: string, payload: object, more: object = {}) => ({ timestamp, type, payload, ...more })
export const meta = (fields: object = {}) =>
  row('session_meta', { id: thread, cwd: '/home/dev/tidepool', git: { branch: 'main' }, ...fields })
export const item = (payload: object, more: object = {}) => row('response_item', payload, more)
export const event = (type: string, fields: object = {}) => row('event_msg', { type, ...fields })
export const content = (...texts: readonly string[]) => texts.map((text) => ({ type: 'input_text', text }))
export const user = (...texts: readonly string[]) => item({ type: 'message', role: 'user', content: content(...texts) })
export const assistant = (text: string, fields: object = {}) =>
  item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }], ...fields })
export const call = (id: string, tool: string, input: object, fields: object = {}) =>
  item({ type: 'function_call', call_id: id, name: tool, arguments: JSON.stringify(input), ...fields })
export const output = (id: string, answer: unknown) =>
  item({ type: 'function_call_output', call_id: id, output: answer })
